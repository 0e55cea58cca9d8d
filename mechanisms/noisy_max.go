package mechanisms

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
	"epsiloscope/mechanisms/selection"
)

// NoisyMax adds noise to every candidate's score and reports which is largest
// (Dwork & Roth 2014, Claim 3.9). The noise has scale 2Δ/ε, or Δ/ε where scores
// are monotone. With Gumbel noise it is the exponential mechanism; with
// exponential noise it is permute-and-flip (McKenna, Sheldon 2020), which is never
// worse. Only the Gumbel form has bounded range.
type NoisyMax struct {
	Epsilon     float64
	Sensitivity float64
	Monotone    bool
	Shape       string       // of the noise: "laplace", "exponential" or "gumbel"
	Candidates  []param.Item // with their scores; may be empty
	Outputs     float64      // how many candidates there are; 0 if not known
}

var noisyMaxSpec = Spec{
	Name: "noisy-max", Title: "Report noisy max",
	Summary:      "adds noise to every score and reports the best candidate",
	Params:       append(selectionParams(), noiseShapeParam()),
	Alternatives: []param.Alternative{{Sets: [][]string{{"candidates"}, {"scores"}, {"outputs"}}, Optional: true}},
	build: func(r reader) (Mechanism, error) {
		items, outputs := r.selection()
		epsilon, err := r.epsilon()
		return NoisyMax{epsilon, r.number("sensitivity"), r.flag("monotone"), r.choice("noise"), items, outputs}, err
	},
	ZeroOutIsRemoval: true,
	Source:           "Dwork, Roth 2014, Claim 3.9; McKenna, Sheldon 2020 (permute-and-flip)",
	Notes: []string{
		"Lap(1/ε), as the slide has it, is right for counts under add-remove (monotone); general scores of sensitivity 1, or replace, need Lap(2/ε).",
		"Exponential noise (permute-and-flip) is not bounded range; only Gumbel noise is. Both others are dominated by Laplace noise of the same ε; that is proven for continuous noise and the index alone, not for a released score.",
	},
}

func noiseShapeParam() param.Param {
	p := oneOf("noise", "shape of the noise; only which candidate is best is released, not its score", "laplace", "exponential", "gumbel")
	p.Else = ": of discrete noise nothing better than its pure ε is proven; give it as pure"
	return p
}

func (NoisyMax) Kind() string { return "noisy-max" }

func (n NoisyMax) Scale() float64 { return n.width().Scale() }

// Releases returns one selection. With Gumbel noise it has bounded range. With Laplace or
// exponential noise it is dominated by Laplace noise of the same ε on one number: for a set S of
// candidates let D be the largest noisy score outside it less the largest inside. In units of
// the scale a neighbour moves D by ε at most. Both noises have a density no larger than their
// upper tail; so has the largest of several, as its density is at most the chance that exactly
// one exceeds; and so D has a density f ≤ min(F, 1−F), with equality for Laplace noise. That is
// for continuous noise, fixed candidates and the index alone.
func (n NoisyMax) Releases(k float64) []accounting.Entry {
	return releasesOf(n, k, func() []accounting.Entry {
		if n.Shape == "gumbel" {
			return oneRelease(accounting.WithName(refineSingleOutput(accounting.BoundedRangeDP(n.Epsilon*k), n.Outputs), "Noisy max (Gumbel)"))
		}
		pick := accounting.DominatedSelection(laplaceRelease(n.Epsilon*k), accounting.PureDP(n.betweenTwo(n.Epsilon*k)),
			"the upper end takes a pick for Laplace noise on one number, which dominates it; the lower end is an attack on two candidates, so the interval is not tight")
		return oneRelease(accounting.WithName(refineSingleOutput(pick, n.Outputs), "Noisy max"))
	})
}

func (n NoisyMax) validate() error {
	switch n.Shape {
	case "laplace", "exponential", "gumbel":
	default:
		return fmt.Errorf("field Shape must be laplace, exponential or gumbel, got %s", numeral.Quote(n.Shape))
	}
	return cmp.Or(requireWhole(0, maxCount, field{"Outputs", n.Outputs}), validateNoise(n.Epsilon, n.Sensitivity))
}

