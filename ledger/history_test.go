package ledger

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"epsiloscope/accounting/adaptive"
)

func TestHistory(t *testing.T) {
	terms := basicTerms(1, 0)
	terms.Blocks = "weekday"
	f, clock := create(t, terms)
	ids := []string{}
	for range 5 {
		clock.add(time.Hour)
		ids = append(ids, mustReserve(t, f, pureOf(t, "0.1"), "monday"))
		mustReserve(t, f, pureOf(t, "0.05"), "tuesday")
	}
	if _, err := f.Cancel(ids[0], "never started", true); err != nil {
		t.Fatal(err)
	}
	l := mustRead(t, f)
	points, err := l.History("monday", 100)
	if err != nil {
		t.Fatal(err)
	}
	want := []int64{10, 9, 8, 7, 6, 5, 6} // tenths: the promise, five requests, one given back
	if len(points) != len(want) {
		t.Fatalf("%d points, want %d", len(points), len(want))
	}
	for i, p := range points {
		if got := p.Left.Int64() / 1e14; got != want[i] {
			t.Errorf("point %d: %d tenths are left, want %d", i, got, want[i])
		}
	}
	few, err := l.History("monday", 3)
	if err != nil || len(few) > 3 || few[0].Seq != 0 || few[len(few)-1].Seq != points[len(points)-1].Seq {
		t.Errorf("%v, %v", few, err)
	}
}

// However many kinds of releases there are, each stands once in what was spent.
func TestEverythingOnce(t *testing.T) {
	f, _ := create(t, basicTerms(1e6, 0))
	var once, twice []string
	for i := range 250 {
		entry := fmt.Sprintf("{mechanism: pure, epsilon: 0.%03d", i+1)
		once, twice = append(once, entry+"}"), append(twice, entry+", count: 2}")
	}
	mustReserve(t, f, scenarioOf(t, strings.Join(once, "\n  - ")))
	mustReserve(t, f, scenarioOf(t, strings.Join(twice, "\n  - ")))
	all, err := mustRead(t, f).SpentScenario("")
	if err != nil || len(all.Stack) != 250 {
		t.Fatalf("%d entries, %v", len(all.Stack), err)
	}
	for i, e := range all.Stack {
		if e.Count != 3 {
			t.Errorf("entry %d has the count %g", i+1, e.Count)
		}
	}
}

// looked counts how often a filter is asked how far sums have gone, which takes milliseconds
// where there are several orders.
type looked struct {
	adaptive.Filter
	times int
}

func (f *looked) Spent(sum adaptive.Cost) *big.Int {
	f.times++
	return f.Filter.Spent(sum)
}

// Reading adds up; it does not ask a filter about every record.
func TestReadingAddsUp(t *testing.T) {
	f, _ := create(t, zcdp())
	for range 5 {
		mustCommit(t, f, gaussian(t))
	}
	l := newLedger(f.Path)
	for i, r := range mustRead(t, f).Records {
		if err := l.replay(r); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			l.Filter = &looked{Filter: l.Filter}
		}
	}
	if n := l.Filter.(*looked).times; n > 0 {
		t.Errorf("the filter was asked %d times", n)
	}
}

// In a window a request looks at its own blocks: there may be as many others as records.
func TestOtherBlocksAreLeftAlone(t *testing.T) {
	terms := basicTerms(1, 0)
	terms.Blocks, terms.Window = "weekday", "168h"
	f, clock := create(t, terms)
	mustCommit(t, f, pureOf(t, "1"), "monday")
	clock.add(30 * 24 * time.Hour)
	mustCommit(t, f, pureOf(t, "1"), "tuesday")
	l := mustRead(t, f)
	if n := len(l.accounts["monday"].recent); n != 1 {
		t.Errorf("monday was looked at: it remembers %d", n)
	}
	if left := l.balance("monday").Left; left.Cmp(l.Filter.Budget()) != 0 {
		t.Errorf("monday has %s left", left)
	}
}

// A header with numbers that are none, or words that a terminal would obey, is refused.
func TestStrangeHeaders(t *testing.T) {
	for name, edit := range map[string]func(*Record){
		"rung":    func(r *Record) { r.Promise.Rungs = []string{"NaN"} },
		"weight":  func(r *Record) { r.Promise.Weights = []string{"-1"} },
		"alpha":   func(r *Record) { r.Promise.Alpha = "Inf" },
		"delta":   func(r *Record) { r.Promise.Delta = "one" },
		"blocks":  func(r *Record) { r.Promise.Blocks = "\x1b[2J" },
		"quota":   func(r *Record) { r.Promise.Quotas = map[string]string{"\u202e": "0.5"} },
		"follows": func(r *Record) { r.Follows = "\a" },
		"window":  func(r *Record) { r.Promise.Window = "-1h" },
	} {
		f, _ := create(t, zcdp())
		data := reseal(t, f, edit)
		if _, err := Parse(f.Path, data); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
