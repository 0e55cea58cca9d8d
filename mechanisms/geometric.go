package mechanisms

import "epsiloscope/accounting"

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
func (g Geometric) Releases() []accounting.Entry { return once(g) }
