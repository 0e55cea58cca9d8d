package mechanisms

import (
	"math"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/param"
)

// ObjectivePerturbation adds a random linear term to the training objective of a
// regularised linear model (Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 2). It
// asks, beyond output perturbation, for |ℓ″| ≤ c, and for the exact minimiser.
type ObjectivePerturbation struct {
	Epsilon        float64
	N              float64 // records
	Regularization float64 // Λ
	Dimension      float64 // d
	Smoothness     float64 // c; ¼ for the logistic loss
}

var objectivePerturbationSpec = Spec{
	Name: "objective-perturbation", Title: "ERM, objective perturbation",
	Summary: "adds noise to the training objective of a linear model",
	Params:  append(ermParams(), positive("smoothness", "c", "bound on the second derivative of the loss; 1/4 for logistic regression", 0.25, 0.05)),
	build:   buildObjectivePerturbation,
	Source:  "Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 2",
	Notes: []string{
		"The slide asks for ε large enough that β > 0; below that the paper's fallback adds to the regulariser and spends ε/2 on the noise.",
		"In the utility lemmas f* is the minimiser of J, not its maximiser.",
		"It needs ‖x‖ ≤ 1, |ℓ′| ≤ 1, |ℓ″| ≤ c, a strongly convex regulariser and the exact minimiser. The number of records is public: the guarantee is for replacing a record.",
	},
}

func buildObjectivePerturbation(r reader) (Mechanism, error) {
	o := ObjectivePerturbation{
		Epsilon: r.number("epsilon"), N: r.number("n"), Regularization: r.number("regularization"),
		Dimension: r.number("dimension"), Smoothness: r.number("smoothness"),
	}
	if err := checkLoss("epsilon", o.Epsilon); err != nil {
		return nil, err
	}
	if s, extra := o.Scale(), o.Extra(); !(s > 0) || math.IsInf(s, 1) || math.IsInf(extra, 0) {
		return nil, param.Errorf("epsilon", "leaves noise beyond what a number can hold")
	}
	return o, nil
}

func (ObjectivePerturbation) Kind() string { return "objective-perturbation" }

// slack is what the Jacobian of the minimiser leaves of ε.
func (o ObjectivePerturbation) slack() float64 {
	return o.Epsilon - 2*math.Log1p(o.Smoothness/o.N/o.Regularization)
}

// fallback reports whether ε is too small for the regulariser as it is, so that the
// algorithm has to strengthen it.
func (o ObjectivePerturbation) fallback() bool { return !(o.slack() > 0) }

// NoiseEpsilon is ε′, the part of ε that the noise vector gets.
func (o ObjectivePerturbation) NoiseEpsilon() float64 {
	if o.fallback() {
		return o.Epsilon / 2
	}
	return o.slack()
}

// Extra is what the fallback adds to Λ: c/(n(e^{ε/4}−1)) − Λ; 0 without it.
func (o ObjectivePerturbation) Extra() float64 {
	if !o.fallback() {
		return 0
	}
	return math.Max(0, o.Smoothness/o.N/math.Expm1(o.Epsilon/4)-o.Regularization)
}

// Scale is the scale 1/β = 2/ε′ of the norm of the noise vector.
func (o ObjectivePerturbation) Scale() float64 { return 2 / o.NoiseEpsilon() }

func (o ObjectivePerturbation) Releases() []accounting.Entry {
	return once(pure("objective perturbation", o.Epsilon))
}

// Noise is the norm of the vector in the objective's linear term.
func (o ObjectivePerturbation) Noise() Noise { return gammaNoise(o.Dimension, o.Scale()) }

func (ObjectivePerturbation) sizePublic() {}

// Error is the norm of the noise in the objective, Gamma(d, 2/ε′).
func (o ObjectivePerturbation) Error(beta, count float64) (Accuracy, error) {
	return normError(o.Dimension, o.Scale(), beta, count)
}

// ExcessRisk bounds, with probability 1 − β, the same for objective perturbation:
// ‖b‖²/(Λn²), which is 4d²ln²(d/β)/(Λn²ε′²). The slide writes ε for ε′. Under the
// fallback Λ is the strengthened one, and J with it.
func (o ObjectivePerturbation) ExcessRisk(beta float64) float64 {
	norm := gammaTail(o.Dimension, o.Scale(), beta)
	return norm / o.N * norm / o.N / (o.Regularization + o.Extra())
}
