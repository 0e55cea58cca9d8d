package ledger

import (
	"context"
	"strings"
	"testing"
	"time"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/scenarios"
)

func periodOf(t *testing.T, l *Ledger, p Period, now time.Time) string {
	t.Helper()
	st, err := l.Statement(context.Background(), p, now)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range st.Facts {
		if f.Name == "Period" {
			return f.Text
		}
	}
	return ""
}

// The block that has least left need not be the one that took most in a period.
func TestPeriodOfTheBlockThatTookMost(t *testing.T) {
	terms := basicTerms(3, 0)
	terms.Blocks = "part"
	f, clock := create(t, terms)
	mustCommit(t, f, pureOf(t, "0.3"), "a")
	clock.add(24 * time.Hour)
	mustCommit(t, f, pureOf(t, "0.2"), "b")
	text := periodOf(t, mustRead(t, f), Period{From: start.Add(time.Hour)}, clock.now)
	if !strings.Contains(text, "1 request: epsilon, Σε 0.2, in the block b, which took most; given all earlier releases it adds at most ε = 0.2000") {
		t.Error(text)
	}
}

// A release is made between its reserve and its commit: one that was held when the period
// began may have been made in it, one that is held still may yet be.
func TestPeriodOfWhatWasHeld(t *testing.T) {
	f, clock := create(t, basicTerms(3, 0))
	mustCommit(t, f, pureOf(t, "0.1")) // over before the period
	id := mustReserve(t, f, pureOf(t, "0.3"))
	mustReserve(t, f, pureOf(t, "0.5"))
	clock.add(24 * time.Hour)
	if _, err := f.Commit(id, nil, ""); err != nil {
		t.Fatal(err)
	}
	clock.add(24 * time.Hour)
	mustCommit(t, f, pureOf(t, "0.7")) // after it
	p := Period{From: start.Add(time.Hour), To: start.Add(30 * time.Hour)}
	if text := periodOf(t, mustRead(t, f), p, clock.now); !strings.Contains(text, "2 requests: epsilon, Σε 0.8;") {
		t.Error(text)
	}
	if _, err := mustRead(t, f).Statement(context.Background(), Period{From: p.To, To: p.From}, clock.now); err == nil {
		t.Error("a period that ends before it starts")
	}
}

// When a release was made that is charged again is not in the file: it may have been in any
// period before.
func TestPeriodOfWhatIsChargedAgain(t *testing.T) {
	f, clock := create(t, basicTerms(3, 0))
	id := mustReserve(t, f, pureOf(t, "0.3"))
	mustCancel(t, f, id)
	clock.add(48 * time.Hour)
	l, err := f.Commit(id, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	if text := periodOf(t, l, Period{To: start.Add(time.Hour)}, clock.now); !strings.Contains(text, "1 request: epsilon, Σε 0.3;") {
		t.Error(text)
	}
}

// Of two kinds of tickets a block may have used up one and be on a higher rung than the
// block that has spent more of them: what may be quoted is the highest rung of all.
func TestOdometerOfEveryBlock(t *testing.T) {
	two := func(counts ...string) *scenarios.Scenario {
		return scenarioOf(t, "{mechanism: gaussian, sigma: 5, count: "+counts[0]+"}\n  - {mechanism: gaussian, sigma: 6, count: "+counts[1]+"}")
	}
	f := NewFile(t.TempDir() + "/two.ledger")
	f.now = func() time.Time { return start }
	f.NewBlocks = true
	if _, err := f.Create(context.Background(), opening(Promise{Filter: adaptive.Plan, Delta: "1e-5", Blocks: "part"}),
		two("10", "10"), 2); err != nil {
		t.Fatal(err)
	}
	mustReserve(t, f, two("5", "5"), "a")
	mustReserve(t, f, scenarioOf(t, "{mechanism: gaussian, sigma: 5, count: 6}"), "b")
	l := mustRead(t, f)
	s := l.Status(context.Background(), start)
	if s.Block != "a" || s.Odometer == nil || *s.Odometer != l.terms.Rungs[1] {
		t.Errorf("block %s, odometer %v of %v", s.Block, *s.Odometer, l.terms.Rungs)
	}
}

// Sums of several orders grow in different ways, and a request may change which block
// binds: here from a, which has used up much of the low order, to b, which has only that.
func TestTheBlockThatBindsMayChange(t *testing.T) {
	f, _ := create(t, Promise{Filter: adaptive.Mixture, Epsilon: "20", Delta: "1e-6", Orders: []string{"2", "16"}, Blocks: "part"})
	pure := scenarioOf(t, "{mechanism: laplace, epsilon: 3}")
	for range 4 {
		mustCommit(t, f, pure, "a")
	}
	mustCommit(t, f, scenarioOf(t, "{mechanism: gaussian, sigma: 0.8, sampling: {rate: 0.001}, count: 1050000}"), "b")
	if s := mustRead(t, f).Status(context.Background(), start); s.Block != "a" {
		t.Fatalf("%s binds", s.Block)
	}
	mustCommit(t, f, pure, "a", "b")
	l, err := Verify(context.Background(), f.Path, "")
	if err != nil {
		t.Fatal(err)
	}
	if s := l.Status(context.Background(), start); s.Block != "b" {
		t.Errorf("%s binds", s.Block)
	}
}

// Releases that cannot stand in one scenario can be stated all the same.
func TestStatementOfDifferentRecords(t *testing.T) {
	f, _ := create(t, zcdp())
	s := gaussian(t)
	mustReserve(t, f, s)
	s.Records = 1000
	mustReserve(t, f, s)
	if _, err := mustRead(t, f).Statement(context.Background(), Period{}, start); err != nil {
		t.Error(err)
	}
}

// What releases nothing is a mistake, not something of which any number fits.
func TestNothingToGrant(t *testing.T) {
	f, _ := create(t, zcdp())
	s := gaussian(t)
	s.Stack[0].Disabled = true
	if a, err := mustRead(t, f).Ask(s, nil, "", start); err == nil || !strings.Contains(err.Error(), "nothing is on its stack") {
		t.Errorf("%+v, %v", a, err)
	}
}
