package mechanisms

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// gammaTail returns d·scale·ln(d/β): a Gamma(d, scale) norm exceeds it with probability
// at most β, as the sum of d exponential variables does not exceed d times the
// largest of them.
func gammaTail(d, scale, beta float64) float64 { return d * scale * math.Log(d/beta) }

// normError returns the exact quantile of the norm; if 1 − β/m rounds to 1, its closed bound
// instead.
func normError(d, scale, beta, count float64) (Accuracy, error) {
	if err := checkConfidence(beta, count); err != nil {
		return Accuracy{}, err
	}
	n := gammaNoise(d, scale)
	exceeded := func(beta float64) float64 {
		if beta < 1e-12 {
			return gammaTail(d, scale, beta)
		}
		return n.Quantile(1 - beta)
	}
	return Accuracy{Each: exceeded(beta), Joint: exceeded(beta / count), Unit: "weight"}, nil
}

// gammaNoise returns the norm of a noise vector with density ∝ e^{−‖x‖/scale} in d dimensions.
func gammaNoise(d, scale float64) Noise {
	unit := distuv.Gamma{Alpha: d, Beta: 1}
	return scaledNoise{&shape{
		density: unit.Prob, cdf: unit.CDF, quantile: unit.Quantile,
		rand: func(r *rand.Rand) float64 { return distuv.Gamma{Alpha: d, Beta: 1, Src: r}.Rand() },
	}, scale}
}

// ermNoise checks ε and the numbers that it leads to, all of which must be above 0.
func (r reader) ermNoise(leads string, numbers ...float64) error {
	err := checkLoss("epsilon", r.number("epsilon"))
	for _, x := range numbers {
		if err == nil && (!(x > 0) || math.IsInf(x, 1)) {
			err = param.Errorf("epsilon", "%s beyond what a number can hold", leads)
		}
	}
	return err
}

func ermParams() []param.Param {
	return []param.Param{
		epsilonParam("privacy loss of the trained model"),
		sizeParam("n", "how many records the model is trained on"),
		positive("regularization", "Λ", "weight of the regulariser", 0.01, 1.1),
		natural("dimension", "d", "how many weights the model has", 1e9, 10, 1),
	}
}

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

func outputPerturbationSpec() Spec {
	return Spec{
		Name: "output-perturbation", Title: "ERM, output perturbation",
		Summary: "trains a linear model and adds noise to its weights",
		Params:  ermParams(),
		build: func(r reader) (Mechanism, error) {
			o := OutputPerturbation{r.number("epsilon"), r.number("n"), r.number("regularization"), r.number("dimension")}
			return o, r.ermNoise("times n times regularization is", o.Scale())
		},
		SizePublic: true, Records: "n",
		Source: "Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 1",
		Notes: []string{
			"In the utility lemmas f* is the minimiser of J, not its maximiser, and the condition is ‖∇²N(f)‖ ≤ η, not ‖∇N(f)‖ ≤ η.",
			"It needs ‖x‖ ≤ 1, |ℓ′| ≤ 1, a strongly convex regulariser and the exact minimiser. The number of records is public: the guarantee is for replacing a record.",
			onlyEpsilon,
		},
	}
}

func (OutputPerturbation) Kind() string { return "output-perturbation" }

// Scale returns the scale 1/β = 2/(nΛε) of the norm of the noise.
func (o OutputPerturbation) Scale() float64 { return 2 / o.N / o.Regularization / o.Epsilon }

func (o OutputPerturbation) Releases(k float64) []accounting.Entry {
	return releasesOf(o, k, func() []accounting.Entry {
		return oneRelease(pure("output perturbation", o.Epsilon, k))
	})
}

func (o OutputPerturbation) validate() error {
	if err := validateERM(o.Epsilon, o.N, o.Regularization, o.Dimension); err != nil {
		return err
	}
	return requirePositive(field{"Scale", o.Scale()})
}

// Noise returns the norm of the vector added to the weights.
func (o OutputPerturbation) Noise() Noise { return gammaNoise(o.Dimension, o.Scale()) }

// Error returns the norm of the noise on the weights.
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

