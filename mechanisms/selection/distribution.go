// Package selection has the distribution of the candidate that a noisy comparison of scores
// picks.
package selection

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"epsiloscope/mechanisms/param"
)

// Distribution is the distribution of the candidate picked.
type Distribution struct {
	Items         []param.Item // the candidates, in the order given
	Probabilities []float64    // of each; they sum to 1
	Best          float64      // s*, the highest score
	Method        string       // how the probabilities were computed

	width Width
	gap   func(t float64) float64
	bound func(depth float64) float64
}

// Width is the scale of the noise that makes a selection ε-DP: 2Δ/ε, as one
// record may raise one score and lower another; Δ/ε where it cannot. Its parts are
// kept apart: with scores and Δ of size 1e308 the scale itself may lie beyond float64
// although no score lies more than a few scales below the best.
type Width struct {
	Epsilon, Sensitivity float64
	Monotone             bool
}

func (w Width) Scale() float64 {
	if w.Monotone {
		return w.Sensitivity / w.Epsilon
	}
	return 2 * w.Sensitivity / w.Epsilon
}

// inScales returns a difference of scores in units of the scale. Half of the difference is
// given, because the whole may overflow.
func (w Width) inScales(half float64) float64 {
	d := half / w.Sensitivity * w.Epsilon
	if w.Monotone {
		d *= 2
	}
	return d
}

var errNoScores = errors.New("the candidates' scores are not given, so which one wins cannot be computed")

// newDistribution lets a rule set the probabilities.
func newDistribution(items []param.Item, width Width, rule func(*Distribution)) (*Distribution, error) {
	if len(items) == 0 {
		return nil, errNoScores
	}
	s := &Distribution{Items: items, Best: math.Inf(-1), width: width}
	best := 0.0 // |O*|, how many candidates have the highest score
	for _, item := range items {
		switch {
		case item.Value > s.Best:
			s.Best, best = item.Value, 1
		case item.Value == s.Best:
			best++
		}
	}
	ratio := float64(len(items)) / best
	s.gap = func(t float64) float64 { return Gap(ratio, width.Scale(), t) }
	s.bound = func(depth float64) float64 { return math.Min(1, math.Exp(math.Log(ratio)+depth)) }
	rule(s)
	return s, nil
}

// depth returns how far a score lies below the best one, in units of the noise scale: −Inf … 0.
func (s *Distribution) depth(score float64) float64 {
	if score == s.Best {
		return 0
	}
	return s.width.inScales(score/2 - s.Best/2)
}

// Right returns the probability of picking a candidate with the best score.
func (s *Distribution) Right() float64 {
	return math.Min(1, s.sum(func(x float64) bool { return x == s.Best }))
}

// Tail returns the exact P(score picked ≤ s* − gap), beside which [Distribution.Bound] is
// what the theorem says.
func (s *Distribution) Tail(gap float64) float64 { return s.TailAt(s.Best - gap) }

// TailAt returns the exact P(score picked ≤ score): for the score of a candidate, whose
// distance from the best may be rounded, or overflow.
func (s *Distribution) TailAt(score float64) float64 {
	return math.Min(1, s.sum(func(x float64) bool { return x <= score }))
}

func (s *Distribution) sum(take func(score float64) bool) float64 {
	total := 0.0
	for i, item := range s.Items {
		if take(item.Value) {
			total += s.Probabilities[i]
		}
	}
	return total
}

// MeanScore returns the mean score of the candidate picked.
func (s *Distribution) MeanScore() float64 {
	half, worst := 0.0, s.Best
	for i, item := range s.Items {
		half += s.Probabilities[i] * (item.Value / 2) // two of 1e308 have no sum
		worst = math.Min(worst, item.Value)
	}
	return math.Max(worst, math.Min(s.Best, 2*half)) // rounding leads a little out of them
}

// Gap returns the loss in score that the theorem says is exceeded with probability at
// most e^{−t}.
func (s *Distribution) Gap(t float64) float64 { return s.gap(t) }

// Bound returns the theorem's bound on P(score picked ≤ s* − gap), at most 1.
func (s *Distribution) Bound(gap float64) float64 { return s.bound(s.width.inScales(-gap / 2)) }

// BoundAt returns the theorem's bound on P(score picked ≤ score), at most 1.
func (s *Distribution) BoundAt(score float64) float64 { return s.bound(s.depth(score)) }

// LossQuantile returns the smallest loss s* − score exceeded with probability β at most.
func (s *Distribution) LossQuantile(beta float64) float64 {
	order := make([]int, len(s.Items))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(s.Items[i].Value, s.Items[j].Value) })
	mass := 0.0
	for _, i := range order {
		if mass += s.Probabilities[i]; mass > beta {
			return s.Best - s.Items[i].Value
		}
	}
	return 0
}

// Gap returns (2Δ/ε)(ln(|O|/|O*|) + t) (McSherry & Talwar 2007; Dwork & Roth
// 2014, Theorem 3.11), with scale = 2Δ/ε and ratio = |O|/|O*|. Read backwards, the
// theorem says that a score so far below the best is picked with probability e^{−t} at
// most.
func Gap(ratio, scale, t float64) float64 {
	if units := math.Log(ratio) + t; units != 0 { // a scale beyond float64 times 0 has no value
		return scale * units
	}
	return 0
}

func (s *Distribution) normalise(total float64) {
	for i := range s.Probabilities {
		s.Probabilities[i] /= total
	}
}
