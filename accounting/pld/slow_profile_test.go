package pld_test

import (
	"context"
	"testing"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
)

// The whole profile of a mixed stack, with a release that may fail and one that is
// sampled: at every ε the interval for δ meets the slow route's, and is narrow.
func TestProfileOfAMixedStack(t *testing.T) {
	one := adjacency{group: 1}
	var s stack
	s.add(gaussianLine(1).under(one, 1), 1)
	s.add(laplaceLine(0.7).under(one, 1), 1)
	s.add(laplaceLine(2).under(one, 0.2), 1)
	s.add(general{pairs.Approximate(0.3, 1e-7), promised(0.3, 1e-7), nil, ""}.under(one, 1), 1)
	epsilons := gauge.Some(3, []float64{0, 0.5, 1, 2, 4, 6, 8})
	lower, upper, err := pld.Profile(context.Background(), s.parts, epsilons, pld.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range epsilons {
		s.delta = upper[i]
		least, most := s.truth(2000, 800)(e)
		if lower[i] > most || upper[i] < least || upper[i] > 1.1*most {
			t.Errorf("at %g: [%g, %g], slow route [%g, %g]", e, lower[i], upper[i], least, most)
		}
		if most > least*1.005 {
			t.Errorf("at %g: the slow route is blunt: [%g, %g]", e, least, most)
		}
	}
}
