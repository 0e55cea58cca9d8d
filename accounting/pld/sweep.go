package pld

import "math"

// grain is one indivisible piece of a law, for the sweep: its P-mass, the logarithm
// of its ratio P/Q, and a loss that the ratio of every part of it reaches at least.
type grain struct{ p, ratio, low float64 }

// sink collects P-masses by grid index.
type sink func(index float64, p float64)

// gridIndex is the largest grid index whose loss is not above x; a hair of
// tolerance keeps what lies on the grid there (charged as round-off).
func gridIndex(x, origin, step float64) float64 {
	return math.Floor((x-origin)/step + gridTolerance)
}

// gridTolerance is in units of the step.
const gridTolerance = 1e-11

// sweepDown is the exact-ratio sweep from the largest loss down. Grains come in
// decreasing order of ratio. Neighbouring ones are joined, the last one by a
// fraction, until the block's ratio is exactly a grid value: randomised
// post-processing, hence a stand-in from below, and it loses only the variance
// within blocks. The last block, above its target, is rounded down; by how much is
// returned.
func sweepDown(grains []grain, origin, step float64, out sink) (residue float64) {
	for i, left := 0, 1.0; i < len(grains); {
		g := grains[i]
		if math.IsInf(g.ratio, 1) { // its Q-mass underflowed: only a floor is known
			out(gridIndex(g.low, origin, step), g.p*left)
			i, left = i+1, 1
			continue
		}
		j := gridIndex(g.ratio, origin, step)
		target := origin + j*step
		mass := g.p * left
		surplus := -mass * math.Expm1(target-g.ratio) // A − x·B
		i, left = i+1, 1
		for i < len(grains) && surplus > 0 {
			g = grains[i]
			d := -g.p * math.Expm1(target-g.ratio)
			if surplus+d >= 0 {
				surplus += d
				mass += g.p
				i++
				continue
			}
			f := surplus / -d
			mass += f * g.p
			left = 1 - f
			surplus = 0
		}
		residue = -math.Log1p(-math.Max(0, surplus) / mass)
		out(j, mass)
	}
	return residue
}

// sweepUp is the mirror image: grains in increasing order of ratio, each block raised
// until its ratio is a grid value from below.
func sweepUp(grains []grain, origin, step float64, out sink) (residue float64) {
	for i, left := 0, 1.0; i < len(grains); {
		g := grains[i]
		if math.IsInf(g.ratio, 1) {
			out(gridIndex(g.low, origin, step), g.p*left)
			i, left = i+1, 1
			continue
		}
		j := math.Ceil((g.ratio-origin)/step - gridTolerance)
		target := origin + j*step
		mass := g.p * left
		deficit := mass * math.Expm1(target-g.ratio) // x·B − A
		q := mass * math.Exp(target-g.ratio)         // x·B
		i, left = i+1, 1
		for i < len(grains) && deficit > 0 && !math.IsInf(grains[i].ratio, 1) {
			g = grains[i]
			d := -g.p * math.Expm1(target-g.ratio)
			if d <= deficit {
				deficit -= d
				mass += g.p
				q += g.p * math.Exp(target-g.ratio)
				i++
				continue
			}
			f := deficit / d
			mass += f * g.p
			left = 1 - f
			deficit = 0
		}
		if deficit > 0 { // short of its target: rounded down
			ratio := target + math.Log(mass/q)
			j = gridIndex(ratio, origin, step)
			residue = ratio - (origin + j*step)
		}
		out(j, mass)
	}
	return residue
}

func reverseGrains(g []grain) {
	for i, j := 0, len(g)-1; i < j; i, j = i+1, j-1 {
		g[i], g[j] = g[j], g[i]
	}
}
