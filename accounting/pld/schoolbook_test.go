package pld

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Copies of a law on two points are binomial; so they are where most of the mass is
// 1e-200, and whichever way they are multiplied out.
func TestPowerIsBinomial(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := math.Exp(-rapid.Float64Range(0.01, 60).Draw(t, "−ln p"))
		count := float64(rapid.IntRange(1, 8).Draw(t, "copies"))
		one := strip{first: rapid.IntRange(-5, 5).Draw(t, "first"), p: make([]float64, rapid.IntRange(2, 40).Draw(t, "length"))}
		distance := len(one.p) - 1
		one.p[0], one.p[distance] = 1-p, p
		work := &labour{left: 1e9}
		all := work.power(one, count, charged)
		if want := int(count) * one.first; all.first > want {
			t.Fatalf("starts at %d, want %d", all.first, want)
		}
		for k := 0.0; k <= count; k++ {
			want := choose(count, k) * math.Pow(p, k) * math.Pow(1-p, count-k)
			got := all.p[int(k)*distance+int(count)*one.first-all.first]
			if math.Abs(got-want) > 1e-13*want {
				t.Fatalf("%g successes: %g, want %g", k, got, want)
			}
		}
	})
}

// What is cut off is accounted for: all mass is still there, or has been dropped.
func TestTrim(t *testing.T) {
	full := strip{first: 3, p: []float64{1e-9, 0.25, 0.5, 0.25, 2e-9, 1e-9}, lost: 0.125}
	for _, c := range []struct {
		to    fate
		lost  float64
		first float64 // mass of the first point left
	}{
		{raised, 0.125 + 3e-9, 0.25 + 1e-9},
		{dropped, 0.125, 0.25},
		{charged, 0.125 + 4e-9, 0.25},
	} {
		copied := full
		copied.p = append([]float64(nil), full.p...)
		got := copied.trim(3.5e-9, c.to)
		if got.first != 4 || len(got.p) != 3 {
			t.Errorf("fate %d: points %d to %d", c.to, got.first, got.first+len(got.p)-1)
		}
		if math.Abs(got.lost-c.lost) > 1e-15 || math.Abs(got.p[0]-c.first) > 1e-15 {
			t.Errorf("fate %d: lost %.12g, first %.12g; want %.12g, %.12g", c.to, got.lost, got.p[0], c.lost, c.first)
		}
	}
}

// It gives up when the work is too much, and says so.
func TestLabourGivesUp(t *testing.T) {
	long := strip{p: make([]float64, 1000)}
	for i := range long.p {
		long.p[i] = 1e-3
	}
	work := &labour{left: 1e6}
	work.power(long, 1000, dropped)
	if work.left >= 0 {
		t.Errorf("%g products left of a million", work.left)
	}
}

// Four rows at a time is the same as one by one, whatever the lengths and the zeros.
func TestTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) strip {
			p := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, 0.25, 3e-17, 7e-200}), 1, 23).Draw(t, name)
			return strip{first: rapid.IntRange(-9, 9).Draw(t, "first"), p: p}
		}
		a, b := draw("a"), draw("b")
		got := (&labour{left: 1e9}).times(a, b)
		size := len(a.p) + len(b.p) - 1
		if a.points() == 0 || b.points() == 0 { // of nothing one point is enough
			size = 1
		}
		if got.first != a.first+b.first || len(got.p) != size {
			t.Fatalf("%d points from %d", len(got.p), got.first)
		}
		for k, p := range got.p {
			want := 0.0
			for i, x := range a.p {
				if j := k - i; j >= 0 && j < len(b.p) {
					want += x * b.p[j]
				}
			}
			if math.Abs(p-want) > 1e-14*want {
				t.Fatalf("point %d: %g, want %g", k, p, want)
			}
		}
	})
}
