package pld

import "math"

// Pure is the pair of any ε-DP release: randomized response with that ε dominates
// it (Kairouz, Oh, Viswanath 2015, Theorem 3.4 with δ = 0).
func Pure(epsilon float64) Pair { return Approximate(epsilon, 0) }

// Approximate is the pair of any (ε, δ)-DP release: with probability δ the record is
// given away (loss +∞), else randomized response (Kairouz, Oh, Viswanath 2015,
// section 3.2, the four-point pair).
func Approximate(epsilon, delta float64) Pair {
	switch {
	case delta >= 1:
		return everything()
	case epsilon > 1e15:
		return tooLarge("approximate("+number(epsilon)+","+number(delta)+")", Approximate(1e15, delta))
	case !(epsilon > 0) && !(delta > 0):
		return nothing()
	}
	epsilon, delta = math.Max(epsilon, 0), math.Max(delta, 0)
	key := "pure(" + number(epsilon) + ")"
	if delta > 0 {
		key = "approximate(" + number(epsilon) + "," + number(delta) + ")"
	}
	hi := (1 - delta) / (1 + math.Exp(-epsilon))
	lo := (1 - delta) * math.Exp(-epsilon) / (1 + math.Exp(-epsilon))
	points := []atom{{-epsilon, lo, hi}, {epsilon, hi, lo}}
	d := newDiscrete(key, points, delta, delta)
	d.shift = func(k float64) Pair { return promised(epsilon, delta, k) }
	return symmetric(d)
}

// Response is the pair of k-ary randomized response, k = categories ≥ 2: of k
// answers the true one is given e^ε times as often as each other one. Two
// neighbours agree on k − 2 answers, whose loss is 0 (Kairouz, Bonawitz, Ramage
// 2016).
func Response(epsilon float64, categories int) Pair {
	if categories <= 2 || !(epsilon > 0) || epsilon > 700 {
		return Pure(epsilon)
	}
	k := float64(categories)
	far := math.Exp(-epsilon)
	z := 1 + (k-1)*far // all weights divided by e^ε, lest it overflow
	points := []atom{
		{-epsilon, far / z, 1 / z},
		{0, (k - 2) * far / z, (k - 2) * far / z},
		{epsilon, 1 / z, far / z},
	}
	key := "response(" + number(epsilon) + "," + number(k) + ")"
	return symmetric(newDiscrete(key, points, 0, 0))
}
