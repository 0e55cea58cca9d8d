package pld_test

import (
	"math"
	"slices"
)

// far is where a Gaussian tail ends: beyond 14 deviations lies less than 1e-44.
const far = 14

// gaussianNoise returns N(shift, 1).
func gaussianNoise(with, without shifts) noise {
	density := func(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }
	a, b := with.span()
	c, d := without.span()
	return noise{
		with: with.of(density), without: without.of(density),
		knots: []float64{math.Min(a, c) - far, math.Max(b, d) + far},
	}
}

// laplaceNoise returns e^{−|x−shift|}/2: outside all shifts the loss stands still.
func laplaceNoise(with, without shifts) noise {
	density := func(x float64) float64 { return math.Exp(-math.Abs(x)) / 2 }
	n := noise{with: with.of(density), without: without.of(density), graded: true}
	for _, s := range [2]shifts{with, without} {
		at, _ := s.listed()
		n.knots = append(n.knots, at...)
	}
	slices.Sort(n.knots)
	n.knots = slices.Compact(n.knots)
	for _, end := range [2]float64{n.knots[0], n.knots[len(n.knots)-1]} {
		// ∫ of e^{−|x−s|}/2 from the outermost shift outward is its density there.
		n.points = append(n.points, unresolvedPoint(n.with(end), n.without(end)))
	}
	return n
}

// discreteGaussianNoise has P(x) ∝ e^{−(x−shift)²/(2σ²)} on the integers.
func discreteGaussianNoise(sigma float64, with, without shifts) noise {
	weight := func(x float64) float64 { return math.Exp(-x * x / (2 * sigma * sigma)) }
	reach, all := math.Ceil(far*sigma)+1, 0.0
	for x := -3 * reach; x <= 3*reach; x++ {
		all += weight(x)
	}
	p, q := with.of(weight), without.of(weight)
	a, b := with.span()
	c, d := without.span()
	var n noise
	for x := math.Min(a, c) - reach; x <= math.Max(b, d)+reach; x++ {
		n.points = append(n.points, unresolvedPoint(p(x)/all, q(x)/all))
	}
	return n
}

// discreteLaplaceNoise has P(x) ∝ e^{−|x−shift|/scale} on the integers.
func discreteLaplaceNoise(scale float64, with, without shifts) noise {
	fall := math.Exp(-1 / scale)
	weight := func(x float64) float64 { return math.Exp(-math.Abs(x)/scale) * (1 - fall) / (1 + fall) }
	p, q := with.of(weight), without.of(weight)
	a, b := with.span()
	c, d := without.span()
	least, most := math.Min(a, c), math.Max(b, d)
	var n noise
	for x := least; x <= most; x++ {
		tail := 1.0
		if x == least || x == most { // and everything farther out, a geometric series
			tail = 1 / (1 - fall)
		}
		n.points = append(n.points, unresolvedPoint(p(x)*tail, q(x)*tail))
	}
	return n
}

// promised returns the worst (ε, δ)-DP release: it fails with probability δ, on either
// side, and else answers a yes-or-no question, truly e^ε times as often.
func promised(epsilon, delta float64) noise {
	truth := (1 - delta) / (1 + math.Exp(-epsilon))
	lie := (1 - delta) / (1 + math.Exp(epsilon))
	n := noise{points: []outcome{unresolvedPoint(lie, truth), unresolvedPoint(truth, lie)}}
	if delta > 0 {
		n.points = append(n.points, unresolvedPoint(delta, 0), unresolvedPoint(0, delta))
	}
	return n
}

// promisedSteps returns the worst that several (ε, δ)-DP steps in a row allow: noise that
// each step shifts by one (Awan & Vadhan 2023, the canonical noise of that promise). Its
// distribution function F is straight on [−½, ½], where it rises from (1−δ)/(1+e^ε) to
// one minus that, and F(x−1) = max(0, e^{−ε}(F(x)−δ)) to the left; the right side
// mirrors it. So densities are constant between half-integers and fall by e^ε from one
// to the next, until they end: there a shift by k gives everything away, with
// probability δ(1 + e^ε + … + e^{(k−1)ε}).
func promisedSteps(epsilon, delta float64, k int) noise {
	edge := (1 - delta) / (1 + math.Exp(epsilon)) // F(−½)
	outer, gone := edge, 0.0                      // F(−½−k), and F where the noise starts, k to the right
	for range k {
		outer = math.Exp(-epsilon) * (outer - delta)
		gone = math.Exp(epsilon)*gone + delta
	}
	if outer <= 0 {
		panic("the noise ends within the shift")
	}
	middle := (math.Expm1(epsilon) + 2*delta) / (1 + math.Exp(epsilon))
	cell := func(j int) float64 { return middle * math.Exp(-epsilon*math.Abs(float64(j))) }
	n := noise{points: []outcome{unresolvedPoint(outer, edge-gone)}}
	for j := 0; j <= k; j++ {
		n.points = append(n.points, unresolvedPoint(cell(j-k), cell(j)))
	}
	n.points = append(n.points, unresolvedPoint(edge-gone, outer))
	if delta > 0 {
		n.points = append(n.points, unresolvedPoint(gone, 0), unresolvedPoint(0, gone))
	}
	return n
}

// choiceNoise returns k-ary randomized response: two neighbours agree on k − 2 answers.
func choiceNoise(epsilon float64, answers int) noise {
	all := math.Exp(epsilon) + float64(answers) - 1
	n := noise{points: []outcome{unresolvedPoint(1/all, math.Exp(epsilon)/all),
		unresolvedPoint(math.Exp(epsilon)/all, 1/all)}}
	if answers > 2 {
		other := float64(answers-2) / all
		n.points = append(n.points, unresolvedPoint(other, other))
	}
	return n
}

// rangeNoise returns the worst that bounded range allows if nature may choose the place of
// the range anew at every outcome: δ(x) = (√e^ε − √e^x)²/(e^ε − 1) has
// P(L > x) = δ − δ′, and so the density below, on the axis of losses.
func rangeNoise(epsilon float64) noise {
	with := func(x float64) float64 { return math.Exp((epsilon+x)/2) / (2 * math.Expm1(epsilon)) }
	return noise{
		with: with, without: func(x float64) float64 { return with(x) * math.Exp(-x) },
		knots: []float64{-epsilon, epsilon}, graded: true,
	}
}
