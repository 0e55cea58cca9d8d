package certify

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"epsiloscope/certificate"
)

// The lattice has cellsPerDeviation steps per standard deviation of one release's loss, which costs about 1e-4 of ε.
// The step is larger if the composition would have more than maxCells cells, so that a check takes well below a minute.
const (
	cellsPerDeviation = 30
	cellsPerSample    = 14 // of a sampled release, whose loss has a long tail
	cellsBetween      = 8  // from the middle of a Laplace loss to its end
	maxCells          = 40_000
	maxAligned        = 150_000
)

// chooseParameters fills in step, digits, cut, tests and offsets.
func chooseParameters(c *certificate.Certificate, list []namedRelease) {
	variance, smooth, releases, widest, cells, between := 0.0, 0.0, 0.0, 0.0, float64(cellsPerDeviation), 1.0
	var common *big.Rat // greatest common divisor of the spacings
	for _, n := range list {
		variance += n.count * n.deviation * n.deviation
		releases += n.count
		widest = math.Max(widest, n.deviation)
		if n.Q != "" {
			cells = cellsPerSample
		}
		if n.Kind == "laplace" { // atoms at both ends, and a density between them
			between = cellsBetween
		}
		if n.spacing == nil {
			smooth += n.count
		} else {
			common = commonDivisor(common, n.spacing)
		}
	}
	delta, _ := rational(c.Delta).Float64()
	// deviations from end to end, beyond which less than δ/1e8 lies
	tail := 2 * math.Sqrt(2*math.Log(1e8*releases/delta))
	reach := math.Max(tail*math.Sqrt(variance)+variance, 2*widest)
	step := reach / 200 // atoms on lattice points lose nothing
	if smooth > 0 {
		step = math.Sqrt(variance/smooth) / cells
	}
	// reach is 0 if nothing but a failure is released
	step = math.Min(1, math.Max(step, math.Max(reach/maxCells, 1e-5)))
	c.Step = strconv.FormatFloat(step, 'f', 12, 64)
	if common != nil {
		size, _ := common.Float64()
		// A multiple of the step is the common spacing: the largest such step that is not above the other.
		pieces := math.Max(1, math.Ceil(size/step*(1-1e-9)))
		if smooth == 0 {
			pieces = math.Max(between, math.Ceil(size))
		}
		if reach/(size/pieces) <= maxAligned {
			aligned := new(big.Rat).Quo(common, new(big.Rat).SetFloat64(pieces))
			c.Step = plainDecimal(truncate(aligned, 40))
			for i, n := range list {
				if n.spacing != nil {
					c.Releases[i].Offset = offsetBelow
				}
			}
		}
	}
	points := reach/step + 1000
	c.Cut = "1e-" + strconv.Itoa(min(36, int(math.Ceil(math.Log10(releases/delta)))+7))
	c.Digits = strconv.Itoa(min(38, max(20, int(math.Ceil(math.Log10(releases*points/delta)))+7)))
}

// commonDivisor returns the greatest common divisor of two rationals; nil stands for none yet.
func commonDivisor(a, b *big.Rat) *big.Rat {
	if a == nil {
		return b
	}
	num := new(big.Int).GCD(nil, nil, new(big.Int).Mul(a.Num(), b.Denom()), new(big.Int).Mul(b.Num(), a.Denom()))
	return new(big.Rat).SetFrac(num, new(big.Int).Mul(a.Denom(), b.Denom()))
}

// truncate cuts a rational to `places` decimals.
func truncate(r *big.Rat, places int64) *big.Rat {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(places), nil)
	n := new(big.Int).Mul(r.Num(), scale)
	return new(big.Rat).SetFrac(n.Quo(n, r.Denom()), scale)
}

// offsetBelow is the offset for losses that are lattice points. It puts the lattice just below them: at an offset of 0
// the slope of a leg equals that of an edge, and the rounding of the check would decide whether the edge is followed.
const offsetBelow = "-1e-15"

// chooseOffsets sets the offset of each release that has none yet, other than Gaussian noise, so that the lower end is
// large. It is never 0: an atom may have loss 0.
func chooseOffsets(c *certificate.Certificate) {
	pairs, g := estimateReleases(c)
	for i, p := range pairs {
		if p.offset != 0 || p.kind == "gaussian" || p.kind == "fixed_batch_gaussian" {
			continue
		}
		best := 0.0
		if !p.isTable {
			best = g.bestOffset(p)
		}
		text := strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(best, 'f', 20, 64), "0"), ".")
		if strings.Trim(text, "-0") == "" {
			text = offsetBelow
		}
		c.Releases[i].Offset = text
	}
}
