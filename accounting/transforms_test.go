package accounting

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting/renyi"
	"epsiloscope/accounting/special"
)

// curveOnly forgets all of a release but its Rényi curve.
type curveOnly struct {
	Unsupported
	inner Release
}

func (c curveOnly) Key() string { return "curve only of " + c.inner.Key() }

func (c curveOnly) Renyi(alpha float64) (float64, error) { return c.inner.Renyi(alpha) }

// sampledRun returns a real sampled run: n randomized responses on one Poisson sample,
// (1−q)Q + qP against Q and back, over all outcomes of the run.
func sampledRun(epsilon, q float64, n int) (remove, add []special.Outcome) {
	for lies := 0; lies <= n; lies++ {
		logChoose := 0.0
		for i := range lies {
			logChoose += math.Log(float64(n-i)) - math.Log(float64(i+1))
		}
		logQ := logChoose - float64(n-lies)*special.Softplus(epsilon) - float64(lies)*special.Softplus(-epsilon)
		loss := special.LogMix(q, float64(n-2*lies)*epsilon)
		remove = append(remove, special.Outcome{LogQ: logQ, Loss: loss})
		add = append(add, special.Outcome{LogQ: logQ + loss, Loss: -loss})
	}
	return remove, add
}

// However a run of pure releases on one sample is described, its curve lies above
// that of the real thing, in both directions.
func TestSampledRunsAreCovered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		epsilon, q := drawLog(t, "ε", 1e-3, 3), drawLog(t, "q", 1e-4, 0.9)
		n := rapid.IntRange(1, 6).Draw(t, "n")
		alpha := 1 + drawLog(t, "α−1", 1e-3, 100)
		remove, add := sampledRun(epsilon, q, n)
		truth := math.Max(special.DiscreteRenyi(remove, alpha), special.DiscreteRenyi(add, alpha))
		run := []Entry{{PureDP(epsilon), float64(n)}}
		for name, r := range map[string]Release{
			"run":        Subsample(Composite(run), q),
			"curve only": Subsample(curveOnly{Unsupported{Label: "curve"}, Composite(run)}, q),
		} {
			v, err := r.Renyi(alpha)
			if err != nil || v < truth*(1-1e-9) {
				t.Errorf("%s: %g (%v), truth %g", name, v, err, truth)
			}
		}
		total, _, _ := Subsample(Composite(run), q).Approximate()
		if top := special.DiscreteRenyi(remove, math.Inf(1)); total < top*(1-1e-12) {
			t.Errorf("ε = %g, largest loss %g", total, top)
		}
	})
}

// One sampled pure release, where the mixture of two points is the exact answer.
func TestSampledPureIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		epsilon, q := drawLog(t, "ε", 1e-4, 5), drawLog(t, "q", 1e-4, 0.9)
		alpha := 1 + drawLog(t, "α−1", 1e-3, 100)
		remove, add := sampledRun(epsilon, q, 1)
		truth := math.Max(special.DiscreteRenyi(remove, alpha), special.DiscreteRenyi(add, alpha))
		v, err := Subsample(PureDP(epsilon), q).Renyi(alpha)
		if err != nil || math.Abs(v-truth) > 1e-9*truth || v < truth*(1-1e-9) {
			t.Errorf("%.15g (%v), want %.15g", v, err, truth)
		}
	})
}

// Gaussian noise is the one release whose group cost is known at every order.
func TestTriangleCoversTheGaussian(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mu, k := drawLog(t, "μ", 1e-3, 3), float64(rapid.IntRange(2, 9).Draw(t, "k"))
		alpha := 1 + drawLog(t, "α−1", 1e-3, 100)
		truth := alpha * k * k * mu * mu / 2
		bare := curveOnly{Unsupported{Label: "curve"}, GaussianDP(mu)}
		v, err := GroupPrivacy(bare, k).Renyi(alpha)
		if err != nil || v < truth*(1-1e-12) {
			t.Errorf("k=%g α=%g: %g (%v), truth %g", k, alpha, v, err, truth)
		}
		if exact, _ := GroupPrivacy(GaussianDP(mu), k).Renyi(alpha); math.Abs(exact-truth) > 1e-12*truth {
			t.Errorf("exact: %g, want %g", exact, truth)
		}
	})
}

func TestReplacedFollowsTheRule(t *testing.T) {
	epsilon, delta, err := AddRemoveToReplace(ApproximateDP(0.3, 1e-7)).Approximate()
	if err != nil {
		t.Fatal(err)
	}
	within(t, epsilon, 0.6, 1e-15)
	within(t, delta, (1+math.Exp(0.3))*1e-7, 1e-14)
	step := Subsample(GaussianDP(1), 0.01)
	a, _ := step.Renyi(4)
	b, err := AddRemoveToReplace(step).Renyi(4)
	if err != nil || b < 2*a {
		t.Errorf("replace costs %g (%v), add-remove %g", b, err, a)
	}
}

func TestSampledGaussianRunIsOneGaussian(t *testing.T) {
	run := Composite([]Entry{{GaussianDP(0.3), 4}, {GaussianDP(0.8), 1}})
	got, _ := Subsample(run, 0.1).Renyi(7)
	want, _ := Subsample(GaussianDP(1), 0.1).Renyi(7)
	within(t, got, want, 1e-12)
}

