package pld_test

import (
	"math"
	"slices"
)

// noise is a mechanism as an attacker sees it: how likely each outcome is with the
// record and without it. It is written down from the mechanisms' definitions and
// shares nothing with the accountant under test.
//
// Outcomes lie on a line, on which the loss ln(with/without) never falls. Between two
// knots both densities are smooth; single outcomes have a probability of their own.
type noise struct {
	with, without func(x float64) float64
	knots         []float64
	graded        bool // the knots are ends of the support: look closely near them
	points        []outcome
}

// outcome is a thing an attacker may see, or a range of such things, whose losses
// lie in [lo, hi].
type outcome struct{ with, without, lo, hi float64 }

func unresolvedPoint(with, without float64) outcome {
	loss := math.Log(with / without)
	return outcome{with, without, loss, loss}
}

func (n noise) loss(x float64) float64 { return math.Log(n.with(x) / n.without(x)) }

// sampled is the same mechanism when the record takes part with probability rate.
func (n noise) sampled(rate float64) noise {
	mix := func(with, without float64) float64 { return (1-rate)*without + rate*with }
	out := n
	if n.with != nil {
		out.with = func(x float64) float64 { return mix(n.with(x), n.without(x)) }
	}
	out.points = nil
	for _, o := range n.points {
		out.points = append(out.points, unresolvedPoint(mix(o.with, o.without), o.without))
	}
	return out
}

// legendre are the nodes and weights of Gauss's rule with five points on [−1, 1].
var legendre = [5][2]float64{
	{-0.9061798459386640, 0.2369268850561891},
	{-0.5384693101056831, 0.4786286704993665},
	{0, 0.5688888888888889},
	{0.5384693101056831, 0.4786286704993665},
	{0.9061798459386640, 0.2369268850561891},
}

// outcomes cuts the line into ranges, about count of them.
func (n noise) outcomes(count int) []outcome {
	out := append([]outcome(nil), n.points...)
	if len(n.knots) < 2 {
		return out
	}
	each := count / (len(n.knots) - 1)
	for i := 1; i < len(n.knots); i++ {
		from, to := n.knots[i-1], n.knots[i]
		last, lastLoss := from, n.loss(from)
		for k := 1; k <= each; k++ {
			u := float64(k) / float64(each)
			if n.graded {
				a, b := math.Pow(u, 4), math.Pow(1-u, 4)
				u = a / (a + b)
			}
			x := from + (to-from)*u
			if x <= last {
				continue
			}
			o := n.between(last, x)
			o.lo, o.hi = lastLoss, n.loss(x)
			last, lastLoss = x, o.hi
			out = append(out, o)
		}
	}
	return out
}

func (n noise) between(from, to float64) (o outcome) {
	middle, half := (from+to)/2, (to-from)/2
	for _, g := range legendre {
		x := middle + half*g[0]
		o.with += half * g[1] * n.with(x)
		o.without += half * g[1] * n.without(x)
	}
	return o
}

// reversed reads every outcome with the roles of the two data sets swapped.
func reversed(all []outcome) []outcome {
	out := make([]outcome, len(all))
	for i, o := range all {
		out[i] = outcome{o.without, o.with, -o.hi, -o.lo}
	}
	return out
}

// shifts says how far the record moves the centre of the noise, and how likely.
type shifts map[float64]float64

// chosen returns the shift by k records of which each takes part with probability rate.
func chosen(k int, rate, step float64) shifts {
	out := shifts{}
	for j := 0; j <= k; j++ {
		ways := math.Round(math.Exp(lnChoose(k, j)))
		out[float64(j)*step] += ways * math.Pow(rate, float64(j)) * math.Pow(1-rate, float64(k-j))
	}
	return out
}

func lnChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// listed returns the shifts in increasing order, with their weights.
func (s shifts) listed() (at, weights []float64) {
	for x := range s {
		at = append(at, x)
	}
	slices.Sort(at)
	for _, x := range at {
		weights = append(weights, s[x])
	}
	return at, weights
}

func (s shifts) span() (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for x := range s {
		least, most = math.Min(least, x), math.Max(most, x)
	}
	return least, most
}

// of spreads a density, or a probability, over the shifts, in a fixed order.
func (s shifts) of(f func(float64) float64) func(float64) float64 {
	at, weights := s.listed()
	return func(x float64) float64 {
		sum := 0.0
		for i, a := range at {
			sum += weights[i] * f(x-a)
		}
		return sum
	}
}

var still = shifts{0: 1}
