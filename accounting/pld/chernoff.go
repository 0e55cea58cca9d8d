package pld

import (
	"math"

	"epsiloscope/accounting/special"
)

// deepEnough is ln of a tilted mass that no longer matters: below it a tail bound is
// not worth improving.
const deepEnough = -33

// descend looks for the s that makes Chernoff's bound f least. ln of the bound is
// convex in s, and every s of the right sign is valid, so the search may stop anywhere:
// from s it goes by factors of two, up while that helps, else down, but |s| stays at
// least at the given size. A bound near e^0 says nothing, and one above it is no bound
// at all: the start comes from an outline, which knows nothing of thin far tails.
func descend(f func(s float64) float64, s, least, enough float64) (at, value float64) {
	at, value = s, f(s)
	if value <= enough {
		return at, value
	}
	try := func(s float64) bool {
		if v := f(s); v < value || math.IsNaN(value) {
			at, value = s, v
			return true
		}
		return false
	}
	for i := 0; i < 12 && value > enough && try(2*at); i++ {
	}
	if at == s {
		for i := 0; i < 60 && value > enough && math.Abs(at)/2 > least && try(at/2); i++ {
		}
	}
	if least > 0 && value > enough {
		try(math.Copysign(least, s))
	}
	if math.IsNaN(value) {
		return at, math.Inf(1)
	}
	return at, value
}

// outside is ln of Chernoff's bound on the tilted mass of count copies beyond x.
func (t tilted) outside(count, x, s float64) float64 {
	return count*logMeanExp(t.losses, t.p, s, t.mean) - s*(x-count*t.mean)
}

// beyond is a bound on the tilted mass of count copies beyond x, on the side of s. It is
// at most the whole, round-off included.
func (t tilted) beyond(count, x, s, enough float64) float64 {
	_, log := descend(func(s float64) float64 { return t.outside(count, x, s) }, s, 0, enough)
	return math.Exp(math.Min(log, count*1e-12))
}

// under bounds what the copies that end up below the start weigh when all of them are
// moved up to it: Σ p̃·e^{θ(start−S)} over S < start, the P-mass there at the weight of the
// start. No point lies within half a step of start − step/2, and for s ≤ −θ
// e^{θ(start−S)} ≤ e^{θ·step/2}·e^{s(S−start+step/2)}.
func (t tilted) under(count, start, theta, s float64) float64 {
	if count == 1 {
		sum := 0.0
		for i, x := range t.losses {
			if x < start-t.step/2 {
				sum += math.Exp(math.Log(t.p[i]) + theta*(start-x))
			}
		}
		return sum * (1 + 1e-9)
	}
	_, log := descend(func(s float64) float64 { return t.outside(count, start-t.step/2, s) }, math.Min(s, -theta), theta, deepEnough)
	return math.Exp(log + theta*t.step/2)
}

// outsideAll is ln of Chernoff's bound on the tilted mass of all shares beyond x.
func outsideAll(shares []*share, x, s float64) float64 {
	_, log := descend(func(s float64) float64 {
		sum := -s * x
		for _, sh := range shares {
			sum += logMeanExp(sh.losses, sh.p, s, sh.mean) + s*sh.mean
		}
		return sum
	}, s, 0, deepEnough)
	return log
}

// tangent is Chernoff's bound for one s: ln of the tilted mass at least x above the
// start (below, if s < 0) is at most log − s·x.
type tangent struct{ log, s float64 }

// ladder is a set of tangents for what lies far out of the window's middle.
func (t tilted) ladder(count, start, end float64, w window) []tangent {
	var out []tangent
	up, _ := descend(func(s float64) float64 { return t.outside(count, end, s) }, w.sUp, 0, deepEnough)
	down, _ := descend(func(s float64) float64 { return t.outside(count, start, s) }, w.sDown, 0, deepEnough)
	for k := 0.25; k <= 64; k *= 4 {
		for _, s := range [2]float64{k * up, k * down} {
			out = append(out, tangent{t.outside(count, start, s), s})
		}
	}
	return out
}

// logMeanExp is ln Σ p̃·e^{s(ℓ−m)} for tilted masses that sum to one up to round-off.
func logMeanExp(loss, mass []float64, s, m float64) float64 {
	top := 0.0
	for _, x := range loss {
		top = math.Max(top, s*(x-m))
	}
	if top > 30 {
		terms := make([]float64, 0, len(loss))
		for i, x := range loss {
			if mass[i] > 0 {
				terms = append(terms, math.Log(mass[i])+s*(x-m))
			}
		}
		return special.LogSumExp(terms)
	}
	sum, total := 0.0, 0.0
	for i, x := range loss {
		sum += mass[i] * math.Expm1(s*(x-m))
		total += mass[i]
	}
	return math.Log1p(sum + math.Max(0, total-1))
}
