package pld

import (
	"math"
	"math/big"
)

// mostRuns is up to how many runs are listed: so many powers of a rounded e^ε still have
// their digits.
const mostRuns = 256

// Power is the pair of n runs of an (ε, δ) promise as one release: the losses are whole
// numbers of ε, their masses binomial (Kairouz, Oh, Viswanath 2015, Theorem 3.3). Of more
// runs than can be listed it is the promise of their total.
func Power(epsilon, delta, n float64) Pair {
	if !(n <= mostRuns) || n != math.Trunc(n) || n < 1 || !(epsilon > 0) || !(epsilon < 700) || delta >= 1 {
		return Approximate(n*epsilon, math.Min(1, n*delta))
	}
	key := "power(" + number(epsilon) + "," + number(delta) + "," + number(n) + ")"
	kept := n * math.Log1p(-delta)
	masses := binomialOdds(math.Exp(epsilon), int(n))
	points := make([]atom, len(masses))
	for i := range masses {
		p, q := masses[i], masses[len(masses)-1-i]
		points[i] = atom{(2*float64(i) - n) * epsilon, p * math.Exp(kept), q * math.Exp(kept)}
	}
	top := -math.Expm1(kept)
	return symmetric(newDiscrete(key, points, top, top))
}

// binomialOdds are the binomial probabilities of n draws with the given odds.
func binomialOdds(odds float64, n int) []float64 {
	of := func(x float64) *big.Float { return new(big.Float).SetPrec(192).SetFloat64(x) }
	terms, sum := make([]*big.Float, n+1), of(0)
	w := of(1)
	for i := range terms {
		terms[i] = new(big.Float).Set(w)
		sum.Add(sum, w)
		w.Mul(w, of(odds))
		w.Mul(w, of(float64(n-i)))
		w.Quo(w, of(float64(i+1)))
	}
	out := make([]float64, n+1)
	for i, t := range terms {
		out[i], _ = t.Quo(t, sum).Float64()
	}
	return out
}
