package risk

import (
	"context"
	"errors"
	"math"
	"testing"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/pld/spectrum"
	"epsiloscope/internal/gauge"
	"pgregory.net/rapid"
)

// Harm by enumeration: the outputs of K randomized responses with ε each are counted by the number of
// true answers, the tests are those of Neyman and Pearson. Nothing of the accountant is used.
type responses struct {
	p, q []float64 // probabilities of j true answers with the record, and without
}

func enumerate(k int, epsilon float64) responses {
	truth := math.Exp(epsilon) / (1 + math.Exp(epsilon))
	r := responses{make([]float64, k+1), make([]float64, k+1)}
	choose := 1.0
	for j := range k + 1 {
		r.p[j] = choose * math.Pow(truth, float64(j)) * math.Pow(1-truth, float64(k-j))
		r.q[j] = choose * math.Pow(1-truth, float64(j)) * math.Pow(truth, float64(k-j))
		choose *= float64(k-j) / float64(j+1)
	}
	return r
}

// power returns the largest power of a test of level alpha: outputs are accepted by falling likelihood
// ratio, the last of them with the probability that uses the level up.
func (r responses) power(alpha float64) float64 {
	power := 0.0
	for j := len(r.p) - 1; j >= 0; j-- {
		if r.q[j] >= alpha {
			return power + r.p[j]*alpha/r.q[j]
		}
		power, alpha = power+r.p[j], alpha-r.q[j]
	}
	return power
}

func (r responses) bayes(prior float64) (success float64) {
	for j := range r.p {
		success += math.Max(prior*r.p[j], (1-prior)*r.q[j])
	}
	return success
}

func (r responses) advantage() (sum float64) {
	for j := range r.p {
		sum += math.Max(0, r.p[j]-r.q[j])
	}
	return sum
}

func encloses(t interface {
	Helper()
	Errorf(string, ...any)
}, what string, e Ends, truth, width float64) {
	t.Helper()
	const slack = 1e-11 // of the enumeration
	if e.Lower > truth+slack || e.Upper < truth-slack {
		t.Errorf("%s: %.15g is not in [%.15g, %.15g]", what, truth, e.Lower, e.Upper)
	}
	if e.Upper-e.Lower > width*truth+1e-12 {
		t.Errorf("%s: [%.12g, %.12g] is wide", what, e.Lower, e.Upper)
	}
}

func TestHarmAgainstEnumeration(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 12).Draw(t, "k")
		epsilon := rapid.Float64Range(0.05, 2).Draw(t, "ε")
		x := rapid.Float64Range(1e-4, 0.999).Draw(t, "α, π")
		truth := enumerate(k, epsilon)
		curve := New([]pairs.Part{{Pair: pairs.Pure(epsilon), Count: float64(k)}})
		advantage, err := curve.Advantage(ctx)
		if err != nil {
			t.Fatal(err)
		}
		encloses(t, "advantage", advantage, truth.advantage(), 1e-6)
		tpr, err := curve.TruePositiveRate(ctx, x)
		if err != nil {
			t.Fatal(err)
		}
		encloses(t, "TPR", tpr, truth.power(x), 1e-3)
		bayes, err := curve.BayesSuccess(ctx, x)
		if err != nil {
			t.Fatal(err)
		}
		encloses(t, "Bayes success", bayes, truth.bayes(x), 1e-6)
	})
}

// drawParts draws a stack of few releases, symmetric or not.
func drawParts(t *rapid.T) (parts []pairs.Part) {
	number := func(name string, low, high float64) float64 { return rapid.Float64Range(low, high).Draw(t, name) }
	for range rapid.IntRange(1, 2).Draw(t, "entries") {
		part := pairs.Part{Count: float64(rapid.IntRange(1, 3).Draw(t, "count"))}
		switch rapid.IntRange(0, 5).Draw(t, "family") {
		case 0:
			part.Pair = pairs.Gaussian(number("μ", 0.05, 1.5))
		case 1:
			part.Pair = pairs.Laplace(number("ε", 0.05, 1.5))
		case 2:
			part.Pair = pairs.Pure(number("ε", 0.05, 1))
		case 3:
			part.Pair = pairs.Approximate(number("ε", 0.05, 1), number("δ", 1e-6, 0.02))
		case 4:
			part.Pair, part.Count = pairs.Subsample(number("q", 0.005, 0.4), pairs.Gaussian(number("μ", 0.2, 1.5))),
				float64(rapid.IntRange(1, 400).Draw(t, "steps"))
		case 5:
			part.Pair = pairs.DiscreteGaussian(number("σ", 0.5, 4), 1)
		}
		parts = append(parts, part)
	}
	return parts
}

