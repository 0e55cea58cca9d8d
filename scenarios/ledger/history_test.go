package ledger

import (
	"testing"
	"time"
)

func TestHistory(t *testing.T) {
	terms := basicTerms(1, 0)
	terms.Blocks = "day"
	f, clock := create(t, terms)
	ids := []string{}
	for range 5 {
		clock.add(time.Hour)
		ids = append(ids, mustReserve(t, f, pureOf(t, "0.1"), "monday"))
		mustReserve(t, f, pureOf(t, "0.05"), "tuesday")
	}
	if _, err := f.Cancel(ids[0], "never started"); err != nil {
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
