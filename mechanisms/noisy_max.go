package mechanisms

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/integrate/quad"
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
// worse. Only the Gumbel form has bounded range ε; with Laplace noise it is 5/4·ε.
type NoisyMax struct {
	Epsilon     float64
	Sensitivity float64
	Monotone    bool
	Shape       string       // of the noise: "laplace", "exponential" or "gumbel"
	Candidates  []param.Item // with their scores; may be empty
	Outputs     float64      // how many candidates there are; 0 if not known
}

func noisyMaxSpec() Spec {
	return Spec{
		Name: "noisy-max", Title: "Report noisy max",
		Summary:      "adds noise to every score and reports the best candidate",
		Params:       append(selectionParams(), noiseShapeParam()),
		Alternatives: []param.Alternative{{Sets: [][]string{{"candidates"}, {"scores"}, {"outputs"}}, Optional: true}},
		build: func(r reader) (Mechanism, error) {
			items, outputs := r.selection()
			epsilon, err := r.epsilon()
			return NoisyMax{epsilon, r.number("sensitivity"), r.flag("monotone"), r.choice("noise"), items, outputs}, err
		},
		ZeroOutIsRemoval: true, Norm: Linf,
		Source: "Dwork, Roth 2014, Claim 3.9; McKenna, Sheldon 2020 (permute-and-flip)",
		Notes: []string{
			"Lap(1/ε), as the slide has it, is right for counts under add-remove (monotone); general scores of sensitivity 1, or replace, need Lap(2/ε).",
			"The losses of a selection span ε with Gumbel noise, at most 5/4·ε with Laplace noise (ε for two candidates); exponential noise (permute-and-flip) has no such bound. Both others are dominated by Laplace noise of the same ε. That is proven for continuous noise and the index alone, not for a released score.",
		},
	}
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
// one exceeds; and so D has a density f ≤ min(F, 1−F), with equality for exponential noise.
//
// With Laplace noise the losses also lie in an interval of length [laplaceSpan]·ε. All that is
// for continuous noise, fixed candidates and the index alone.
func (n NoisyMax) Releases(k float64) []accounting.Entry {
	return releasesOf(n, k, func() []accounting.Entry {
		epsilon := n.Epsilon * k
		if n.Shape == "gumbel" {
			pick := refineSingleOutput(accounting.BoundedRangeDP(epsilon), n.Outputs)
			return oneRelease(accounting.WithName(pick, "Noisy max (Gumbel)"))
		}
		span, note := 0.0, "the upper end takes a pick for Laplace noise on one number, which dominates it; the lower end is an attack on two candidates"
		if n.Shape == "laplace" {
			span, note = n.laplaceSpan()*epsilon, "the upper end is that of selections whose losses span 5/4·ε (ε for two candidates), or of Laplace noise on one number where that is less; the lower end is an attack on at most six candidates"
		}
		kind := fmt.Sprintf("%s noise, %v candidates", n.Shape, math.Min(n.knownCandidates(), 6))
		attacks := func() []accounting.Attack { return n.attacks(epsilon) }
		pick := accounting.AttackedSelection(
			laplaceRelease(epsilon), accounting.PureDP(n.betweenTwo(epsilon)), span, kind, attacks, note)
		return oneRelease(accounting.WithName(refineSingleOutput(pick, n.Outputs), "Noisy max"))
	})
}

// laplaceSpan returns the length of an interval that holds all losses, over ε: 1 for two candidates,
// else at most 5/4 (docs/trust/noisy-max.md has the proof, and a test its numerical part).
//
// In units of the scale let F and f be distribution and density of the noise at a candidate, M the product of all F,
// and r = f/F, which falls in the score: candidate i wins with probability P_i = ∫M·r_i. Where scores move within an
// interval of length ε, ln(P_i/P_j) moves by at most ε times Σ max(E_i r_l, E_j r_l) over all l, E_i being the mean
// over the winning score where i wins. Both means are at most that under one distribution, with weight M·ρ, where ρ is
// r of the lower of i and j below a certain point and ∝ r of the higher above it. There Σ r_l = (ln M)′ has the mean
// −∫Mρ′/∫Mρ. With τ = −ln of the product of all other F, τ′ lies between −τ/ln 2 and −min(1, τ): over all such τ and
// all distances of i and j the mean is below 5/4; the largest is 1.2372.
func (n NoisyMax) laplaceSpan() float64 {
	if n.Outputs == 2 && len(n.Candidates) <= 2 {
		return 1
	}
	return 1.25
}

// knownCandidates returns how many candidates there are at least; 0 if that is not known.
func (n NoisyMax) knownCandidates() float64 {
	return math.Max(n.Outputs, float64(len(n.Candidates)))
}

// attacks returns events that tell neighbours apart: that one of some equal candidates wins over some others, which
// lie higher by a gap that the neighbour does not have, or has less of by ε. Against Laplace noise, two against three
// did best in a search over gaps and sizes; against exponential noise no more than two candidates are needed, as the
// difference of two noises is the Laplace noise that dominates. Where ε leaves no digits there are none.
func (n NoisyMax) attacks(epsilon float64) (list []accounting.Attack) {
	const rounding, steps = 1e-14, 40
	if !(epsilon >= 1e-8 && epsilon <= 100) {
		return nil
	}
	groups := [][2]int{{1, 1}}
	if n.Shape == "laplace" {
		groups = append(groups, [2]int{1, 2}, [2]int{1, 3}, [2]int{2, 2}, [2]int{2, 3}, [2]int{2, 4})
	}
	for _, g := range groups {
		if known := n.knownCandidates(); known >= 2 && float64(g[0]+g[1]) > known {
			continue
		}
		for i := -steps; i <= steps; i++ {
			gap := epsilon/2 + (epsilon/2+2)*float64(i)/steps
			p, q := n.groupWins(g, gap-epsilon)*(1-rounding), n.groupWins(g, gap)*(1+rounding)
			if q < p && p < 1-1e-9 {
				list = append(list, accounting.Attack{P: p, Q: q})
			}
		}
	}
	return list
}

// groupWins returns the probability that one of sizes[0] equal candidates wins over sizes[1] others that lie higher
// by a gap, in units of the scale: the integral over the winner's noise below 0, up to the gap and beyond it.
func (n NoisyMax) groupWins(sizes [2]int, gap float64) float64 {
	if gap < 0 {
		return 1 - n.groupWins([2]int{sizes[1], sizes[0]}, -gap)
	}
	if n.Shape == "exponential" { // one against one
		return math.Exp(-gap) / 2
	}
	a, b := float64(sizes[0]), float64(sizes[1])
	total := a / (a + b) * math.Exp(-b*gap) * math.Exp2(-a-b)
	coefficient := a / 2 * math.Exp2(-b) // of (1 − s/2)^(a−1), expanded in s = e^{−x}
	for k := 1.0; k <= a; k++ {
		area := gap // of e^{−b(gap−x)−kx}, over e^{−min(b, k)·gap}
		if k != b {
			area = -math.Expm1(-math.Abs(b-k)*gap) / math.Abs(b-k)
		}
		total += coefficient * math.Exp(-math.Min(b, k)*gap) * area
		coefficient *= -(a - k) / k / 2
	}
	far := math.Exp(-gap)
	// The integrand is a polynomial of degree a+b−1, which 8 points integrate exactly.
	return total + far*quad.Fixed(func(u float64) float64 {
		return a / 2 * math.Pow(1-u*far/2, a-1) * math.Pow(1-u/2, b)
	}, 0, 1, 8, quad.Legendre{}, 0)
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
			Each:  selection.Gap(n.Outputs, scale, -math.Log(beta)),
			Joint: selection.Gap(n.Outputs, scale, math.Log(count/beta)),
			Unit:  "score",
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

func (n NoisyMax) notes(_ param.Values, at Setting) (list []Note) {
	if n.Shape == "exponential" {
		list = append(list, Note{"permute-and-flip", "Exponential noise (permute-and-flip) does not have bounded range: it is counted as Laplace noise of the same ε, which dominates it."})
	}
	list = append(list, selectionNotes(n.Monotone, at)...)
	switch {
	case n.Shape != "laplace":
	case n.laplaceSpan() == 1:
		list = append(list, Note{"noisy-max-two",
			"This is the cost of a choice between exactly two candidates, whose losses span ε. With more they span up to 5/4·ε: state every candidate that could win, or outputs."})
	default:
		list = append(list, Note{"noisy-max-laplace",
			"With Laplace noise the losses of a pick span up to 5/4·ε, or it is counted as Laplace noise on one number, which dominates it. With noise: gumbel they span ε, at about two thirds of the ρ."})
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
