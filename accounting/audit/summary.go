package audit

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"epsiloscope/accounting/special"
)

// Summary says how well scores tell members from others, as auditors report it. Every interval holds by itself with the
// confidence, if the trials are independent.
type Summary struct {
	AUROC      float64 `json:"auroc"` // the probability that a member has the larger score; equal scores count half
	AUROCLower float64 `json:"auroc_lower"`
	AUROCUpper float64 `json:"auroc_upper"`
	TPR        []Rate  `json:"tpr"`
}

// Rate is the true-positive rate at a false-positive rate.
type Rate struct {
	FPR   float64 `json:"fpr"`
	TPR   float64 `json:"tpr"` // of the scores as they are
	Lower float64 `json:"tpr_lower"`
	Upper float64 `json:"tpr_upper"`
}

// reportedLevels are the false-positive rates at which true-positive rates are reported.
var reportedLevels = []float64{0.001, 0.01, 0.1}

// Summarise returns the area under the ROC curve and true-positive rates of scores with intervals; nil if one kind is
// missing.
func Summarise(scores []Score, confidence float64) (*Summary, error) {
	if err := checkConfidence(confidence); err != nil {
		return nil, err
	}
	var in, out []float64
	for _, s := range scores {
		if s.Member {
			in = append(in, s.Value)
		} else {
			out = append(out, s.Value)
		}
	}
	if len(in) == 0 || len(out) == 0 {
		return nil, nil
	}
	slices.Sort(in)
	slices.Sort(out)
	s := &Summary{AUROC: areaUnder(in, out)}
	s.AUROCLower, s.AUROCUpper = areaInterval(s.AUROC, min(len(in), len(out)), 1-confidence)
	for _, level := range reportedLevels {
		s.TPR = append(s.TPR, rateAt(in, out, level, 1-confidence))
	}
	return s, nil
}

// areaUnder returns the share of pairs of a member and another in which the member has the larger score, an equal one
// counting half, of sorted scores.
func areaUnder(in, out []float64) float64 {
	twice, below, equal := 0.0, 0, 0
	for _, x := range in {
		for below < len(out) && out[below] < x {
			below++
		}
		for equal = max(equal, below); equal < len(out) && out[equal] <= x; equal++ {
		}
		twice += float64(below) + float64(equal)
	}
	return twice / 2 / float64(len(in)) / float64(len(out))
}

// areaInterval returns an interval of the area that holds with probability 1 − level. The estimate is an average, over
// all ways to pair n members with n others, of means of n independent numbers in [0, 1], so that P[estimate ≥ x] ≤
// e^{−n·KL(x‖area)} for x above the area (Hoeffding 1963, section 5 and Theorem 1); half of the level goes to each
// side.
func areaInterval(area float64, n int, level float64) (lower, upper float64) {
	limit := math.Log(2/level) / float64(n)
	far := func(p float64) bool { return bernoulliDivergence(area, p) > limit }
	lower, upper = 0, 1
	if area > 0 {
		lower, _ = special.Bisect(0, area, 1e-13, far)
	}
	if area < 1 {
		_, upper = special.Bisect(area, 1, 1e-13, func(p float64) bool { return !far(p) })
	}
	return lower, upper
}

// bernoulliDivergence returns the Kullback–Leibler divergence of a coin with probability x from one with probability p.
func bernoulliDivergence(x, p float64) (sum float64) {
	if x > 0 {
		sum += x * math.Log(x/p)
	}
	if x < 1 {
		sum += (1 - x) * (math.Log1p(-x) - math.Log1p(-p))
	}
	if math.IsNaN(sum) {
		return math.Inf(1)
	}
	return sum
}

// rateAt returns the true-positive rate at a false-positive rate with an interval that holds with probability 1 −
// level. The false-positive rate of the j-th largest of n other scores is at most the level asked for with probability
// P[Bin(n, fpr) ≥ j] and at least it with P[Bin(n, fpr) < j] (order statistics, Wilks 1941; equal scores count for the
// safe side): two such scores are thresholds on either side. At each the members above it are counted (Clopper, Pearson
// 1934): they do not depend on the others. A quarter of the error goes to each of the four.
func rateAt(in, out []float64, fpr, level float64) Rate {
	n, share := len(out), level/4
	above := func(t float64, equal bool) int { // members with a score above t
		i, _ := slices.BinarySearchFunc(in, t, func(x, t float64) int {
			if x < t || x == t && !equal {
				return -1
			}
			return 1
		})
		return len(in) - i
	}
	r := Rate{FPR: fpr, Upper: 1}
	r.TPR = float64(above(out[n-1-min(n-1, int(fpr*float64(n)))], false)) / float64(len(in))
	// The threshold with a false-positive rate of at most fpr: the largest j with P[Bin(n, fpr) < j] ≤ share.
	strict := sort.Search(n, func(j int) bool {
		_, below, _, _ := tails(n, j+1, fpr)
		return below*(1+padding) > share
	})
	if strict > 0 {
		r.Lower = 1 - clopperPearson(len(in)-above(out[n-strict], false), len(in), share)
	}
	// And with one of at least fpr: the least j with P[Bin(n, fpr) ≥ j] ≤ share; members with an equal score count.
	loose := 1 + sort.Search(n, func(j int) bool {
		over, _, _, _ := tails(n, j+1, fpr)
		return over*(1+padding) <= share
	})
	if loose <= n {
		r.Upper = clopperPearson(above(out[n-loose], true), len(in), share)
	}
	return r
}

// ScoreWarnings says what may be wrong with scores: lines that were copied are no trials of their own, and an attack
// may give members the smaller scores.
func ScoreWarnings(scores []Score, s *Summary) (list []string) {
	times, length := repetition(scores)
	repeated := repeatedScores(scores)
	switch {
	case times > 1:
		list = append(list, fmt.Sprintf("the file is %d lines, %d times: copies are no trials of their own, and an audit of them is not valid", length, times))
	case 5*repeated >= len(scores):
		list = append(list, fmt.Sprintf("%d of %d lines repeat the score of another line to the last digit: if lines were copied, they are no trials of their own, and the audit is not valid", repeated, len(scores)))
	}
	if s != nil && s.AUROCUpper < 0.5 {
		list = append(list, fmt.Sprintf("members have smaller scores than others (area under the ROC curve %.3f): a larger score must mean in. To turn the sign around after looking is a second attack, at half of the level", s.AUROC))
	}
	return list
}

// repetition returns how often the scores are the same lines in the same order, and how many lines that are; 1 and all
// of them if they are not, or if they have two values only, which repeat by themselves.
func repetition(scores []Score) (times, length int) {
	n := len(scores)
	if distinctScores(scores) <= 2 {
		return 1, n
	}
	// The shortest border of the lines, by the failure function of Knuth, Morris and Pratt.
	border := make([]int, n)
	for i, k := 1, 0; i < n; i++ {
		for k > 0 && scores[i] != scores[k] {
			k = border[k-1]
		}
		if scores[i] == scores[k] {
			k++
		}
		border[i] = k
	}
	if length = n - border[n-1]; n%length == 0 {
		return n / length, length
	}
	return 1, n
}

// repeatedScores counts the lines whose score another line before has too; 0 if there are two values only.
func repeatedScores(scores []Score) int {
	distinct := distinctScores(scores)
	if distinct <= 2 {
		return 0
	}
	return len(scores) - distinct
}

func distinctScores(scores []Score) int {
	seen := map[float64]bool{}
	for _, s := range scores {
		seen[s.Value] = true
	}
	return len(seen)
}