// The invariants that hold for every stack: theory/risk.md, section 5. A relation between true values is compared on
// the ends that make it provable: the lower end of what is smaller, the upper end of what is larger.
func TestInvariants(t *testing.T) {
	ctx := context.Background()
	gauge.Check(t, gauge.Cases(12, 100), func(t *rapid.T) {
		parts := drawParts(t)
		curve := New(parts)
		check := func(e Ends, err error) Ends {
			if err != nil {
				t.Fatal(err)
			}
			if !(0 <= e.Lower && e.Lower <= e.Upper && e.Upper <= 1) {
				t.Errorf("ends %v", e)
			}
			return e
		}
		remove, add := check(curve.Delta(ctx, pld.WithRecord, 0)), check(curve.Delta(ctx, pld.WithoutRecord, 0))
		if remove.Lower > add.Upper || add.Lower > remove.Upper {
			t.Errorf("the advantage differs between the directions: %v, %v", remove, add)
		}
		delta := math.Pow(10, -rapid.Float64Range(2, 7).Draw(t, "−log δ"))
		ends, err := pld.Epsilon(ctx, parts, delta, pld.Options{})
		if err != nil {
			t.Fatal(err)
		}
		via := Approximate{ends.Upper, delta}
		if remove.Lower > via.Advantage() {
			t.Errorf("advantage %v, through ε %g", remove, via.Advantage())
		}
		level := func(name string) float64 { return math.Exp(-rapid.Float64Range(0.02, 7).Draw(t, name)) }
		a, b := level("α"), level("β")
		half := (a + b) / 2
		rate := map[float64]Ends{}
		for _, x := range []float64{a, b, half} {
			rate[x] = check(curve.TruePositiveRate(ctx, x))
			if rate[x].Lower < x {
				t.Errorf("TPR at %g: %v", x, rate[x])
			}
			if rate[x].Lower > via.TruePositiveRate(x) {
				t.Errorf("TPR at %g: %v, through ε %g", x, rate[x], via.TruePositiveRate(x))
			}
			if gain := rate[x].Lower - x; gain > remove.Upper+1e-12 {
				t.Errorf("TPR at %g gains %g over guessing, the advantage is %v", x, gain, remove)
			}
			bayes := check(curve.BayesSuccess(ctx, x))
			if bayes.Lower < math.Max(x, 1-x) || bayes.Lower > via.BayesSuccess(x) {
				t.Errorf("Bayes success at %g: %v, through ε %g", x, bayes, via.BayesSuccess(x))
			}
		}
		if mean := (rate[a].Lower + rate[b].Lower) / 2; rate[half].Upper < mean-1e-12 {
			t.Errorf("the TPR is not concave: %v between %v and %v", rate[half], rate[a], rate[b])
		}
		cleared := check(curve.TrueNegativeRate(ctx, a))
		if chained := check(curve.TruePositiveRate(ctx,
			math.Min(1-1e-9, cleared.Upper))); chained.Upper < rate[a].Lower {
			t.Errorf("TPR at the TNR at %g: %v, less than %v", a, chained, rate[a])
		}
	})
}

// A summary must hold between the points from which it was computed, in both directions.
func TestSummaryHoldsEverywhere(t *testing.T) {
	ctx := context.Background()
	for _, parts := range [][]pairs.Part{
		{{Pair: pairs.Subsample(0.01, pairs.Gaussian(1)), Count: 1000}},
		{{Pair: pairs.Laplace(1), Count: 1}},
		{{Pair: pairs.Pure(0.5), Count: 6}},
	} {
		curve := New(parts)
		before := Summary{Mu: math.Inf(1)}
		for _, delta0 := range []float64{1e-10, 1e-7, 1e-5} {
			s, ok, err := curve.Summarise(ctx, delta0)
			if err != nil || !ok {
				t.Fatal(s, ok, err)
			}
			if s.Mu > before.Mu {
				t.Errorf("μ rises with δ₀: %v after %v", s, before)
			}
			before = s
			for _, order := range []pld.Direction{pld.WithRecord, pld.WithoutRecord} {
				var epsilons []float64
				for k := range 97 {
					epsilons = append(epsilons, -3+float64(k)*0.0717)
				}
				lower, _, err := pld.NewDirectedCurve(parts, order).Profile(ctx, epsilons, pld.Options{Width: 1e-8})
				if err != nil {
					t.Fatal(err)
				}
				for i, e := range epsilons {
					gauss := 1 - math.Exp(e)*(1-gaussianDelta(s.Mu, -e))
					if e >= 0 {
						gauss = gaussianDelta(s.Mu, e)
					}
					if bound := delta0 + (1-delta0)*gauss; lower[i] > bound+1e-12 {
						t.Errorf("δ(%g) ≥ %g, (μ, δ₀) = (%g, %g) allows %g", e, lower[i], s.Mu, delta0, bound)
					}
				}
			}
		}
	}
}

