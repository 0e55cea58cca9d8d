package ledger

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/report"
)

func factsOf(facts []report.Fact) string {
	var b strings.Builder
	for _, f := range facts {
		b.WriteString(f.Name + ": " + f.Text + "\n")
	}
	return b.String()
}

// branch copies a ledger.
func branch(t testing.TB, f *File) *File {
	t.Helper()
	data, err := os.ReadFile(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	c := *f
	c.Path = f.Path + ".theirs"
	if err := os.WriteFile(c.Path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return &c
}

func merged(t testing.TB, ours, theirs *File) (*Ledger, []string) {
	t.Helper()
	other := mustRead(t, theirs)
	if _, left, err := ours.Merge(other); err != nil {
		t.Fatal(err)
	} else if _, err := Verify(context.Background(), ours.Path, other.Head()); err != nil && !strings.Contains(err.Error(), "names it as that of another branch") {
		t.Fatal(err)
	} else if l, err := Verify(context.Background(), ours.Path, ""); err != nil {
		t.Fatal(err)
	} else {
		return l, left
	}
	return nil, nil
}

// Both branches spend, together within the promise: the sum is that of both, twice
// merging changes nothing.
func TestMergeThatFits(t *testing.T) {
	ours, _ := create(t, basicTerms(1, 0))
	mustReserve(t, ours, pureOf(t, "0.1"))
	theirs := branch(t, ours)
	mustReserve(t, ours, pureOf(t, "0.2"))
	if _, err := theirs.Commit(mustReserve(t, theirs, pureOf(t, "0.3")), nil, ""); err != nil {
		t.Fatal(err)
	}
	l, left := merged(t, ours, theirs)
	s := l.Status(context.Background(), start)
	if s.Spent.String() != "300000000000000" || s.Held.String() != "300000000000000" || len(left) != 0 {
		t.Errorf("spent %s, held %s, left out %v", s.Spent, s.Held, left)
	}
	if again, _ := merged(t, ours, theirs); again.Head() != l.Head() {
		t.Error("a second merge changed something")
	}
	stranger, _ := create(t, basicTerms(2, 0))
	if _, _, err := ours.Merge(mustRead(t, stranger)); err == nil {
		t.Error("merged with a stranger")
	}
}

// What both have granted does not fit: the other's is a breach, and nothing is granted
// afterwards. What it had cancelled is none.
func TestMergeThatBreaks(t *testing.T) {
	ours, _ := create(t, basicTerms(1, 0))
	theirs := branch(t, ours)
	mustReserve(t, ours, pureOf(t, "0.8"))
	cancelled := mustReserve(t, theirs, pureOf(t, "0.9"))
	if _, err := theirs.Cancel(cancelled, "never started"); err != nil {
		t.Fatal(err)
	}
	if _, err := theirs.Commit(mustReserve(t, theirs, pureOf(t, "0.5")), nil, ""); err != nil {
		t.Fatal(err)
	}
	l, left := merged(t, ours, theirs)
	b := l.Breach()
	if b == nil || b.Cost.Parts[0].String() != "500000000000000" || len(left) != 2 || !strings.Contains(left[0], "cancelled there") {
		t.Fatalf("breach %+v, left out %q", b, left)
	}
	if s := l.Status(context.Background(), start); s.Left.Sign() >= 0 {
		t.Errorf("left %s", s.Left)
	}
	refusedWith(t, ours, pureOf(t, "0.01"), "the promise was broken on line 5")
	st, err := l.Statement(context.Background(), Period{}, start)
	if err != nil || !strings.Contains(st.Paragraph, "does not hold") || !strings.Contains(factsOf(st.Facts), "none: the promise was broken") {
		t.Errorf("%v, %+v", err, st)
	}
	if st.Bound.Finite() {
		t.Errorf("programs are told ε %v", st.Bound.Epsilon)
	}
	for _, f := range st.Facts {
		if f.Name == "Adaptive costs" || f.Name == "Quotable now" && !strings.HasPrefix(f.Text, "ε = 1.300 at δ = 0 by the odometer") {
			t.Errorf("of a broken promise: %s: %s", f.Name, f.Text)
		}
	}
}

// One branch gave a reserve back, the other released it: the release counts.
func TestMergeOfACancelAndACommit(t *testing.T) {
	for _, oursCancels := range []bool{true, false} {
		ours, _ := create(t, basicTerms(1, 0))
		id := mustReserve(t, ours, pureOf(t, "0.4"))
		theirs := branch(t, ours)
		cancels, commits := ours, theirs
		if !oursCancels {
			cancels, commits = theirs, ours
		}
		if _, err := cancels.Cancel(id, "never started"); err != nil {
			t.Fatal(err)
		}
		if _, err := commits.Commit(id, nil, ""); err != nil {
			t.Fatal(err)
		}
		l, _ := merged(t, ours, theirs)
		if s := l.Status(context.Background(), start); s.Spent.String() != "400000000000000" || s.Held.Sign() != 0 {
			t.Errorf("ours cancels %v: spent %s, held %s", oursCancels, s.Spent, s.Held)
		}
	}
}

// In a window it counts when the releases were made, not when the branches were merged.
func TestMergeWithinAWindow(t *testing.T) {
	for _, c := range []struct {
		apart  time.Duration
		breaks bool
	}{{0, true}, {6 * 24 * time.Hour, true}, {8 * 24 * time.Hour, false}} {
		for _, oursFirst := range []bool{true, false} {
			terms := basicTerms(1, 0)
			terms.Window = "168h"
			ours, clock := create(t, terms)
			theirs := branch(t, ours)
			first, second := ours, theirs
			if !oursFirst {
				first, second = theirs, ours
			}
			mustCommit(t, first, pureOf(t, "0.9"))
			clock.add(c.apart)
			mustCommit(t, second, pureOf(t, "0.9"))
			clock.add(30 * 24 * time.Hour)
			l, _ := merged(t, ours, theirs)
			if (l.Breach() != nil) != c.breaks {
				t.Errorf("%v apart, ours first %v: breach %+v", c.apart, oursFirst, l.Breach())
			}
		}
	}
}

// What kept the promise when it was released is no breach because it is merged while the window
// holds other releases: the merge waits.
func TestMergeWaitsForTheWindow(t *testing.T) {
	terms := basicTerms(1, 0)
	terms.Window = "168h"
	ours, clock := create(t, terms)
	theirs := branch(t, ours)
	mustCommit(t, theirs, pureOf(t, "0.9"))
	clock.add(20 * 24 * time.Hour)
	mustCommit(t, ours, pureOf(t, "0.9"))
	if l, _, err := ours.Merge(mustRead(t, theirs)); err == nil || !strings.Contains(err.Error(), "Merge when the window holds less") || len(l.Records) != 3 {
		t.Error(err)
	}
	clock.add(8 * 24 * time.Hour)
	if l, _ := merged(t, ours, theirs); l.Breach() != nil {
		t.Errorf("breach %+v", l.Breach())
	}
}

// Waiting must be able to help, and must not hide what is broken: a branch that has released more
// than one budget, over several windows, is written as a breach, and so is one that is broken.
func TestMergeDoesNotWaitInVain(t *testing.T) {
	week := 8 * 24 * time.Hour
	terms := basicTerms(1, 0)
	terms.Window = "168h"
	for name, spend := range map[string]func(t *testing.T, ours, theirs, third *File, clock *tick){
		"two budgets": func(t *testing.T, ours, theirs, third *File, clock *tick) {
			mustCommit(t, theirs, pureOf(t, "0.9"))
			clock.add(week)
			mustCommit(t, theirs, pureOf(t, "0.9"))
		},
		"together at last": func(t *testing.T, ours, theirs, third *File, clock *tick) {
			mustCommit(t, theirs, pureOf(t, "0.3"))
			clock.add(week)
			mustCommit(t, theirs, pureOf(t, "0.5"))
			mustCommit(t, ours, pureOf(t, "0.9"))
		},
		"broken there": func(t *testing.T, ours, theirs, third *File, clock *tick) {
			mustCommit(t, theirs, pureOf(t, "0.6"))
			mustCommit(t, third, pureOf(t, "0.6"))
			merged(t, theirs, third)
			clock.add(week)
			mustCommit(t, ours, pureOf(t, "0.9"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			ours, clock := create(t, terms)
			theirs := branch(t, ours)
			third := branch(t, theirs)
			spend(t, ours, theirs, third, clock)
			if l, _ := merged(t, ours, theirs); l.Breach() == nil {
				t.Error("no breach")
			}
		})
	}
}

// A branch whose clock is ahead has released later, by its own times, than the merge could say:
// what it released would leave the window too early.
func TestMergeWithAClockAhead(t *testing.T) {
	terms := basicTerms(1, 0)
	terms.Window = "720h"
	ours, clock := create(t, terms)
	theirs := branch(t, ours)
	clock.add(31 * 24 * time.Hour)
	mustCommit(t, theirs, pureOf(t, "1"))
	clock.add(-31 * 24 * time.Hour)
	if _, _, err := ours.Merge(mustRead(t, theirs)); err == nil || !strings.Contains(err.Error(), "744h0m0s ahead of this machine") {
		t.Error(err)
	}
	clock.add(32 * 24 * time.Hour)
	merged(t, ours, theirs)
	refusedWith(t, ours, pureOf(t, "0.1"), "above the budget")
}

// A torn line that was repaired and committed there is a release like others.
func TestMergeOfATornLine(t *testing.T) {
	for _, spent := range []string{"0.1", "0.9"} {
		ours, _ := create(t, basicTerms(1, 0))
		theirs := branch(t, ours)
		mustCommit(t, ours, pureOf(t, spent))
		id := mustReserve(t, theirs, pureOf(t, "0.8"))
		tear(t, theirs)
		if _, err := theirs.Repair(); err != nil {
			t.Fatal(err)
		}
		if _, err := theirs.Commit(id, nil, ""); err != nil {
			t.Fatal(err)
		}
		if l, _ := merged(t, ours, theirs); (l.Breach() != nil) != (spent == "0.9") {
			t.Errorf("after %s: breach %+v", spent, l.Breach())
		}
	}
}

// Both branches have repaired the same torn line: it is charged once.
func TestMergeOfOneTornLine(t *testing.T) {
	ours, clock := create(t, basicTerms(1, 0))
	mustReserve(t, ours, pureOf(t, "0.8"))
	tear(t, ours)
	theirs := branch(t, ours)
	for _, f := range []*File{ours, theirs} {
		clock.add(time.Hour)
		if _, err := f.Repair(); err != nil {
			t.Fatal(err)
		}
	}
	l, left := merged(t, ours, theirs)
	if s := l.Status(context.Background(), start); s.Held.String() != "800000000000000" || l.Breach() != nil || len(left) != 1 {
		t.Errorf("held %s, breach %+v, left out %q", s.Held, l.Breach(), left)
	}
}

// Releases that ran at the same time on two branches break a rule that is proven for one
// after the other, and its odometer with it.
func TestMergeOfWhatRanAtTheSameTime(t *testing.T) {
	for _, together := range []bool{true, false} {
		ours, clock := create(t, Promise{Filter: adaptive.Mixture, Epsilon: "6.751", Delta: "1e-5", Alpha: "4"})
		theirs := branch(t, ours)
		id := mustReserve(t, theirs, gaussian(t))
		clock.add(time.Hour)
		if !together {
			if _, err := theirs.Commit(id, nil, ""); err != nil {
				t.Fatal(err)
			}
		}
		mine := mustReserve(t, ours, gaussian(t))
		clock.add(time.Hour)
		if together {
			if _, err := theirs.Commit(id, nil, ""); err != nil {
				t.Fatal(err)
			}
		} else if _, _, err := ours.Merge(mustRead(t, theirs)); err == nil || !strings.Contains(err.Error(), mine+" is still held") {
			t.Errorf("merged while another was held: %v", err) // theirs was over before; the merge waits
		}
		if _, err := ours.Commit(mine, nil, ""); err != nil {
			t.Fatal(err)
		}
		l, _ := merged(t, ours, theirs)
		if a, err := l.Ask(scenarioOf(t, "{mechanism: gaussian, sigma: 1, count: 100}"), nil, "", clock.now); err != nil || (a.FittingReleases == nil) != together {
			t.Errorf("together %v: %v of its releases would fit, %v", together, a.FittingReleases, err)
		}
		if s := l.Status(context.Background(), clock.now); (l.Breach() != nil) != together || (s.Odometer == nil) != together {
			t.Errorf("together %v: breach %+v, odometer %v", together, l.Breach(), s.Odometer)
		}
	}
}

// What another branch granted before it knew of an amendment keeps the promise, and the
// ledger refuses from then on.
func TestMergeBehindAnAmendment(t *testing.T) {
	ours, _ := create(t, basicTerms(1, 0))
	theirs := branch(t, ours)
	mustCommit(t, theirs, pureOf(t, "0.4"))
	mustCommit(t, ours, pureOf(t, "0.4"))
	if _, err := ours.Amend(0.5, "we stop early"); err != nil {
		t.Fatal(err)
	}
	if l, _ := merged(t, ours, theirs); l.Breach() != nil {
		t.Errorf("breach %+v", l.Breach())
	}
	refusedWith(t, ours, pureOf(t, "0.01"), "above the budget of 0.5")
}

// A release that came with one branch and stands in another is charged once.
func TestMergeOfThreeBranches(t *testing.T) {
	ours, _ := create(t, basicTerms(1, 0))
	second := branch(t, ours)
	third := branch(t, second)
	mustCommit(t, third, pureOf(t, "0.3"))
	merged(t, second, third)
	merged(t, ours, second)
	mustCommit(t, third, pureOf(t, "0.2"))
	l, _ := merged(t, ours, third)
	if s := l.Status(context.Background(), start); s.Spent.String() != "500000000000000" || s.Held.Sign() != 0 || l.Breach() != nil {
		t.Errorf("spent %s, held %s, breach %+v", s.Spent, s.Held, l.Breach())
	}
}

// tear cuts the end of the last line off.
func tear(t testing.TB, f *File) {
	t.Helper()
	info, err := os.Stat(f.Path)
	if err == nil {
		err = os.Truncate(f.Path, info.Size()-5)
	}
	if err != nil {
		t.Fatal(err)
	}
}
