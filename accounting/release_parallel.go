package accounting

import (
	"errors"
	"math"
	"sync"

	"epsiloscope/accounting/pld"
)

// Parallel is a block of branches that see disjoint parts of the data (McSherry
// 2009, Theorem 4). Under add-remove adjacency a record meets one branch only, so
// the block costs the dearest branch: the largest in every currency and, for curves
// and profiles, at every point. Under replace a record may move from one branch to
// another: the two dearest, composed.
func Parallel(branches [][]Entry, replace bool) Release {
	p := parallel{Refusal: Refusal{Label: "parallel block"}, replace: replace}
	for _, b := range branches {
		l := newLedger(b, Target{})
		if l.problem != "" {
			return Refused(p.Label, l.problem)
		}
		if len(l.entries) > 0 {
			p.branches = append(p.branches, newComposite(p.Label, l.entries))
		}
	}
	if len(p.branches) == 0 {
		return Named(PureDP(0), p.Label)
	}
	p.pair = sync.OnceValues(p.compose)
	return p
}

type parallel struct {
	Refusal
	branches []composite
	replace  bool
	pair     func() (pld.Pair, error)
}

func (p parallel) Key() string {
	parts := make([]any, len(p.branches))
	for i, b := range p.branches {
		parts[i] = b.Key()
	}
	kind := "parallel"
	if p.replace {
		kind = "parallel-replace"
	}
	return key(kind, parts...)
}

// dearest is the largest cost, or under replace the sum of the two largest.
func (p parallel) dearest(cost func(composite) (float64, error)) (float64, error) {
	first, second := 0.0, 0.0
	for _, b := range p.branches {
		c, err := cost(b)
		if err != nil {
			return math.Inf(1), err
		}
		if c > first {
			first, second = c, first
		} else {
			second = math.Max(second, c)
		}
	}
	if p.replace {
		return first + second, nil
	}
	return first, nil
}

// Approximate takes ε and δ each from its own dearest branch, which is never less
// than any one branch asks.
func (p parallel) Approximate() (epsilon, delta float64, err error) {
	epsilon, err = p.dearest(func(b composite) (float64, error) { x, _, err := b.Approximate(); return x, err })
	if err != nil {
		return 0, 0, err
	}
	delta, err = p.dearest(func(b composite) (float64, error) { _, d, err := b.Approximate(); return d, err })
	return epsilon, math.Min(1, delta), err
}

func (p parallel) Renyi(alpha float64) (float64, error) {
	return p.dearest(func(b composite) (float64, error) { return b.Renyi(alpha) })
}

func (p parallel) Concentrated() (rho float64, err error) { return p.dearest(composite.Concentrated) }

func (p parallel) Gaussian() (mu float64, err error) {
	squares, err := p.dearest(squaredMu)
	return math.Sqrt(squares), err
}

// Profile is the largest of the branches' profiles; under replace that of the
// Gaussian total, of the summed curve or of the total (ε, δ), whichever is known.
func (p parallel) Profile(epsilon float64) (delta float64, err error) {
	if mu, err := p.Gaussian(); err == nil {
		return GaussianToDelta(mu, epsilon), nil
	}
	if !p.replace {
		return p.dearest(func(b composite) (float64, error) {
			if len(b.entries) == 1 && b.entries[0].Count == 1 {
				return b.entries[0].Release.Profile(epsilon)
			}
			return b.Profile(epsilon)
		})
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
	most, _ := p.dearest(func(b composite) (float64, error) {
		if len(b.entries) == 1 && b.entries[0].Count == 1 {
			return epsilonAt(b.entries[0].Release, logDelta), nil
		}
		return epsilonAt(b, logDelta), nil
	})
	return most
}

func (p parallel) Pair() (pld.Pair, error) { return p.pair() }

// compose builds the pair, which takes longer than looking at it.
func (p parallel) compose() (pld.Pair, error) {
	branches := make([][]pld.Part, len(p.branches))
	for i, b := range p.branches {
		for _, e := range b.entries {
			pair, err := pairOf(e.Release)
			if err != nil {
				return pair, err
			}
			branches[i] = append(branches[i], pld.Part{Pair: pair, Count: e.Count})
		}
	}
	return pld.Parallel(branches, p.replace), nil
}
