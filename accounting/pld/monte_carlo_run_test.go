package pld_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"epsiloscope/accounting/pld"
	"epsiloscope/internal/gauge"
)

// played returns the curve of a stack as far as experiments know it, in the worse
// direction: between confidence limits.
func played(w world, delta float64, draws int, seed uint64) (curve, error) {
	releases := 0
	for _, l := range w {
		releases += l.count
	}
	var both [2]experiment
	for i := range both {
		both[i] = w.play(i == 1, delta, max(2000, draws/releases), 2*seed+uint64(i))
		if !both[i].sound {
			return nil, fmt.Errorf("a staircase lies below its density")
		}
	}
	return func(epsilon float64) (lower, upper float64) {
		for _, e := range both {
			l, u := e.limits(epsilon)
			lower, upper = math.Max(lower, l), math.Max(upper, u)
		}
		return lower, upper
	}, nil
}

// crowd returns a mixed stack of hundreds to thousands of releases, number seed: always the
// same. Every line is tight, so that an experiment can judge both ends.
func crowd(seed uint64) stack {
	r := rand.New(rand.NewPCG(seed, 11))
	s := stack{delta: math.Exp(logBetween(r, 1e-25, 1e-2))}
	for range 2 + r.IntN(3) {
		count := math.Floor(math.Exp(logBetween(r, 100, 1500)))
		e := math.Exp(logBetween(r, 0.2, 3)) / math.Sqrt(count)
		s.add(drawRelease(r, e, s.delta/count*1e-3, adjacency{group: 1}), int(count))
	}
	return s
}

// checkCrowd plays a crowd and returns how far an interval may be off, as a factor,
// before the experiment notices.
func checkCrowd(t *testing.T, seed uint64, draws int) (power float64) {
	s := crowd(seed)
	describe := fmt.Sprintf("crowd %d: %s δ = %.17g", seed, s.text, s.delta)
	i, err := pld.Epsilon(context.Background(), s.parts, s.delta, s.option)
	if err != nil {
		t.Errorf("%s: %v", describe, err)
		return math.Inf(1)
	}
	truth, err := played(s.worlds[0], s.delta, draws, seed)
	if err != nil {
		t.Fatalf("%s: %v", describe, err)
	}
	if err := truth.contradicts(i, s); err != nil {
		t.Errorf("%s: %v", describe, err)
	}
	if err := s.tooWide(i); err != nil {
		t.Errorf("%s: %v", describe, err)
	}
	for power = 0.001; power < 0.5; power *= 1.1 {
		low := pld.Interval{Lower: 0, Upper: i.Upper * (1 - power)}
		high := pld.Interval{Lower: i.Lower * (1 + power), Upper: math.Inf(1)}
		if truth.contradicts(low, s) != nil && truth.contradicts(high, s) != nil {
			break
		}
	}
	t.Logf("%s: [%.6g, %.6g], an error of %.2g %% would be seen", describe, i.Lower, i.Upper, 100*power)
	return power
}

// On stacks too large to list, the noise itself is drawn, and δ at either end of the
// interval measured: it must not lie on the wrong side with certainty. The experiments
// are worth something: an interval that is a few percent off is noticed.
func TestNeverBelowPlayed(t *testing.T) {
	for seed := range uint64(gauge.Cases(1, 3)) {
		if power := checkCrowd(t, seed, 3_000_000); power > 0.05 {
			t.Errorf("crowd %d: an interval %.2g %% off would not be noticed", seed, 100*power)
		}
	}
}

func TestNeverBelowPlayedLong(t *testing.T) {
	if !gauge.Long() {
		t.Skip("set EPSILOSCOPE_LONG to run")
	}
	worst := 0.0
	const crowds = 100
	for seed := range uint64(crowds) {
		worst = math.Max(worst, checkCrowd(t, 1000+seed, 10_000_000))
	}
	t.Logf("%d crowds; an error of %.2g %% would be seen in any of them", crowds, 100*worst)
}
