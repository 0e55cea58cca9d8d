package spectrum

import (
	"context"
	"math"
	"slices"
)

// A walk at a frequency where the sum has faded comes in; how many frequencies it certainly need not compute goes out.
//
// Under a measure of mass 1 every e^{iωx} is a unit vector, and φ(ω − ω′) is the inner product of two of them. So
// arccos|φ(ω − ω′)| is the angle between the lines on which they lie, and one side of a triangle is at least the
// difference of the two others:
//
//	arccos|φ(ω ± jΔ)| ≥ arccos|φ(ω)| − arccos|φ(jΔ)| ≥ arccos|φ(ω)| − j·arccos|φ(Δ)|.
//
// The measure is that of the loss itself, so that it does not matter by which rules φ is known at ω and at Δ. All of
// this holds relative to its true mass M(θ).

// negligibleLog is the logarithm of the size below which a term is negligible at the narrowest width. Terms that are
// never computed may be larger than the negligible size by the factor e^uncomputedMargin.
const (
	negligibleLog    = -41.0
	uncomputedMargin = 3.0
)

// skipLimit returns ln of what |F| must be below after kΔ not to be computed.
func (e *evaluation) skipLimit(k int) float64 {
	return e.plan.negligible(float64(k)*e.spacing) + uncomputedMargin
}

// skip charges the n frequencies after k, of which every ln|F| is at most log.
func (e *evaluation) skip(k, n int, log float64) {
	if n > 0 {
		e.left += 2 * float64(n) * math.Exp(log) * e.kernelSize(float64(k)*e.spacing)
	}
}

// jump returns how many frequencies after the last one, at most limit, certainly have an |F| below e^{below}, or up to
// a tenth less, and a bound of their ln|F|.
func (e *evaluation) jump(damping, below float64, limit int) (n int, most float64) {
	angles := make([]float64, len(e.factors))
	for i := range angles {
		angles[i] = leastAngle(e.factors[i].most) - e.factors[i].askew
	}
	bound := func(n int) float64 { // which rises with n
		log := damping
		for i, angle := range angles {
			f := &e.factors[i]
			log += f.count * logCos(angle-float64(n)*f.step)
		}
		return log
	}
	for end := limit + 1; end-n > 1+n/10 && e.of.ctx.Err() == nil; {
		mid := (n + end) / 2
		if end > limit { // the whole way first
			mid = limit
		}
		if log := bound(mid); log < below {
			n, most = mid, log
		} else {
			end = mid
		}
	}
	return n, most
}

// passOctave returns a bound of ln|F| in the octave after k, a power of two, if all of it certainly is below
// [evaluation.skipLimit]; else times is 0. The octave is divided into parts, and the middle of each speaks for all of
// it: times says whether it does so even for a part that is 1, 2 or 4 times as long. It does not try if the middles are
// more work than an eighth of all frequencies, which transforms may give sooner.
func (e *evaluation) passOctave(ctx context.Context, k, parts int) (times int, most float64) {
	length := k / parts
	if length < 2 {
		return 0, 0
	}
	n := (min(k, e.count-k) + length - 1) / length
	var work, all float64
	for i := range e.factors {
		f := &e.factors[i]
		work += float64(n) * f.block.work(false)
		all += float64(k) * f.block.work(f.block.whole(f.count))
	}
	if work > all/8 {
		return 0, 0
	}
	e.work += work
	angles := make([][]float64, len(e.factors))
	for i := range e.factors {
		f := &e.factors[i]
		if ctx.Err() != nil {
			return 0, 0
		}
		angles[i] = f.block.leastAngles(ctx, e.of.cache, k, length, n, e.spacing)
	}
	damping, below := e.product(k).most, e.skipLimit(k)
	logs := make([]float64, n)
	for longer := 1; longer <= 4; longer *= 2 {
		for j := range logs {
			logs[j] = damping
		}
		for i, middles := range angles {
			f := &e.factors[i]
			away := f.askew + float64(longer*length/2)*f.step
			for j, angle := range middles {
				logs[j] += f.count * logCos(angle-away)
			}
		}
		log := slices.Max(logs)
		if !(log < below) {
			break
		}
		if times = longer; longer == 1 {
			most = log
		}
	}
	return times, most
}

// leastAngle returns what arccos|φ| is at least if ln|φ| is at most x ≤ 0. It is rounded down by more than the sum of
// ten million lines rounds.
func leastAngle(x float64) float64 {
	return math.Atan2(math.Sqrt(-math.Expm1(2*x)), math.Exp(x)) * (1 - 1e-9)
}

// mostAngle returns what arccos|φ| is at most if M(θ) may move it by askew: |φ|² is off by at most 2·err, and by twice
// the error of M(θ). It is rounded up by more than an arc sine next to 1 is off.
func mostAngle(p phi, askew float64) float64 {
	gone := math.Max(0, -math.Expm1(2*p.log)+3*p.err+askew*askew)
	return math.Asin(math.Min(1, math.Sqrt(gone))) * (1 + 1e-7)
}

// askew returns by how much an angle arccos|φ| is off at most if M(θ) has the relative error z: by an x with
// cos x ≤ 1 − z. For |φ| is off by at most the factor 1/cos x, and cos(a−x) ≥ cos a/cos x for every a ≥ x, as
// tan a ≥ tan x. Below π/2, cos x ≤ 1 − x²/4.
func askew(z float64) float64 { return 2 * math.Sqrt(z) }

// logCos bounds ln cos x from above for 0 < x ≤ π/2, and 0 for a smaller x: no term of the series has a positive sign.
func logCos(x float64) float64 {
	if x <= 0 {
		return 0
	}
	y := x * x
	return -y * (1./2 + y*(1./12+y/45))
}
