package mechanisms

import (
	"math/bits"
	"math/rand/v2"
)

// AddReport draws the report of a person with the given value, from 0 to Domain−1, and adds 1 to
// the count of every value that the report supports. Hash, row and subset are drawn anew.
func (f Frequency) AddReport(r *rand.Rand, value int, counts []float64) {
	own, other := f.support()
	k := int(f.Domain)
	switch f.Protocol {
	case GRR:
		counts[reportedValue(r, value, k, own)]++
	case OUE, SUE: // every bit by itself
		for v := range k {
			chance := other
			if v == value {
				chance = own
			}
			if r.Float64() < chance {
				counts[v]++
			}
		}
	case OLH: // a hash that is drawn evenly from all functions
		g := int(f.HashRange())
		hashes := make([]int, k)
		for v := range hashes {
			hashes[v] = r.IntN(g)
		}
		said := reportedValue(r, hashes[value], g, own)
		for v, h := range hashes {
			if h == said {
				counts[v]++
			}
		}
	case Hadamard:
		row := r.IntN(1 << bits.Len(uint(k-1)))
		parity := func(v int) bool { return bits.OnesCount(uint(row&v))&1 == 1 }
		bit := parity(value) == (r.Float64() < own)
		for v := range k {
			if parity(v) == bit {
				counts[v]++
			}
		}
	case Subset:
		rest := int(f.SubsetSize())
		if r.Float64() < own {
			counts[value]++
			rest--
		}
		left := k - 1 // the others, of which rest are chosen evenly
		for v := range k {
			if v == value {
				continue
			}
			if r.IntN(left) < rest {
				counts[v]++
				rest--
			}
			left--
		}
	}
}

// reportedValue returns the value itself with probability own, else one of the k−1 others, evenly.
func reportedValue(r *rand.Rand, value, k int, own float64) int {
	if r.Float64() < own {
		return value
	}
	if other := r.IntN(k - 1); other < value {
		return other
	} else {
		return other + 1
	}
}

// EstimateShare returns the unbiased estimate of the share of people with a value, if the given
// share of all reports supports it.
func (f Frequency) EstimateShare(supporting float64) float64 {
	own, other := f.support()
	return (supporting - other) / (own - other)
}

// ShowsGroup draws whether a group with n people is shown.
func (p PartitionSelection) ShowsGroup(r *rand.Rand, n float64) bool {
	epsilon, _ := p.share()
	switch p.Strategy {
	case LaplaceThreshold:
		return n > 0 && n+LaplaceNoise(1/epsilon).Rand(r) >= p.Threshold()
	case GaussThreshold:
		return n > 0 && n+GaussianNoise(p.Deviation()).Rand(r) >= p.Threshold()
	case GeometricCount:
		return n > 0 && n+geometricNoise(1/epsilon).Rand(r) >= p.Threshold()
	}
	return r.Float64() < p.KeepProbability(n)
}