// Gaussian noise alone is its own summary, and one that is found from points of its curve is next to it.
func TestSummaryOfGaussianNoise(t *testing.T) {
	for _, count := range gauge.Some(2, []float64{1, 2, 50}) {
		parts, mu := []pairs.Part{{Pair: pairs.Gaussian(0.5), Count: count}}, 0.5*math.Sqrt(count)
		for known, room := range map[float64]float64{0: 3 * openMu, mu: 1e-10} {
			curve := NewEnvelope(Stack{Alternatives: [][]pairs.Part{parts}, Gaussian: known})
			s, ok, err := curve.Summarise(context.Background(), 1e-10)
			if err != nil || !ok || s.Mu < mu*(1-1e-9) || s.Mu > mu*(1+room) || s.Regret > 1e-3 {
				t.Errorf("%g releases, known %t: %v, %t, %v, want μ = %g", count, known > 0, s, ok, err, mu)
			}
		}
	}
}

// μ(δ₀) falls in δ₀, whatever the stack: what holds except with a probability holds except with a larger one. On one
// curve it never rises; on two, which know δ at different ε, it may by what these leave open.
func TestSummaryFallsWithDelta0(t *testing.T) {
	ctx := context.Background()
	gauge.Check(t, gauge.Cases(3, 60), func(t *rapid.T) {
		parts := drawParts(t)
		exponent := rapid.Float64Range(2, 8).Draw(t, "−log δ₀")
		small := math.Pow(10, -exponent)
		large := small * math.Pow(10, rapid.Float64Range(0.1, 1.8).Draw(t, "log of the ratio"))
		one := New(parts)
		summarise := func(c *Curve, delta0 float64) (Summary, bool) {
			s, ok, err := c.Summarise(ctx, delta0)
			if err != nil {
				t.Fatal(err)
			}
			return s, ok
		}
		before, ok := summarise(one, small)
		if !ok {
			return // a failure probability above δ₀
		}
		after, ok := summarise(one, large)
		if !ok || after.Mu > before.Mu*(1+1e-6) { // vertices of nearly parallel lines are rounded
			t.Errorf("δ₀ = %g: μ = %g, and at %g %g (%v)", small, before.Mu, large, after.Mu, ok)
		}
		if alone, ok := summarise(New(parts), large); !ok || alone.Mu > before.Mu*1.05+1e-6 {
			t.Errorf("δ₀ = %g: μ = %g, and at %g by itself %g (%v)", small, before.Mu, large, alone.Mu, ok)
		}
	})
}

// gaussianDelta returns the profile of a Gaussian release by its definition: Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ).
func gaussianDelta(mu, epsilon float64) float64 {
	phi := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	return phi(mu/2-epsilon/mu) - math.Exp(epsilon)*phi(-mu/2-epsilon/mu)
}

func TestRiskRefuses(t *testing.T) {
	ctx := context.Background()
	curve := New([]pairs.Part{{Pair: pairs.Gaussian(1), Count: 1}})
	for _, x := range []float64{0, 1, -0.1, 1.1, math.NaN(), math.Inf(1)} {
		if e, err := curve.TruePositiveRate(ctx, x); err == nil || e.Upper != 1 {
			t.Errorf("TPR at %g: %v, %v", x, e, err)
		}
		if e, err := curve.BayesSuccess(ctx, x); err == nil || e.Upper != 1 {
			t.Errorf("Bayes success at %g: %v, %v", x, e, err)
		}
		if _, ok, err := curve.Summarise(ctx, x); err == nil || ok {
			t.Errorf("a summary with δ₀ = %g", x)
		}
		if a := (Approximate{x, x}); x < 0 || math.IsNaN(x) {
			if a.Advantage() != 1 || a.TruePositiveRate(0.1) != 1 || a.BayesSuccess(0.1) != 1 {
				t.Errorf("ε = δ = %g promises something", x)
			}
		}
	}
	if e, err := New([]pairs.Part{{Count: 1}}).Advantage(ctx); err == nil || e.Upper != 1 {
		t.Errorf("a stack without a pair: %v, %v", e, err)
	}
}

// A guarantee that the attacks on the stack refute is a fault, and no number is given.
func TestContradictionIsAFault(t *testing.T) {
	curve := NewEnvelope(Stack{
		Alternatives: [][]pairs.Part{{{Pair: pairs.Gaussian(1), Count: 1}}},
		Guarantees:   []Approximate{{Epsilon: 0.1, Delta: 0.01}}, // δ(0.1) is 0.35
	})
	ctx := context.Background()
	var contradiction *spectrum.ContradictionError
	if _, err := curve.Advantage(ctx); !errors.As(err, &contradiction) || contradiction.Stack == "" {
		t.Errorf("the advantage of contradicting bounds: %v", err)
	}
	if _, err := curve.DeltaAlone(ctx, pld.WithRecord, 0.1, 1e-4); !errors.As(err, &contradiction) {
		t.Errorf("δ of contradicting bounds: %v", err)
	}
}
