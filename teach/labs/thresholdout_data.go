package labs

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// bitData is rows of ±1 features and labels, a bit each, features by column.
type bitData struct {
	n        int
	features [][]uint64
	label    []uint64
}

func newBitData(r *rand.Rand, n, d int) *bitData {
	words := (n + 63) / 64
	column := func() []uint64 {
		c := make([]uint64, words)
		for i := range c {
			c[i] = r.Uint64()
		}
		return c
	}
	data := &bitData{n: words * 64, label: column()}
	for range d {
		data.features = append(data.features, column())
	}
	return data
}

// flipFirstRow replaces the first row: its label is the other one, and with it every feature agrees where it did not.
func (b *bitData) flipFirstRow() { b.label[0] ^= 1 }

// agreement returns the share of rows in which a column equals the label.
func (b *bitData) agreement(column []uint64) float64 {
	same := 0
	for i, w := range column {
		same += bits.OnesCount64(^(w ^ b.label[i]))
	}
	return float64(same) / float64(b.n)
}

// vote returns the majority of the chosen features, each taken with its sign.
func (b *bitData) vote(chosen []int, flip []bool) []uint64 {
	out := make([]uint64, len(b.label))
	for w := range out {
		for bit := range 64 {
			yes := 0
			for k, f := range chosen {
				on := b.features[f][w]>>bit&1 == 1
				if on != flip[k] {
					yes++
				}
			}
			if 2*yes > len(chosen) {
				out[w] |= 1 << bit
			}
		}
	}
	return out
}

// selectFeatures keeps the features on which training and holdout seem to agree,
// strongest first, as an analyst would who trusts the holdout's answers.
func selectFeatures(train, hold *bitData, holdout *reusableHoldout, keep int) (chosen []int, flip []bool) {
	type scored struct {
		feature  int
		strength float64
		negative bool
	}
	var good []scored
	for f := range train.features {
		t, h := train.agreement(train.features[f]), hold.agreement(hold.features[f])
		answer := holdout.ask(t, h)
		if (t-0.5)*(answer-0.5) > 0 {
			good = append(good, scored{f, math.Abs(t-0.5) + math.Abs(answer-0.5), t < 0.5})
		}
	}
	slices.SortStableFunc(good, func(a, b scored) int { return cmp.Compare(b.strength, a.strength) })
	for _, g := range good[:min(keep, len(good))] {
		chosen, flip = append(chosen, g.feature), append(flip, g.negative)
	}
	return chosen, flip
}
