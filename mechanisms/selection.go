package mechanisms

import (
	"errors"
	"math"
	"sort"
)

// Selector is a mechanism that picks one of several candidates.
type Selector interface {
	// Selection is what it picks on the scores it was given.
	Selection() (*Selection, error)
}

// Selection is the distribution of the candidate picked.
type Selection struct {
	Items         []Item    // the candidates, in the order given
	Probabilities []float64 // of each; they sum to 1
	Best          float64   // s*, the highest score
	BestCount     int       // |O*|, how many candidates have it
	Method        string    // how the probabilities were computed

	scale float64 // of the noise on a score: 2Δ/ε, or Δ/ε if monotone
	rate  float64 // Δ/scale, where the scale leaves float64
	unit  float64 // Δ
	gap   func(t float64) float64
	bound func(gap float64) float64
}

// selectionScale is the scale of the noise that makes a selection ε-DP: 2Δ/ε, as
// one record may raise one score and lower another; Δ/ε where it cannot.
func selectionScale(epsilon, sensitivity float64, monotone bool) float64 {
	if monotone {
		return sensitivity / epsilon
	}
	return 2 * sensitivity / epsilon
}

var errNoScores = errors.New("the candidates' scores are not given, so which one wins cannot be computed")

func newSelection(items []Item, epsilon, sensitivity float64, monotone bool) (*Selection, error) {
	if len(items) == 0 {
		return nil, errNoScores
	}
	scale := selectionScale(epsilon, sensitivity, monotone)
	s := &Selection{Items: items, Best: math.Inf(-1), scale: scale, rate: 1 / selectionScale(epsilon, 1, monotone), unit: sensitivity}
	for _, item := range items {
		switch {
		case item.Value > s.Best:
			s.Best, s.BestCount = item.Value, 1
		case item.Value == s.Best:
			s.BestCount++
		}
	}
	ratio := float64(len(items)) / float64(s.BestCount)
	s.gap = func(t float64) float64 { return exponentialGap(ratio, scale, t) }
	s.bound = func(gap float64) float64 { return exponentialBound(ratio, scale, gap) }
	return s, nil
}

// depth is how far a score lies below the best one, in units of the noise scale:
// −Inf … 0. Neither the difference of two scores nor the scale need fit into float64
// for it to be moderate.
func (s *Selection) depth(score float64) float64 {
	apart := score - s.Best
	switch {
	case score == s.Best:
		return 0
	case s.scale > 1e-290 && s.scale < 1e300 && !math.IsInf(apart, -1):
		return apart / s.scale
	}
	return 2 * ((score/2 - s.Best/2) / s.unit * s.rate)
}

// Right is the probability of picking a candidate with the best score.
func (s *Selection) Right() float64 {
	return math.Min(1, s.sum(func(x float64) bool { return x == s.Best }))
}

// Tail is the exact P(score picked ≤ s* − gap), beside which [Selection.Bound] is
// what the theorem says.
func (s *Selection) Tail(gap float64) float64 {
	limit := s.Best - gap
	return math.Min(1, s.sum(func(x float64) bool { return x <= limit }))
}

func (s *Selection) sum(take func(score float64) bool) float64 {
	total := 0.0
	for i, item := range s.Items {
		if take(item.Value) {
			total += s.Probabilities[i]
		}
	}
	return total
}

// Expected is the mean score of the candidate picked.
func (s *Selection) Expected() float64 {
	mean := 0.0
	for i, item := range s.Items {
		if p := s.Probabilities[i]; p > 0 {
			mean += p * item.Value
		}
	}
	return mean
}

// Gap is the loss in score that the theorem says is exceeded with probability at
// most e^{−t}.
func (s *Selection) Gap(t float64) float64 { return s.gap(t) }

// Bound is the theorem's bound on P(score picked ≤ s* − gap), at most 1.
func (s *Selection) Bound(gap float64) float64 { return s.bound(gap) }

// lossQuantile is the smallest loss s* − score exceeded with probability β at most.
func (s *Selection) lossQuantile(beta float64) float64 {
	order := make([]int, len(s.Items))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(i, j int) bool { return s.Items[order[i]].Value < s.Items[order[j]].Value })
	mass := 0.0
	for _, i := range order {
		if mass += s.Probabilities[i]; mass > beta {
			return s.Best - s.Items[i].Value
		}
	}
	return 0
}

// exponentialGap is (2Δ/ε)(ln(|O|/|O*|) + t) (McSherry & Talwar 2007; Dwork & Roth
// 2014, Theorem 3.11), with scale = 2Δ/ε and ratio = |O|/|O*|.
func exponentialGap(ratio, scale, t float64) float64 { return scale * (math.Log(ratio) + t) }

// exponentialBound is the same theorem read backwards: (|O|/|O*|)·e^{−gap/scale}.
func exponentialBound(ratio, scale, gap float64) float64 {
	return math.Min(1, math.Exp(math.Log(ratio)-gap/scale))
}

// softmax sets the probabilities of the exponential mechanism.
func (s *Selection) softmax() {
	s.Probabilities = make([]float64, len(s.Items))
	total := 0.0
	for i, item := range s.Items {
		w := math.Exp(s.depth(item.Value))
		s.Probabilities[i] = w
		total += w
	}
	s.normalise(total)
	s.Method = "exact"
}

func (s *Selection) normalise(total float64) {
	for i := range s.Probabilities {
		s.Probabilities[i] /= total
	}
}