// Gaussian noise keeps all that is stated here. Somebody who sees a sampled answer above c knows
// more than any of the bounds may allow, at losses where e^ε is no longer a number too.
func TestSampledPromisesCoverNoiseBeyondFloats(t *testing.T) {
	const mu, q, delta = 45.0, 0.5, 1e-6
	rho := mu * mu / 2
	for name, r := range map[string]Release{
		"orders": Subsample(RenyiPoints([]RenyiPoint{{1.5, 1.5 * rho}, {2, 2 * rho}}), q),
		"ρ":      Subsample(ConcentratedDP(0, rho), q),
		"run":    Subsample(Composite([]Entry{{GaussianDP(mu), 1}, {ConcentratedDP(0, 1e-9), 1}}), q),
	} {
		for _, b := range ClosedForms(context.Background(), []Entry{{r, 1}}, Target{Delta: delta}) {
			if b.Method == Basic && b.Status != Valid {
				t.Errorf("%s: no basic bound: %s", name, b.Note)
			}
			if b.Status != Valid {
				continue
			}
			for c := 30.0; c < 50; c += 0.25 {
				drawn := q*special.NormalCDF(mu-c) + (1-q)*special.NormalCDF(-c)
				if seen := drawn - math.Exp(b.Epsilon+special.LogNormalCDF(-c)); seen > delta {
					t.Errorf("%s by %s: ε = %g, and above %g it is seen with δ = %g", name, b.Method, b.Epsilon, c, seen)
					break
				}
			}
		}
	}
}

// However rarely a record is drawn, its divergence falls with the square of the rate.
func TestSampledPureFallsWithTheSquareOfTheRate(t *testing.T) {
	for name, of := range map[string]func(q float64) Release{
		"own number for absence": func(q float64) Release { return SampledReplaceBy(PureDP(0.7), BoundedRangeDP(1), q) },
		"absent":                 func(q float64) Release { return Subsample(BoundedRangeDP(1), q) },
	} {
		most := 0.0
		for _, q := range []float64{1e-3, 1e-9} {
			rho, err := of(q).Concentrated()
			if scaled := rho / (q * q); most == 0 {
				most = 4 * scaled
			} else if err != nil || scaled > most {
				t.Errorf("%s at %g: ρ = %g (%v)", name, q, rho, err)
			}
		}
	}
}

func TestSamplingEnds(t *testing.T) {
	r := WithName(laplace(1), "Laplace")
	if Subsample(r, 1).Key() != r.Key() {
		t.Error("q = 1 is not the release itself")
	}
	for _, q := range []float64{0, -1, math.NaN()} { // a forgotten rate would make the release free
		if _, _, err := Subsample(r, q).Approximate(); err == nil {
			t.Errorf("the rate %v is taken", q)
		}
	}
	if GroupPrivacy(r, 1).Key() != r.Key() || Composite([]Entry{{r, 1}}).Key() != r.Key() {
		t.Error("a group of one, or a run of one, is not the release itself")
	}
}

// The points of a curve, and what lies between and beyond.
func TestRenyiPointsFollowTheChord(t *testing.T) {
	r := RenyiPoints([]RenyiPoint{{8, 2}, {2, 0.5}})
	for alpha, want := range map[float64]float64{1.5: 0.5, 2: 0.5, 5: (0.5*0.5 + 0.5*14) / 4, 8: 2, 9: math.Inf(1)} {
		if got, err := r.Renyi(alpha); err != nil || math.Abs(got-want) > 1e-15 {
			t.Errorf("α=%g: %g (%v), want %g", alpha, got, err, want)
		}
	}
	// Gaussian noise at two orders: the chord lies above the line.
	rapid.Check(t, func(t *rapid.T) {
		rho := drawLog(t, "ρ", 1e-6, 10)
		alpha := rapid.Float64Range(2, 32).Draw(t, "α")
		v, _ := RenyiPoints([]RenyiPoint{{2, 2 * rho}, {32, 32 * rho}}).Renyi(alpha)
		if v < alpha*rho*(1-1e-12) {
			t.Errorf("chord %g below %g", v, alpha*rho)
		}
	})
}

func TestLargestRatioIsAnUpperBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		epsilon, q := drawLog(t, "ε", 0.01, 6), drawLog(t, "q", 1e-3, 0.9)
		remove, _ := sampledRun(epsilon, q, 1)
		curve := func(alpha float64) float64 { return special.DiscreteRenyi(remove, alpha) }
		rho, most := renyi.LargestRatio(curve), 0.0
		for u := -8.0; u < 12; u += 0.05 {
			most = math.Max(most, curve(1+math.Exp(u))/(1+math.Exp(u)))
		}
		if rho < most || rho > most*1.003 {
			t.Errorf("ρ = %.9g, largest ratio on a grid %.9g", rho, most)
		}
	})
}

// Where a small loss is rare, D_α/α is largest far out, at α about ln(1/q)/ε.
func TestLargestRatioOfSmallLosses(t *testing.T) {
	for _, epsilon := range []float64{1e-10, 1e-14, 1e-16, 1e-60} {
		for _, q := range []float64{0.5, 1e-3, 1e-12} {
			r := RevealedSample(PureDP(epsilon), q)
			rho, _ := r.Concentrated()
			most := 0.0
			for u := -8.0; u < math.Log(1e3/epsilon); u += 0.05 {
				v, _ := r.Renyi(1 + math.Exp(u))
				most = math.Max(most, v/(1+math.Exp(u)))
			}
			if rho < most*(1-1e-12) || rho > most*1.2 {
				t.Errorf("ε = %g in one of %g: ρ = %.9g, largest ratio on a grid %.9g", epsilon, q, rho, most)
			}
		}
	}
}
