package report

import (
	"math"
	"strconv"
)

// Odds writes a probability as a natural frequency, which people read better than
// a percentage (Nanayakkara et al. 2023): "17 in 100". It is rounded up, so that a
// bound stays one, and finer near 0 and 1.
func Odds(p float64) string {
	switch {
	case math.IsNaN(p):
		return "–"
	case p <= 0:
		return "none"
	case p >= 1:
		return "certainty"
	}
	return odds(p, math.Ceil)
}

// OddsDown is [Odds] rounded down, for a lower bound.
func OddsDown(p float64) string {
	if !(p > 0 && p < 1) {
		return Odds(p)
	}
	return odds(p, math.Floor)
}

func odds(p float64, round func(float64) float64) string {
	for _, of := range []float64{100, 1000, 10_000, 100_000, 1e6} {
		n := round(p * of)
		if near := math.Round(p * of); math.Abs(p*of-near) < 1e-9 {
			n = near // a whole number up to round-off
		}
		fine := n >= 10 || math.Abs(p*of-math.Round(p*of)) < 1e-6*p*of && n >= 1
		if fine && n < of {
			return frequency(n) + " in " + frequency(of)
		}
	}
	if p > 0.5 {
		return "all but certainty"
	}
	return "less than 10 in 1,000,000"
}

// frequency writes a whole number with its thousands apart.
func frequency(x float64) string {
	s := strconv.FormatFloat(x, 'f', 0, 64)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
