package selection

import (
	"math"
	"slices"
	"sort"
)

// level is a group of candidates with the same score, or, in a long list, with
// scores so close that the noise cannot tell them apart.
type level struct {
	depth float64 // (score − best)/scale, at most 0
	count float64
}

// maxLevels is the largest number of different scores that are kept apart. Beyond it scores are
// grouped on a grid; at 1/40 of the noise scale that changes a probability by a few
// parts in 1e5.
const (
	maxLevels  = 2048
	levelWidth = 1.0 / 40
	// deepest is the score below the best at which a candidate is ignored, in scales: e^{−45} is
	// 3e-20 of its chance.
	deepest = -45
)

// levels groups the candidates that have a chance, from the best down, and says
// for each candidate which group it is in (−1: none).
func (s *Distribution) levels() (groups []level, of []int, exact bool) {
	depths := make([]float64, 0, len(s.Items))
	for _, item := range s.Items {
		if d := s.depth(item.Value); d >= deepest {
			depths = append(depths, d)
		}
	}
	slices.Sort(depths)
	slices.Reverse(depths)
	groups, exact = group(depths, 0), true
	if len(groups) > maxLevels {
		groups, exact = group(depths, levelWidth), false
	}
	of = make([]int, len(s.Items))
	for i, item := range s.Items {
		of[i] = find(groups, s.depth(item.Value))
	}
	return groups, of, exact
}

// group merges sorted depths that lie within width of the first of their group; a
// group sits at the mean of its members, so that the error is of second order.
func group(depths []float64, width float64) []level {
	var groups []level
	var first float64
	for _, d := range depths {
		if n := len(groups); n > 0 && first-d <= width {
			g := &groups[n-1]
			g.count++
			g.depth += (d - g.depth) / g.count
			continue
		}
		groups = append(groups, level{d, 1})
		first = d
	}
	return groups
}

// find returns the group nearest to a depth, −1 for one too deep to matter.
func find(groups []level, depth float64) int {
	if depth < deepest {
		return -1
	}
	i := sort.Search(len(groups), func(i int) bool { return groups[i].depth <= depth })
	if i == len(groups) || i > 0 && groups[i-1].depth-depth < depth-groups[i].depth {
		return i - 1
	}
	return i
}

// spread turns the chance of one member of each group into probabilities, which it
// scales to sum to 1.
func (s *Distribution) spread(chance []float64, groups []level, of []int) {
	s.Probabilities = make([]float64, len(s.Items))
	total := 0.0
	for i, g := range of {
		if g >= 0 {
			// Within a group chances still differ as the weights do, to first order.
			s.Probabilities[i] = chance[g] * math.Exp(s.depth(s.Items[i].Value)-groups[g].depth)
		}
		total += s.Probabilities[i]
	}
	s.normalise(total)
}
