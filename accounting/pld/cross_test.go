package pld_test

import (
	"math"
	"testing"

	"epsiloscope/accounting/pld"
	"epsiloscope/internal/gauge"
)

// The spectrum against adding up losses one by one, direction by direction: they share nothing but the
// pairs, so where both have an answer the intervals overlap.
func cross(t *testing.T, from, to uint64) {
	directions, none, narrower, wide := 0, 0, 0, 0
	for seed := from; seed < to; seed++ {
		s := drawStack(seed)
		for d, both := range pld.BothWays(s.parts, s.delta, 1e-3) {
			spectrum, exact := both[0], both[1]
			directions++
			if math.IsNaN(spectrum.Lower+spectrum.Upper) || math.IsInf(spectrum.Lower, 1) {
				t.Errorf("stack %d, direction %d: [%g, %g]", seed, d, spectrum.Lower, spectrum.Upper)
			}
			if spectrum.Lower > exact.Upper*(1+1e-12)+1e-12 || exact.Lower > spectrum.Upper*(1+1e-12)+1e-12 {
				t.Errorf("stack %d, direction %d: spectrum [%.12g, %.12g], exact [%.12g, %.12g]\n\t%s, δ = %.17g",
					seed, d, spectrum.Lower, spectrum.Upper, exact.Lower, exact.Upper, s.text, s.delta)
			}
			switch {
			case math.IsInf(spectrum.Upper, 1) && !math.IsInf(exact.Upper, 1):
				none++
				t.Logf("stack %d, direction %d: no spectrum; %s", seed, d, s.text)
			case spectrum.Upper-spectrum.Lower <= exact.Upper-exact.Lower:
				narrower++
			}
			if s.tight && spectrum.Upper-spectrum.Lower > 1e-3*spectrum.Upper &&
				exact.Upper-exact.Lower < 1e-3*exact.Upper {
				wide++
				t.Logf("stack %d, direction %d: spectrum [%.9g, %.9g], exact [%.9g, %.9g], δ %.3g; %s", seed, d, spectrum.Lower, spectrum.Upper, exact.Lower, exact.Upper, s.delta, s.text)
			}
		}
	}
	t.Logf("%d directions; no spectrum %d; narrower than the exact %d; wide where the exact is not %d", directions, none, narrower, wide)
}

func TestSpectrumAgainstExact(t *testing.T) {
	gauge.Sequential(t)
	cross(t, uint64(gauge.Cases(2, 0)), uint64(gauge.Cases(5, 10)))
}

func TestSpectrumAgainstExactLong(t *testing.T) {
	if !gauge.Long() {
		t.Skip("set EPSILOSCOPE_LONG to run")
	}
	cross(t, 10, 2700)
}