func objectivePerturbationSpec() Spec {
	return Spec{
		Name: "objective-perturbation", Title: "ERM, objective perturbation",
		Summary: "adds noise to the training objective of a linear model",
		Params:  append(ermParams(), positive("smoothness", "c", "bound on the second derivative of the loss; 1/4 for logistic regression", 0.25, 0.05)),
		build: func(r reader) (Mechanism, error) {
			o := ObjectivePerturbation{r.number("epsilon"), r.number("n"), r.number("regularization"), r.number("dimension"), r.number("smoothness")}
			return o, r.ermNoise("leaves noise", o.Scale(), o.Regularization+o.Extra())
		},
		SizePublic: true, Records: "n",
		Source: "Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 2",
		Notes: []string{
			"The slide asks for ε large enough that β > 0; below that the paper's fallback adds to the regulariser and spends ε/2 on the noise.",
			"In the utility lemmas f* is the minimiser of J, not its maximiser.",
			"It needs ‖x‖ ≤ 1, |ℓ′| ≤ 1, |ℓ″| ≤ c, a strongly convex regulariser and the exact minimiser. The number of records is public: the guarantee is for replacing a record.",
			onlyEpsilon,
		},
	}
}

func (ObjectivePerturbation) Kind() string { return "objective-perturbation" }

// remainingEpsilon returns the ε that the Jacobian of the minimiser leaves.
func (o ObjectivePerturbation) remainingEpsilon() float64 {
	return o.Epsilon - 2*math.Log1p(o.Smoothness/o.N/o.Regularization)
}

// usesFallback reports whether ε is too small for the regulariser as it is, so that the
// algorithm has to strengthen it.
func (o ObjectivePerturbation) usesFallback() bool { return !(o.remainingEpsilon() > 0) }

// NoiseEpsilon returns ε′, the part of ε that the noise vector gets.
func (o ObjectivePerturbation) NoiseEpsilon() float64 {
	if o.usesFallback() {
		return o.Epsilon / 2
	}
	return o.remainingEpsilon()
}

// Extra returns the amount the fallback adds to Λ: c/(n(e^{ε/4}−1)) − Λ; 0 without it.
func (o ObjectivePerturbation) Extra() float64 {
	if !o.usesFallback() {
		return 0
	}
	return math.Max(0, o.Smoothness/o.N/math.Expm1(o.Epsilon/4)-o.Regularization)
}

// Scale returns the scale 1/β = 2/ε′ of the norm of the noise vector.
func (o ObjectivePerturbation) Scale() float64 { return 2 / o.NoiseEpsilon() }

func (o ObjectivePerturbation) Releases(k float64) []accounting.Entry {
	return releasesOf(o, k, func() []accounting.Entry {
		return oneRelease(pure("objective perturbation", o.Epsilon, k))
	})
}

func (o ObjectivePerturbation) validate() error {
	if err := cmp.Or(validateERM(o.Epsilon, o.N, o.Regularization, o.Dimension),
		requirePositive(field{"Smoothness", o.Smoothness})); err != nil {
		return err
	}
	return requirePositive(field{"Scale", o.Scale()}, field{"Regularization and Extra", o.Regularization + o.Extra()})
}

// validateERM checks the fields that both perturbations have.
func validateERM(epsilon, n, regularization, dimension float64) error {
	return cmp.Or(requireWhole(1, 1e15, field{"N", n}), requirePositive(field{"Regularization", regularization}),
		requireWhole(1, 1e9, field{"Dimension", dimension}), checkLoss("Epsilon", epsilon))
}

// Noise returns the norm of the vector in the objective's linear term.
func (o ObjectivePerturbation) Noise() Noise { return gammaNoise(o.Dimension, o.Scale()) }

// Error bounds how far the weights are from those without noise: the objective is Λ-strongly
// convex and its linear term is bᵀf/n, so the minimiser moves by at most ‖b‖/(nΛ), with ‖b‖
// Gamma(d, 2/ε′). Under the fallback there is no such bound: the stronger regulariser moves the
// weights too, by an amount that depends on the data.
func (o ObjectivePerturbation) Error(beta, count float64) (Accuracy, error) {
	if o.usesFallback() {
		return Accuracy{}, fmt.Errorf("ε is too small for Λ: the algorithm adds %s to it, and how far that moves the weights depends on the data", numeral.Nearest(o.Extra()))
	}
	return normError(o.Dimension, o.Scale()/o.N/o.Regularization, beta, count)
}

// ExcessRisk bounds, with probability 1 − β, how much worse the released weights are than the best ones, in units of
// the regularised objective J: ‖b‖²/(Λn²), which is 4d²ln²(d/β)/(Λn²ε′²). The slide writes ε for ε′. Under the fallback
// Λ, and so J, is the strengthened one.
func (o ObjectivePerturbation) ExcessRisk(beta float64) float64 {
	norm := gammaTail(o.Dimension, o.Scale(), beta)
	return norm / o.N * norm / o.N / (o.Regularization + o.Extra())
}
