package mechanisms

import (
	"cmp"
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// Thresholdout answers statistical queries from a holdout set, paying only when
// the training set overfits (Dwork, Feldman, Hardt, Pitassi, Reingold, Roth 2015,
// "Generalization in adaptive data analysis and holdout reuse"). Each of the B
// answers paid for is one threshold test and one Laplace release, both at 1/(σn):
// queries are averages over n records, with sensitivity 1/n.
type Thresholdout struct {
	Budget    float64 // B, how many answers from the holdout are paid for
	Sigma     float64 // scale σ of the Laplace noise on a released answer
	N         float64 // size of the holdout
	Threshold float64 // T; 0 if not said
}

func thresholdoutSpec() Spec {
	return Spec{
		Name: "thresholdout", Title: "Thresholdout",
		Summary: "reuses a holdout set for adaptively chosen queries",
		Params: []param.Param{
			natural("overfit_budget", "B", "how many overfitting queries are answered before it stops", maxCount, 100, 1.25),
			scalesWithNoise(1, inUnit("share of n", positive("sigma", "σ", "scale of the Laplace noise on a released answer", 0.02, 1.1))),
			sizeParam("n", "how many records the holdout has"),
			atLeastZero(inUnit("share of n", optional(positive("threshold", "T", "gap between training and holdout that counts as overfitting", 0.04, 0.01)))),
		},
		build: func(r reader) (Mechanism, error) {
			t := Thresholdout{r.number("overfit_budget"), r.number("sigma"), r.number("n"), r.number("threshold")}
			return t, checkLoss("sigma", t.TestEpsilon())
		},
		Source:     "Dwork, Feldman, Hardt, Pitassi, Reingold, Roth 2015",
		SizePublic: true, Records: "n", NoAddRemoveNumber: numberAmbiguousStated,
		Notes: []string{
			"The slide's (2√(2B ln(2/δ))/(σn), δ) drops the theorem's second term: safe while B/(σn)² ≤ 0.68·ln(1/δ), wrong well beyond (B = 500, 1/(σn) = 0.2, δ = 1e-3: it prints 34.9, the optimum is 38.5).",
			"The threshold itself is noisy (scale 2σ), which the slide's text leaves out.",
			"The size of the holdout is public: the guarantee is for replacing a record.",
			onlyEpsilon,
		},
	}
}

func sizeParam(symbol, help string) param.Param {
	return inUnit("records", natural("n", symbol, help, 1e15, 10_000, 1.25))
}

func (Thresholdout) Kind() string { return "thresholdout" }

// TestEpsilon returns the ε of one test, and of one release: 1/(σn).
func (t Thresholdout) TestEpsilon() float64 { return 1 / (t.Sigma * t.N) }

func (t Thresholdout) ThresholdScale() float64 { return 2 * t.Sigma }

func (t Thresholdout) QueryScale() float64 { return 4 * t.Sigma }

// PureEpsilon returns 2B/(σn): every test and every release at its pure ε.
func (t Thresholdout) PureEpsilon() float64 { return 2 * t.Budget * t.TestEpsilon() }

// SlideEpsilon returns 2√(2B ln(2/δ))/(σn), the slide's guarantee at δ. It drops the
// second term of the theorem it comes from: see [Thresholdout.SlideSafe].
func (t Thresholdout) SlideEpsilon(delta float64) float64 {
	return 2 * math.Sqrt(2*t.Budget*math.Log(2/delta)) * t.TestEpsilon()
}

// SlideSafe reports whether the slide's guarantee holds: while
// B/(σn)² ≤ 0.68·ln(1/δ).
func (t Thresholdout) SlideSafe(delta float64) bool {
	return t.Budget*t.TestEpsilon()*t.TestEpsilon() <= 0.68*math.Log(1/delta)
}

// Releases returns B threshold tests and B Laplace releases. Kept apart, they cost less
// than 2B pure releases: Laplace noise gives away less than its ε.
func (t Thresholdout) Releases(k float64) []accounting.Entry {
	return releasesOf(t, k, func() []accounting.Entry {
		return []accounting.Entry{
			{Release: pure("Thresholdout test", t.TestEpsilon(), k), Count: t.Budget},
			{Release: laplaceRelease(t.TestEpsilon() * k), Count: t.Budget},
		}
	})
}

func (t Thresholdout) validate() error {
	return cmp.Or(
		requireWhole(1, maxCount, field{"Budget", t.Budget}),
		requirePositive(field{"Sigma", t.Sigma}),
		requireWhole(1, 1e15, field{"N", t.N}),
		checkLoss("Sigma", t.TestEpsilon()),
	)
}

// Noise returns the noise on a released answer.
func (t Thresholdout) Noise() Noise { return LaplaceNoise(t.Sigma) }

func (t Thresholdout) answers(Adjacency) (here, neighbour Noise) {
	return neighbourNoise(t.Noise(), 1/t.N)
}

// Error returns the error of a released answer, in shares of n.
func (t Thresholdout) Error(beta, count float64) (Accuracy, error) {
	a, err := symmetric(t.Noise(), beta, count)
	a.Unit = "share of n"
	return a, err
}

func (t Thresholdout) notes(_ param.Values, at Setting) []Note {
	if !(at.Delta > 0) || t.SlideSafe(at.Delta) {
		return nil
	}
	return []Note{{"thresholdout-slide", fmt.Sprintf("The slide's formula 2√(2B ln(2/δ))/(σn) = %s is not a bound here: B/(σn)² exceeds 0.68·ln(1/δ).",
		numeral.Format(numeral.Round(t.SlideEpsilon(at.Delta), 4)))}}
}
