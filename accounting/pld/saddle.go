package pld

import "math"

// composedOutline is the outline of a whole stack at one tilt.
type composedOutline struct {
	lines []weighted
	theta float64
	total cumulants // of the composed loss
}

type weighted struct {
	outline
	count float64
	at    cumulants
}

func composeOutlines(lines []weighted, theta float64) composedOutline {
	c := composedOutline{lines: lines, theta: theta}
	for i := range lines {
		l := &lines[i]
		l.at = l.outline.at(theta)
		c.total.log += l.count * l.at.log
		c.total.mean += l.count * l.at.mean
		c.total.variance += l.count * l.at.variance
	}
	return c
}

// saddle finds the tilt that centres the composed loss on the ε in question. The
// minimiser of (Λ(θ) + ln 1/δ)/θ, the Rényi optimum α − 1, solves θΛ′ − Λ = ln 1/δ; but
// δ also has the factor E[e^{−θx}(1 − e^{−x})₊], far below one where losses are small, and
// what it explains need not be explained by the tilt.
func saddle(lines []weighted, logDelta float64) composedOutline {
	plain := composeOutlines(lines, 0)
	if plain.total.variance == 0 {
		return plain
	}
	least := math.Inf(1)
	for _, l := range lines {
		if l.at.variance > 0 {
			least = math.Min(least, l.at.variance)
		}
	}
	copies := 0.0
	for _, l := range lines {
		copies += l.count
	}
	lo, hi := 1e-6/math.Sqrt(plain.total.variance), 40/math.Sqrt(least)
	// θΛ′ − Λ grows with θ up to ln 1/P(largest loss). Where that is less than what is
	// needed, ε lies next to the largest loss: tilted far enough is then far enough.
	floor, limit := 0.0, -12.0
	if far := composeOutlines(lines, hi); hi*far.total.mean-far.total.log < -logDelta {
		floor, limit = 1e-2*plain.total.variance/math.Max(1, copies), math.Inf(-1)
	}
	need := math.Max(0.05, -logDelta)
	theta := math.Min(hi, math.Max(lo, math.Sqrt(2*need/plain.total.variance)))
	var c composedOutline
	for i := 0; i < 80; i++ {
		c = composeOutlines(lines, theta)
		// While there is a tail to explain δ, losses that crowd in one place do not.
		need := math.Max(0.05, math.Max(limit, c.factor())-logDelta)
		gap := theta*c.total.mean - c.total.log - need
		if c.total.variance < floor { // all on the largest loss: far enough
			gap = need
		}
		if math.Abs(gap) < 1e-3*need {
			break
		}
		if gap > 0 {
			hi = theta
		} else {
			lo = theta
		}
		slope := theta * c.total.variance
		next := theta - gap/slope
		if !(next > lo && next < hi) || i%4 == 3 {
			next = math.Sqrt(lo * hi)
		}
		if hi/lo < 1.001 {
			break
		}
		theta = next
	}
	return c
}

// factor is ln E[e^{−θx}(1 − e^{−x})₊], about, for x normal around 0 with the composed
// deviation σ: 1/(θ(1+θ)σ√2π) where the tilt decays faster than the density, else what
// the density alone gives.
func (c composedOutline) factor() float64 {
	t, deviation := c.theta, math.Sqrt(c.total.variance)
	steep := 1 / (t * (1 + t) * deviation)
	flat := math.Min(1, deviation)
	return math.Min(0, math.Log(0.4*math.Min(steep, flat)))
}
