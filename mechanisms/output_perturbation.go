package mechanisms

import (
	"math"

	"epsiloscope/accounting"
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
	Source:  "Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 1",
	Notes: []string{
		"In the utility lemmas f* is the minimiser of J, not its maximiser, and the condition is ‖∇²N(f)‖ ≤ η, not ‖∇N(f)‖ ≤ η.",
		"It needs ‖x‖ ≤ 1, |ℓ′| ≤ 1, a strongly convex regulariser and the exact minimiser. The number of records is public: the guarantee is for replacing a record.",
	},
}

func init() { outputPerturbationSpec.Build = buildOutputPerturbation }

func ermParams() []Param {
	return []Param{
		epsilonParam("privacy loss of the trained model"),
		sizeParam("n", "how many records the model is trained on"),
		{
			Name: "regularization", Symbol: "Λ", Help: "weight of the regulariser", Type: Number,
			Min: 0, OpenMin: true, Max: math.Inf(1), Required: true, Initial: NumberValue(0.01), Step: 1.1, Log: true,
		},
		{
			Name: "dimension", Symbol: "d", Help: "how many weights the model has", Type: Whole,
			Min: 1, Max: 1e9, Required: true, Initial: WholeValue(10), Step: 1,
		},
	}
}

func buildOutputPerturbation(v Values) (Mechanism, error) {
	r := reader{&outputPerturbationSpec, v}
	o := OutputPerturbation{
		Epsilon: r.number("epsilon"), N: r.number("n"),
		Regularization: r.number("regularization"), Dimension: r.number("dimension"),
	}
	if err := checkLoss("epsilon", o.Epsilon); err != nil {
		return nil, err
	}
	if s := o.Scale(); !(s > 0) || math.IsInf(s, 1) {
		return nil, &ParamError{"epsilon", "times n times regularization is beyond what a number can hold"}
	}
	return o, nil
}

// Kind is "output-perturbation".
func (OutputPerturbation) Kind() string { return "output-perturbation" }

// Scale is the scale 1/β = 2/(nΛε) of the norm of the noise.
func (o OutputPerturbation) Scale() float64 { return 2 / o.N / o.Regularization / o.Epsilon }

// Releases is one release, known only to be ε-DP.
func (o OutputPerturbation) Releases() []accounting.Entry {
	return o.releasesFor(1)
}

func (o OutputPerturbation) releasesFor(k float64) []accounting.Entry {
	return once(stepsOf("output perturbation", o.Epsilon, k))
}

func (OutputPerturbation) sizePublic() {}
