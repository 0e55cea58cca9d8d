package mechanisms

import (
	"math"
	"sync"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/special"
)

// Geometric adds integer noise with mass ∝ e^{−|x|/b}, b = Δ/ε: the discrete
// Laplace mechanism (Ghosh, Roughgarden, Sundararajan 2009). With Δ = 1 its loss
// takes only the values ±ε, so it costs what randomized response costs: more than
// the continuous Laplace of the same ε under every theorem but basic.
type Geometric struct {
	Epsilon     float64 // > 0
	Sensitivity float64 // a whole number ≥ 1
}

var geometricSpec = Spec{
	Name: "geometric", Title: "Geometric (discrete Laplace)",
	Summary: "adds two-sided geometric noise to whole-number answers",
	Params: []Param{
		optional(epsilonParam("privacy loss of one answer")),
		scaleParam(),
		latticeSensitivityParam(),
	},
	Alternatives: []Alternative{{Sets: [][]string{{"epsilon"}, {"scale"}}}},
	Source:       "Ghosh, Roughgarden, Sundararajan 2009",
	Notes: []string{
		"With sensitivity 1 it is exactly randomized response in what it gives away: figures for continuous Laplace noise are too small for it.",
	},
}

func init() { geometricSpec.Build = buildGeometric }

func buildGeometric(v Values) (Mechanism, error) {
	r := reader{&geometricSpec, v}
	epsilon, err := r.epsilonOrScale()
	if err != nil {
		return nil, err
	}
	return Geometric{Epsilon: epsilon, Sensitivity: r.number("sensitivity")}, nil
}

// Kind is "geometric".
func (Geometric) Kind() string { return "geometric" }

// Scale is b.
func (g Geometric) Scale() float64 { return g.Sensitivity / g.Epsilon }

// Releases is one release.
func (g Geometric) Releases() []accounting.Entry { return once(g.Release()) }

// Release is one answer. With Δ = 1 its loss is ±ε as in randomized response, and
// it is interchangeable with any other release of which that is the worst case. Its
// ρ is tight: the largest r(α)/α is at α = 1.
func (g Geometric) Release() accounting.Release {
	if g.Sensitivity == 1 {
		return accounting.Named(accounting.PureDP(g.Epsilon), "Geometric")
	}
	renyi := func(alpha float64) float64 { return geometricRenyi(g.Epsilon, g.Sensitivity, alpha) }
	return &exact{
		name: "Geometric", key: keyOf("geometric", g.Epsilon, g.Sensitivity), pure: g.Epsilon,
		renyi:   renyi,
		profile: func(epsilon float64) float64 { return geometricProfile(g.Epsilon, g.Sensitivity, epsilon) },
		rho:     func() float64 { return renyi(1) },
		pair:    sync.OnceValue(func() pld.Pair { return pld.DiscreteLaplace(g.Scale(), int(g.Sensitivity)) }),
	}
}

// geometricRenyi sums the lattice in closed form. With s = α−1, x = ε/(2Δ) half the
// step of the noise's exponent, T = tanh x and τ = tanh 2sx,
//
//	e^{sD} − 1 = λ + (1−d)·R(sε) + d·R(−αε),  R(z) = e^z − 1 − z,
//	d = ½·τ·sech²x/(T+τ),  λ = ½ε·(α′T²τ − 2s(x−T) + 2sx − τ)/(T+τ),  α′ = 1+2s:
//
// the geometric sums on either side and between, with the linear terms of the
// exponentials taken together. As Δ grows λ vanishes and Laplace's formula is left;
// at Δ = 1 it is randomized response's.
func geometricRenyi(epsilon, sensitivity, alpha float64) float64 {
	s, x := alpha-1, epsilon/(2*sensitivity)
	t := math.Tanh(x)
	sech := 1 / math.Cosh(math.Min(x, 700))
	if s <= 0 {
		slope := x * sech * sech / t
		return epsilon*(x*t*t-tanhDeficit(x))/t + slope*special.ExpRemainder(-epsilon)
	}
	tau := math.Tanh(2 * s * x)
	d := 0.5 * tau * sech * sech / (t + tau)
	lambda := 0.5 * epsilon * ((1+2*s)*t*t*tau - 2*s*tanhDeficit(x) + tanhDeficit(2*s*x)) / (t + tau)
	sum := special.LogAdd(math.Log(math.Max(0, lambda)), math.Log1p(-d)+special.LogExpRemainder(s*epsilon))
	sum = special.LogAdd(sum, math.Log(d)+special.LogExpRemainder(-alpha*epsilon))
	return special.Softplus(sum) / s
}

// tanhDeficit is x − tanh x for x ≥ 0, without cancellation.
func tanhDeficit(x float64) float64 {
	if x > 0.3 {
		return x - math.Tanh(x)
	}
	// (x cosh x − sinh x)/cosh x, the numerator as Σ x^{2k+1}·2k/(2k+1)!.
	sum, term := 0.0, x
	for k := 1.0; k <= 9; k++ {
		term *= x * x / (2 * k * (2*k + 1))
		sum += 2 * k * term
	}
	return sum / math.Cosh(x)
}

// geometricProfile is δ(t): outcomes up to m, where the loss (Δ−2m)/b still reaches
// t, count. With r = e^{−1/b} it is 1 − (r^{m+1} + e^t·r^{Δ−m})/(1+r).
func geometricProfile(epsilon, sensitivity, t float64) float64 {
	if t >= epsilon {
		return 0
	}
	if t < -epsilon {
		return -math.Expm1(t)
	}
	step := epsilon / sensitivity
	m := math.Floor((sensitivity - t/step) / 2)
	r := math.Exp(-step)
	low := t - (sensitivity-m-1)*step
	last := -r * math.Expm1(low)
	if low > 1 { // where r may be 0 and the other factor infinite
		last = r - math.Exp(low-step)
	}
	return math.Max(0, (last-math.Expm1(-(m+1)*step))/(1+r))
}

func (g Geometric) releasesFor(k float64) []accounting.Entry {
	return once(Geometric{g.Epsilon * k, g.Sensitivity * k}.Release())
}

func (g Geometric) answers() (here, neighbour Noise) { return around(g.Noise(), g.Sensitivity) }
