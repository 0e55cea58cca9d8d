package ledger

import (
	"context"
	"os"
	"strings"
	"testing"

	"epsiloscope/scenarios/report"
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
	} else if l, err := Verify(context.Background(), ours.Path, other.Head()); err != nil {
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
