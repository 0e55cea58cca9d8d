package response

import (
	"math"

	"epsiloscope/accounting/special"
)

// excess returns ln Σ P(ℓ)(1 − e^{t−ℓ}) over the losses ℓ above t = ε(mean + y), rounded slightly
// up. Few points are summed one by one, many in blocks: over a block ln P, which is concave, lies below
// its tangent in the middle, and so does the concave 1 − e^{−x}. So each block is an upper bound, with an
// error of the order of the square of its width.
func (l equalResponses) excess(y float64) float64 {
	first := y + 2
	if l.exact() {
		// The smallest loss above t: an integer number of lies.
		lies := math.Ceil((l.Count-l.mean()-y)/2) - 1
		first = l.Count - l.mean() - 2*lies
		if lies < 0 {
			return math.Inf(-1)
		}
	}
	top := l.Count - l.mean()
	log, peak := math.Inf(-1), math.Inf(-1)
	// More than 12√expected + 120 lies above the expected number have a probability below e^{−70} (Bernstein). They are
	// charged at once: summing them one by one could take too long.
	expected := l.Count / (1 + math.Exp(l.Epsilon))
	if start := -24*math.Sqrt(expected) - 240; first < start {
		first += 2 * math.Floor((start-first)/2)
		log = -70
	}
	for at := math.Max(first, -top-2*l.mean()); at <= top+1e-6; {
		var term float64
		if block := l.blockSize(at-y, top-at); block < runLength {
			term, at = l.sumPoints(at, at-y, top)
		} else {
			mid := at + block - 1 // middle of block points at, at+2, …
			term = l.logP(mid) + logBlock(block, l.slope(mid), l.Epsilon, mid-y)
			at += 2 * block
		}
		log = special.LogAdd(log, term)
		peak = math.Max(peak, term)
		// Past the mode P falls at least geometrically.
		if s := l.slope(at); s < 0 && term < peak-40 {
			return special.LogAdd(log, l.logP(at)-special.Log1mExp(s)+1e-9)
		}
	}
	return log + 1e-13
}

// runLength is the number of single points that are summed before blocks are tried again. A
// smaller block would not be faster than its points.
const runLength = 64

// sumPoints returns ln of the sum over up to runLength single points from position y, which is gap above the threshold,
// and the position after them. It computes the first probability and multiplies it by a ratio from point to point.
func (l equalResponses) sumPoints(y, gap, top float64) (log, next float64) {
	base := l.logP(y)
	if l.Epsilon > 5 { // the ratio may leave float64
		return base + special.Log(-math.Expm1(-l.Epsilon*gap)), y + 2
	}
	lies := l.Count/(1+math.Exp(l.Epsilon)) - y/2
	truths := l.Count - lies
	odds, fade := math.Exp(l.Epsilon), math.Exp(-2*l.Epsilon)
	p, rest := 1.0, math.Exp(-l.Epsilon*gap) // e^{t−ℓ}
	sum := 0.0
	for i := 0; i < runLength && y <= top+1e-6; i++ {
		weight := 1 - rest
		if rest > 0.5 {
			weight = -math.Expm1(-l.Epsilon * gap)
		}
		sum += p * weight
		p *= lies / (truths + 1) * odds
		lies, truths = lies-1, truths+1
		rest *= fade
		gap += 2
		y += 2
	}
	return base + special.Log(sum), y
}

// blockWidth is the share of the local scale that a block may cover: its square,
// over 24, is the relative error.
const blockWidth = 1.0 / 128

// blockSize returns the number of points to take at once, gap above the threshold and `below` below
// the top (both in units of y). Two curvatures limit it: that of ln P, on the scale of the
// spread, and that of 1 − e^{−x}, which dies out as e^{−x}.
func (l equalResponses) blockSize(gap, below float64) float64 {
	points := math.Min(l.spread()/2, math.Exp(math.Min(100, l.Epsilon*gap/2))/(2*l.Epsilon))
	block := math.Min(math.Floor(blockWidth*points), math.Floor(below/2)+1)
	return math.Max(1, block)
}

// logBlock returns ln Σ e^{s·r}·w(r) over block points r steps from the middle one, where
// w is the tangent of 1 − e^{−x} at the middle, x = ε·gap there and 2ε per step.
func logBlock(block, s, epsilon, gap float64) float64 {
	x := epsilon * gap
	if block == 1 {
		return special.Log(-math.Expm1(-x))
	}
	// Σ e^{sr} = sinh(sB/2)/sinh(s/2), and Σ r·e^{sr} is its derivative.
	sum := special.Log(block) + logSinhc(s*block/2) - logSinhc(s/2)
	lean := block/2*langevin(s*block/2) - langevin(s/2)/2
	weight := -math.Expm1(-x) + 2*epsilon*math.Exp(-x)*lean
	return sum + special.Log(math.Max(weight, 0))
}

// logSinhc returns ln(sinh x/x) for the small x of a block.
func logSinhc(x float64) float64 {
	q := x * x
	return math.Log1p(q / 6 * (1 + q/20*(1+q/42)))
}

// langevin returns coth x − 1/x for the small x of a block.
func langevin(x float64) float64 {
	q := x * x
	return x / 3 * (1 - q/15*(1-2*q/21))
}
