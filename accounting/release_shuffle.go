package accounting

import (
	"math"
	"sync"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/renyi"
)

// ShuffledReports returns the release of n local reports in random order, one of which belongs
// to the person whose value changes; n counts honest reporters only, whose coins are secret, and
// is public. Its guarantee is for a replaced record.
func ShuffledReports(r pairs.Reports, n float64) Release {
	const name = "shuffled reports"
	switch {
	case !finite(r.Epsilon, r.Weight, r.Own, r.Other, n) || r.Weight > 1 || r.Own > 1 || r.Other > 1:
		return NewUnsupported(name, "ε₀ must be a finite number of at least 0, and probabilities lie between 0 and 1")
	case n < 1 || n != math.Trunc(n):
		return NewUnsupported(name, "the number of people must be a whole number of at least 1")
	}
	s := shuffledReports{reports: r, people: n, epsilon: r.Epsilon, known: new(renyi.Memo),
		clones: sync.OnceValue(func() func(float64) float64 { return pairs.ShuffleRenyi(r, n) })}
	s.derived = newDerived(newKeyed(name, "shuffle", r.Epsilon, r.Weight, r.Own, r.Other, n), func([]pairs.Pair) pairs.Pair {
		return pairs.Shuffle(r, n)
	})
	s.rho = sync.OnceValue(func() float64 { return renyi.LargestRatio(curveOf(s)) })
	return s
}

type shuffledReports struct {
	*derived
	reports pairs.Reports
	people  float64
	epsilon float64 // of one report, before it is shuffled
	clones  func() func(alpha float64) float64
	known   *renyi.Memo // of clones
	rho     func() float64
}

func (s shuffledReports) pairBySecond() (pairs.Pair, bool) {
	return pairs.ReverseShuffle(s.reports, s.people)
}

func (s shuffledReports) Approximate() (epsilon, delta float64, err error) { return s.epsilon, 0, nil }

func (s shuffledReports) Renyi(alpha float64) (float64, error) {
	// Divergences grow with the order, and close to 1 what is charged for rounding would count most.
	alpha = math.Max(1.01, alpha)
	least := pureRenyi(s.epsilon, alpha)
	if alpha < 1e12 { // beyond, nothing is below ε₀
		least = math.Min(least, s.known.At(alpha, s.clones()))
	}
	if alpha > usefulOrder && s.divergence(usefulOrder) > 1.001*least { // it grows with the order
		return least, nil
	}
	return math.Min(least, s.divergence(alpha)), nil
}

// usefulOrder is about the order up to which the pair of shuffled reports has the smaller divergence: its
// masses end where little is left.
const usefulOrder = 40

func (s shuffledReports) Concentrated() (rho float64, err error) {
	return math.Min(PureToConcentrated(s.epsilon), s.rho()), nil
}

func (s shuffledReports) Profile(epsilon float64) (delta float64, err error) {
	pair, err := s.pair()
	if err != nil {
		return 1, err
	}
	return math.Min(pureProfile(s.epsilon, epsilon), pair.Delta(epsilon)), nil
}
