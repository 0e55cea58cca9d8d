package accounting

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"sync"

	"epsiloscope/accounting/pld/pairs"
)

// Parallel returns a parallel block: branches that see disjoint parts of the data (McSherry
// 2009, Theorem 4). Under add-remove a record is in one branch, so the block costs the maximum
// over branches: under each privacy notion and, for curves and profiles, at every point. Under
// replace a record may move from one branch to another: the two costliest, composed.
func Parallel(branches [][]Entry, replace bool) Release {
	const name = "parallel block"
	p := parallel{replace: replace}
	parts := []any{replace}
	for _, b := range branches {
		l := prepareStack(b, Target{})
		if l.problem != "" {
			return NewUnsupported(name, l.problem)
		}
		if len(l.entries) > 0 {
			run := Composite(l.entries)
			p.branches, p.runs, parts = append(p.branches, l.entries), append(p.runs, run), append(parts, KeyOf(run))
		}
	}
	if len(p.branches) == 0 {
		return WithName(PureDP(0), name)
	}
	p.derived = &derived{keyed: newKeyed(name, "parallel", parts...), pair: sync.OnceValues(p.compose)}
	return p
}

type parallel struct {
	*derived
	branches [][]Entry
	runs     []Release // the branches, each as one release
	replace  bool
}

// worstCost returns the largest cost, or under replace the sum of the two largest.
func (p parallel) worstCost(cost func(Release) (float64, error)) (float64, error) {
	first, second := 0.0, 0.0
	for _, r := range p.runs {
		c, err := cost(r)
		if err != nil {
			return math.Inf(1), err
		}
		first, second = math.Max(first, c), math.Max(second, math.Min(first, c))
	}
	if p.replace {
		return first + second, nil
	}
	return first, nil
}

// Approximate takes ε and δ each from its own costliest branch, so neither is smaller than in
// any one branch.
func (p parallel) Approximate() (epsilon, delta float64, err error) {
	epsilon, err = p.worstCost(func(r Release) (float64, error) { x, _, err := r.Approximate(); return x, err })
	if err != nil {
		return 0, 0, err
	}
	delta, err = p.worstCost(func(r Release) (float64, error) { _, d, err := r.Approximate(); return d, err })
	return epsilon, math.Min(1, delta), err
}

func (p parallel) Renyi(alpha float64) (float64, error) {
	return p.worstCost(func(r Release) (float64, error) { return r.Renyi(alpha) })
}

func (p parallel) Concentrated() (rho float64, err error) { return p.worstCost(Release.Concentrated) }

func (p parallel) Gaussian() (mu float64, err error) {
	squares, err := p.worstCost(squaredMu)
	return math.Sqrt(squares), err
}

// Profile returns the largest of the branches' profiles; under replace that of the
// Gaussian total, of the summed curve or of the total (ε, δ), whichever is known.
func (p parallel) Profile(epsilon float64) (delta float64, err error) {
	if mu, err := p.Gaussian(); err == nil {
		return GaussianToDelta(mu, epsilon), nil
	}
	if !p.replace {
		return p.worstCost(func(r Release) (float64, error) { return r.Profile(epsilon) })
	}
	delta, known := totalProfile(p, curveOf(p), epsilon)
	if !known {
		return 1, errors.New("a parallel block under replace has a profile only through its total (ε, δ) or its Rényi curve")
	}
	return delta, nil
}

func (p parallel) epsilonAt(logDelta float64) float64 {
	if p.replace {
		return totalToEpsilon(p, logDelta)
	}
	most, _ := p.worstCost(func(r Release) (float64, error) { return epsilonAt(r, logDelta), nil })
	return most
}

func (p parallel) compose() (pairs.Pair, error) {
	branches := make([][]pairs.Part, len(p.branches))
	for i, b := range p.branches {
		parts, err := partsOf(b)
		if err != nil {
			return pairs.Pair{}, err
		}
		branches[i] = parts
	}
	return pairs.Parallel(branches, p.replace), nil
}

// DominatingBranch returns the index of a branch that dominates every other, release by release: for each of
// their releases it has one of the same family that is not smaller. It returns −1 if there is none, as for
// Laplace noise in one branch and Gaussian noise in the other, whose curves cross, or if two branches keep the
// best of several runs: what is known of that has a part that does not grow with the records, and two of them
// count it twice.
func DominatingBranch(branches [][]Entry) int {
	lists := make([]map[string][]sized, len(branches))
	best, selecting := 0, 0
	for i, b := range branches {
		lists[i] = bySize(b)
		if selects(b) {
			selecting++
		}
	}
	if selecting > 1 {
		return -1
	}
	for i := range lists {
		if covers(lists[i], lists[best]) {
			best = i
		}
	}
	for _, list := range lists {
		if !covers(lists[best], list) {
			return -1
		}
	}
	return min(best, len(branches)-1)
}

// selects reports whether the best of several runs is among the releases.
func selects(entries []Entry) bool {
	return slices.ContainsFunc(entries, func(e Entry) bool {
		block, _ := unwrapAs[parallel](e.Release)
		_, best := unwrapAs[*bestOf](e.Release)
		return best || slices.ContainsFunc(block.branches, selects)
	})
}

// sized is a number of releases of one family and their size in it.
type sized struct{ size, count float64 }

// bySize sorts a branch into families, each from its largest release down. A release
// without a pair is of the same family as its equals only.
func bySize(entries []Entry) map[string][]sized {
	families := map[string][]sized{}
	for _, e := range entries {
		name, size := KeyOf(e.Release), 0.0
		if pair, err := pairOf(e.Release); err == nil {
			name, size = pairs.Family(pair)
		}
		families[name] = append(families[name], sized{size, e.Count})
	}
	for _, list := range families {
		slices.SortFunc(list, func(a, b sized) int { return cmp.Compare(b.size, a.size) })
	}
	return families
}

// covers reports whether to each release of b belongs one of a that is of the same
// family and not smaller.
func covers(a, b map[string][]sized) bool {
	for name, list := range b {
		mine := a[name]
		i, used := 0, 0.0
		for _, want := range list {
			for left := want.count; left > 0; {
				if i == len(mine) || mine[i].size < want.size {
					return false
				}
				take := min(left, mine[i].count-used)
				if left, used = left-take, used+take; used == mine[i].count {
					i, used = i+1, 0
				}
			}
		}
	}
	return true
}
