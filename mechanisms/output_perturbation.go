package mechanisms

import (
	"math"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/param"
)

// OutputPerturbation trains a regularised linear model and adds noise to its
// weights: a vector in a random direction with norm ~ Gamma(d, 2/(nΛε))
// (Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 1). It asks for ‖x‖ ≤ 1, a loss
// with |ℓ′| ≤ 1 and a 1-strongly convex regulariser.
type OutputPerturbation struct {
	Epsilon        float64
	N              float64 // records
	Regularization float64 // Λ
	Dimension      float64 // d
}

var outputPerturbationSpec = Spec{
	Name: "output-perturbation", Title: "ERM, output perturbation",
	Summary: "trains a linear model and adds noise to its weights",
	Params:  ermParams(),
	build:   buildOutputPerturbation,
	Source:  "Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 1",
	Notes: []string{
		"In the utility lemmas f* is the minimiser of J, not its maximiser, and the condition is ‖∇²N(f)‖ ≤ η, not ‖∇N(f)‖ ≤ η.",
		"It needs ‖x‖ ≤ 1, |ℓ′| ≤ 1, a strongly convex regulariser and the exact minimiser. The number of records is public: the guarantee is for replacing a record.",
	},
}

func buildOutputPerturbation(r reader) (Mechanism, error) {
	o := OutputPerturbation{
		Epsilon: r.number("epsilon"), N: r.number("n"),
		Regularization: r.number("regularization"), Dimension: r.number("dimension"),
	}
	if err := checkLoss("epsilon", o.Epsilon); err != nil {
		return nil, err
	}
	if s := o.Scale(); !(s > 0) || math.IsInf(s, 1) {
		return nil, param.Errorf("epsilon", "times n times regularization is beyond what a number can hold")
	}
	return o, nil
}

func (OutputPerturbation) Kind() string { return "output-perturbation" }

// Scale is the scale 1/β = 2/(nΛε) of the norm of the noise.
func (o OutputPerturbation) Scale() float64 { return 2 / o.N / o.Regularization / o.Epsilon }

func (o OutputPerturbation) Releases() []accounting.Entry {
	return once(pure("output perturbation", o.Epsilon))
}

// Noise is the norm of the vector added to the weights.
func (o OutputPerturbation) Noise() Noise { return gammaNoise(o.Dimension, o.Scale()) }

func (OutputPerturbation) sizePublic() {}

// Error is the norm of the noise on the weights.
func (o OutputPerturbation) Error(beta, count float64) (Accuracy, error) {
	return normError(o.Dimension, o.Scale(), beta, count)
}

// ExcessRisk bounds, with probability 1 − β, how much worse the noisy weights are
// than the best ones, in units of the regularised objective J (Chaudhuri,
// Monteleoni, Sarwate 2011, Lemma 15): 2d²(c/Λ + η)·ln²(d/β)/(Λn²ε²), with c a
// bound on the loss's second derivative and η one on ‖∇²N‖ of the regulariser N.
func (o OutputPerturbation) ExcessRisk(beta, smoothness, eta float64) float64 {
	norm := gammaTail(o.Dimension, o.Scale(), beta)
	return norm * norm * (smoothness + o.Regularization*eta) / 2
}
