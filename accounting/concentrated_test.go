package accounting_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting"
)

func boundBy(m accounting.Method, delta float64, stack ...accounting.Entry) accounting.Bound {
	return accounting.Evaluate(context.Background(), m, stack, accounting.Target{Delta: delta})
}

// Bun & Steinke 2016, Definition 1.1 and Lemma 1.7: D_α ≤ ξ + αρ, and both add up.
func TestConcentratedWithOffset(t *testing.T) {
	of := accounting.Entry{Release: accounting.ConcentratedDP(0.1, 0.05), Count: 3}
	plain := accounting.Entry{Release: accounting.ConcentratedDP(0, 0.05), Count: 3}
	for _, m := range []accounting.Method{accounting.ZCDP, accounting.ZCDPClassic, accounting.RDP} {
		with, without := boundBy(m, 1e-6, of), boundBy(m, 1e-6, plain)
		if with.Status != accounting.Valid || math.Abs(with.Epsilon-without.Epsilon-0.3) > 1e-6 {
			t.Errorf("%s: ε = %v, without ξ %v", m, with.Epsilon, without.Epsilon)
		}
	}
	// By hand: 0.3 + 0.15 + 2√(0.15 ln 10⁶).
	if got, want := boundBy(accounting.ZCDPClassic, 1e-6,
		of).Epsilon, 0.45+2*math.Sqrt(0.15*math.Log(1e6)); math.Abs(got-want) > 1e-9 {
		t.Errorf("classic: %v, by hand %v", got, want)
	}
	for _, alpha := range []float64{1, 2, 7.5} {
		if r, err := of.Release.Renyi(alpha); err != nil || math.Abs(r-0.1-0.05*alpha) > 1e-15 {
			t.Errorf("D_%v ≤ %v, %v", alpha, r, err)
		}
	}
	named := accounting.Entry{Release: accounting.WithName(of.Release, "noisy answers"), Count: 3}
	if a, b := boundBy(accounting.ZCDP, 1e-6, named).Epsilon, boundBy(accounting.ZCDP, 1e-6, of).Epsilon; a != b {
		t.Errorf("a name changes ε from %v to %v", b, a)
	}
	for _, bad := range [][2]float64{{-1, 1}, {math.NaN(), 1}, {math.Inf(1), 1}, {1, -1}} {
		if b := boundBy(accounting.ZCDP, 1e-6,
			accounting.Entry{Release: accounting.ConcentratedDP(bad[0], bad[1]), Count: 1}); b.Finite() {
			t.Errorf("ξ, ρ = %v: %v", bad, b.Epsilon)
		}
	}
}

// Randomized response of ε = ξ beside Gaussian noise of ρ is a (ξ, ρ)-zCDP release. What
// the numerical accountant certifies of that very pair is never above what is said of all
// such releases, in groups too.
func TestOffsetIsNeverBelowWhatIsAttained(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xi, rho := rapid.Float64Range(0.01, 1).Draw(t, "xi"), rapid.Float64Range(0.001, 0.5).Draw(t, "rho")
		k, group := float64(rapid.IntRange(1, 20).Draw(t, "k")), float64(rapid.IntRange(1, 3).Draw(t, "group"))
		delta := rapid.SampledFrom([]float64{1e-3, 1e-6}).Draw(t, "delta")
		stated := accounting.Entry{Release: accounting.GroupPrivacy(accounting.ConcentratedDP(xi, rho), group),
			Count: k}
		attained := boundBy(accounting.Numerical, delta,
			// of one record, which a group is at least as bad as
			accounting.Entry{Release: accounting.PureDP(xi), Count: k},
			accounting.Entry{Release: accounting.GaussianDP(group * math.Sqrt(2*rho)), Count: k})
		for _, m := range []accounting.Method{accounting.ZCDP, accounting.ZCDPClassic, accounting.RDP} {
			if b := boundBy(m, delta, stated); b.Finite() && b.Epsilon < attained.Lower {
				t.Fatalf("%s says %v, attained %v", m, b.Epsilon, attained.Lower)
			}
		}
		for _, e := range []float64{0.1, 1, 3} {
			p, err := accounting.ConcentratedDP(xi, rho).Profile(e)
			lower, _, derr := accounting.DeltaAt(context.Background(),
				[]accounting.Entry{{Release: accounting.PureDP(xi), Count: 1},
					{Release: accounting.GaussianDP(math.Sqrt(2 * rho)), Count: 1}}, e, 1e-2)
			if err != nil || derr != nil || p < lower {
				t.Fatalf("δ(%v) = %v, attained %v (%v, %v)", e, p, lower, err, derr)
			}
		}
	})
}
