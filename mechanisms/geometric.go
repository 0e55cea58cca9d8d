package mechanisms

import (
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
	renyi := func(alpha float64) float64 { return special.GeometricRenyi(g.Epsilon, g.Sensitivity, alpha) }
	return &exact{
		name: "Geometric", key: keyOf("geometric", g.Epsilon, g.Sensitivity), pure: g.Epsilon,
		renyi:   renyi,
		profile: func(epsilon float64) float64 { return special.GeometricProfile(g.Epsilon, g.Sensitivity, epsilon) },
		rho:     func() float64 { return renyi(1) },
		pair:    sync.OnceValue(func() pld.Pair { return pld.DiscreteLaplace(g.Scale(), int(g.Sensitivity)) }),
	}
}

func (g Geometric) releasesFor(k float64) []accounting.Entry {
	return once(Geometric{g.Epsilon * k, g.Sensitivity * k}.Release())
}

func (g Geometric) answers() (here, neighbour Noise) { return around(g.Noise(), g.Sensitivity) }