// betweenTwo returns the ε of the randomized response that a choice between two candidates amounts to, if
// their scores differ by ε/2 in one direction and, on the neighbour, in the other. The second candidate wins
// with the probability that the difference of two noises exceeds x = ε/2: e^{−x}/2 for exponential and
// e^{−x}(2+x)/4 for Laplace noise.
func (n NoisyMax) betweenTwo(epsilon float64) float64 {
	x := epsilon / 2
	extra := 0.0 // of 2b·e^x, beyond 1
	if n.Shape == "laplace" {
		extra = x / 2
	}
	if x > 700 {
		return x - math.Log1p(extra)
	}
	// ln((1−b)/b), less what is lost in rounding
	return math.Max(0, math.Log1p(2*(math.Expm1(x)-extra)/(1+extra))*(1-1e-12))
}

// Error returns the loss in score of the candidate picked: exactly where scores are given, by the
// theorem where only their number is.
func (n NoisyMax) Error(beta, count float64) (Accuracy, error) {
	if err := checkConfidence(beta, count); err != nil {
		return Accuracy{}, err
	}
	scale := n.Scale()
	if n.Shape == "laplace" {
		scale *= 2
	}
	s, err := n.Selection()
	switch {
	case err == nil:
		return Accuracy{Each: s.LossQuantile(beta), Joint: s.LossQuantile(beta / count), Unit: "score"}, nil
	case n.Outputs >= 1:
		return Accuracy{
			Each: selection.Gap(n.Outputs, scale, -math.Log(beta)), Joint: selection.Gap(n.Outputs, scale, math.Log(count/beta)), Unit: "score",
		}, nil
	}
	return Accuracy{}, errors.New("neither candidates nor their number are given")
}

// Noise returns the noise added to every score.
func (n NoisyMax) Noise() Noise {
	switch n.Shape {
	case "exponential":
		return scaledNoise{&exponentialShape, n.Scale()}
	case "gumbel":
		return scaledNoise{&gumbelShape, n.Scale()}
	}
	return LaplaceNoise(n.Scale())
}

// exponentialShape has density e^{−x} for x ≥ 0.
var exponentialShape = shape{
	density:  distuv.Exponential{Rate: 1}.Prob,
	cdf:      distuv.Exponential{Rate: 1}.CDF,
	quantile: func(p float64) float64 { return -math.Log1p(-p) },
	rand:     (*rand.Rand).ExpFloat64,
}

// gumbelShape has CDF exp(−e^{−x}); the largest of scores with such noise is a draw of the
// exponential mechanism.
var gumbelShape = shape{
	density:  func(x float64) float64 { return math.Exp(-x - math.Exp(-x)) },
	cdf:      func(x float64) float64 { return math.Exp(-math.Exp(-x)) },
	quantile: func(p float64) float64 { return -math.Log(-math.Log(p)) },
	rand:     func(r *rand.Rand) float64 { return -math.Log(r.ExpFloat64()) },
}

func (n NoisyMax) remarks(_ param.Values, at Setting) (list []Remark) {
	if n.Shape == "exponential" {
		list = append(list, Remark{"permute-and-flip", "Exponential noise (permute-and-flip) is not bounded range: it is counted as Laplace noise of the same ε, which dominates it."})
	}
	list = append(list, selectionRemarks(n.Monotone, at)...)
	if n.Shape == "laplace" {
		list = append(list, Remark{"noisy-max-laplace",
			"Laplace noise is not bounded range: every pick is counted as Laplace noise of the same ε on one number, which dominates it. With noise: gumbel the same ε costs about a quarter of the ρ."})
	}
	return list
}

func (n NoisyMax) width() selection.Width {
	return selection.Width{Epsilon: n.Epsilon, Sensitivity: n.Sensitivity, Monotone: n.Monotone}
}

// Selection returns the distribution of the candidate that report noisy max picks: exactly for
// Gumbel noise, else by integrating over the winner's noisy score.
func (n NoisyMax) Selection() (*selection.Distribution, error) {
	switch n.Shape {
	case "gumbel":
		return selection.Exponential(n.Candidates, n.width())
	case "exponential":
		return selection.ExponentialMax(n.Candidates, n.width())
	}
	return selection.LaplaceMax(n.Candidates, n.width())
}
