package risk

import (
	"math"
	"testing"
)

// A chord through two points one unit in the last place apart, extended, lies below a convex δ: ε of 0.1 are closer to
// each other than their exponentials, whose difference is then mostly rounding.
func TestChordsOfNeighbours(t *testing.T) {
	const largest, mass = 0.3, 0.4
	delta := func(epsilon float64) float64 { // mass of Q at the largest loss, and nothing else above ε
		return mass * math.Exp(epsilon) * math.Max(0, math.Expm1(largest-epsilon))
	}
	tried := 0
	for epsilon := 0.05; epsilon < 0.299; epsilon += 0.0007 {
		s := side{epsilon: []float64{epsilon, math.Nextafter(epsilon, 1)}}
		for _, e := range s.epsilon {
			s.lower = append(s.lower, delta(e)*(1-0x1p-51))
			s.upper = append(s.upper, delta(e)*(1+0x1p-51))
		}
		for from, beyond := range map[int]float64{0: epsilon + 1e-3, 1: epsilon - 1e-3} {
			line, ok := s.extension(from, 1-from)
			if !ok {
				continue
			}
			tried++
			if got, want := line.lowerAt(math.Exp(beyond)), delta(beyond); got > want*(1+1e-12) {
				t.Errorf("from %v δ(%g) is said to be at least %g, and is %g", s.epsilon, beyond, got, want)
			}
		}
	}
	if tried < 100 {
		t.Errorf("%d chords only", tried)
	}
}
