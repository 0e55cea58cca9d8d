package pairs

import (
	"math"

	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/special"
)

// The families of noise and of stated guarantees, each written once: its atoms and densities, its
// closed curve, and what is known of its Rényi divergence.

// widest is the largest μ whose sampled losses are resolved: the rules' lengths grow like μ². A single release beyond
// it has an ε in the tens of thousands. steepest is the largest ε whose e^{−ε} stays in float64.
const (
	widest   = 200
	steepest = 700
)

// Gaussian returns the pair of a release that is exactly μ-GDP: Gaussian noise of standard
// deviation σ on a query of sensitivity Δ₂ has μ = Δ₂/σ. It is N(μ,1) against N(0,1):
// L ~ N(μ²/2, μ²) under P and N(−μ²/2, μ²) under Q (Dong, Roth, Su 2022, section 2.3), and
// D_α = αμ²/2 (Mironov 2017, Corollary 3).
func Gaussian(mu float64) Pair {
	switch {
	case mu == 0:
		return identicalPair()
	case !(mu > 0):
		return invalidPair()
	case mu > 1e8:
		return tooLarge("gaussian("+number(mu)+")", Gaussian(1e8))
	}
	return SymmetricPair(exactLoss(gaussian(mu)))
}

func gaussian(mu float64) *Estimate {
	l := newEstimate("gaussian("+number(mu)+")", func() loss.Distribution { return loss.Gaussian(mu) },
		func(epsilon float64) float64 { return special.LogGaussianProfile(mu, epsilon) })
	l.bound = func(alpha float64) float64 { return alpha * mu * mu / 2 }
	l.boundIsExact, l.unresolvable = true, mu >= widest
	l.orders = gaussianOrders(mu)
	l.family, l.size = "gaussian", mu
	l.form = Form{Kind: l.family, Size: mu}
	l.steps = func(k float64) Pair { return Gaussian(k * mu) }
	return l
}

// gaussianOrders returns the largest order up to which a sampled Gaussian is summed: the mass of
// order α lies around αμ, and the panels of a rule there narrow with μ; beyond 1e5 of them
// closed bounds are all but exact.
func gaussianOrders(mu float64) float64 { return 1e5 / (mu * math.Max(1, mu)) }

// Laplace returns the pair of Laplace noise with scale b on a query of sensitivity Δ₁, ε = Δ₁/b.
// It dominates vectors of that ℓ₁ sensitivity too. Its curve is 1 − e^{(t−ε)/2} for |t| ≤ ε
// (Balle, Barthe, Gaboardi 2018).
func Laplace(epsilon float64) Pair {
	return boundedPair("laplace", epsilon, Laplace, loss.Laplace,
		func(t float64) float64 { return special.Log1mExp((t - epsilon) / 2) },
		func(alpha float64) float64 { return special.LaplaceRenyi(epsilon, alpha) * (1 + 1e-14) })
}

// boundedPair returns the pair of a family of losses from −ε to ε, the same in both directions,
// with the given curve between them and the given Rényi divergence. Beyond ε the curve is 0,
// below −ε it is 1 − e^t.
func boundedPair(family string, epsilon float64,
	pair func(float64) Pair, of func(float64) loss.Distribution, curve, renyi func(float64) float64) Pair {
	key := family + "(" + number(epsilon) + ")"
	switch {
	case epsilon == 0:
		return identicalPair()
	case !(epsilon > 0):
		return invalidPair()
	case epsilon > 1e15:
		return tooLarge(key, pair(1e15))
	}
	l := newEstimate(key, func() loss.Distribution { return of(epsilon) }, func(t float64) float64 {
		switch {
		case t >= epsilon:
			return math.Inf(-1)
		case t <= -epsilon:
			return special.Log1mExp(t)
		}
		return curve(t)
	})
	l.bound, l.boundIsExact = renyi, renyi != nil
	l.unresolvable = epsilon >= steepest
	l.family, l.size = family, epsilon
	l.form = Form{Kind: family, Size: epsilon}
	l.steps = func(k float64) Pair { return pair(k * epsilon) }
	return SymmetricPair(exactLoss(l))
}

// BoundedRange returns the pair of a release of ε-bounded range: the exponential mechanism, or
// report noisy max with Gumbel noise.
//
// A mechanism has ε-bounded range if, for each ordered pair of neighbours, its loss
// stays in [t−ε, t] for some t ∈ [0, ε] (Durfee & Rogers 2019). For a given t the
// hockey-stick curve is largest for the two-point pair with losses t and t−ε: δ is
// the expectation under Q of the convex function (r − e^x)₊ of the ratio r = P/Q, r
// has mean 1 and lies in [e^{t−ε}, e^t], and among such variables the one on the two
// ends is largest in convex order. Writing E = e^ε, T = e^t, g = e^x, its curve is
//
//	δ_t(x) = (E − T)(1 − g/T)/(E − 1)   for t−ε ≤ x ≤ t,
//
// largest over t at T = √(Eg), that is t = (x+ε)/2, which lies in [0, ε] exactly
// when |x| ≤ ε. So whatever t nature chooses,
//
//	δ(x) ≤ (√E − √g)²/(E − 1)   for |x| ≤ ε,
//
// 0 above ε and 1 − e^x below −ε. The right side is decreasing and convex in g, is 1
// at g = 0 and at least 1 − g: it is the curve of a pair (Zhu, Dong, Wang 2022,
// Proposition 8), with
//
//	Q(L > x) = −dδ/dg = (√(E/g) − 1)/(E − 1),   P(L > x) = √E(√E − √g)/(E − 1).
//
// There are no atoms, as the slope is continuous at both ends, and the pair is
// symmetric. It dominates for every real x, hence composes adaptively (Theorem 10
// there), although t may differ from release to release. Its variance per release
// is about ε²/3, against ε² for the pair of Pure. Its Rényi divergence is valid but not the
// best known, which is a supremum over t per order, below the supremum of the curves.
func BoundedRange(epsilon float64) Pair {
	return boundedPair("bounded-range", epsilon, BoundedRange, loss.BoundedRange, func(x float64) float64 {
		// (1 − e^{(x−ε)/2})² / (1 − e^{−ε})
		return 2*special.Log1mExp((x-epsilon)/2) - special.Log1mExp(-epsilon)
	}, nil)
}

// Pure returns the pair of any ε-DP release: randomized response with that ε dominates
// it (Kairouz, Oh, Viswanath 2015, Theorem 3.4 with δ = 0).
func Pure(epsilon float64) Pair { return Approximate(epsilon, 0) }

// Approximate returns the pair of any (ε, δ)-DP release: with probability δ the record is
// given away (loss +∞), else randomized response (Kairouz, Oh, Viswanath 2015,
// section 3.2, the four-point pair).
func Approximate(epsilon, delta float64) Pair {
	switch {
	case !(epsilon >= 0 && delta >= 0):
		return invalidPair()
	case delta >= 1:
		return disclosingPair()
	case epsilon > 1e15:
		return tooLarge("approximate("+number(epsilon)+","+number(delta)+")", Approximate(1e15, delta))
	case epsilon == 0 && delta == 0:
		return identicalPair()
	}
	key := "pure(" + number(epsilon) + ")"
	if delta > 0 {
		key = "approximate(" + number(epsilon) + "," + number(delta) + ")"
	}
	hi := (1 - delta) / (1 + math.Exp(-epsilon))
	lo := (1 - delta) * math.Exp(-epsilon) / (1 + math.Exp(-epsilon))
	l := newList(key, []atom{{-epsilon, lo, hi}, {epsilon, hi, lo}}, delta, delta, 0)
	l.steps = func(k float64) Pair { return approximateGroup(epsilon, delta, k) }
	l.form = Form{Kind: "approximate", Size: epsilon, Delta: delta}
	if delta == 0 {
		l.family, l.size = "pure", epsilon
		l.form = Form{Kind: "pure", Size: epsilon}
	}
	return SymmetricPair(exactLoss(l))
}

// Response returns the pair of k-ary randomized response, k = categories ≥ 2: of k
// answers the true one is given e^ε times as often as each other one. Two
// neighbours agree on k − 2 answers, whose loss is 0 (Kairouz, Bonawitz, Ramage
// 2016); which answers these are is no secret, and the other two are binary response.
func Response(epsilon float64, categories int) Pair {
	if categories <= 2 || !(epsilon > 0) {
		return Pure(epsilon)
	}
	k, far := float64(categories), math.Exp(-epsilon)
	all := 1 + (k-1)*far // of many categories few differ: 1 less what agrees would have no digits
	return RevealedMixture([]float64{(k - 2) * far / all, (1 + far) / all}, []Pair{identicalPair(), Pure(epsilon)})
}

// identicalPair returns the pair of two equal distributions: a release that costs nothing.
func identicalPair() Pair {
	l := newList("nothing", []atom{{0, 1, 1}}, 0, 0, 0)
	l.form = Form{Kind: "nothing"}
	return SymmetricPair(exactLoss(l))
}

// disclosingPair returns the pair of a release that discloses the record.
func disclosingPair() Pair { return SymmetricPair(exactLoss(newList("everything", nil, 1, 1, 0))) }

// invalidPair returns the pair of a release with a number that cannot be: negative, or no number at
// all. It may give the record away, and it may cost nothing.
func invalidPair() Pair {
	l := unlistable("invalid")
	l.note = "a number of a release is negative or not a number, so nothing is known of it"
	return SymmetricPair(l)
}

// orInvalid returns the pair, or an invalid one if a direction is missing or a zero value.
func (p Pair) orInvalid() Pair {
	if !p.Remove.IsSet() || !p.Add.IsSet() {
		return invalidPair()
	}
	return p
}

// IsSet reports whether a loss was made by this package: the zero value has no distribution.
func (l *Loss) IsSet() bool { return l != nil && l.upper != nil && l.lower != nil }

// tooLarge returns a release whose number is beyond what is computed with: it may give the
// record away, and costs no less than the largest that is.
func tooLarge(key string, largest Pair) Pair {
	return bracketPair(key, disclosingPair(), largest, "a parameter is outside the range that can be computed; the release is treated as having no protection")
}

// unlistable returns a loss that cannot be listed: it may give the record away, and it may cost
// nothing. What is only feared gives no lower end.
func unlistable(key string) *Loss {
	return &Loss{key, disclosingPair().Remove.upper, identicalPair().Remove.lower,
		"a release in it has too many steps or losses to be listed, so there is no upper end"}
}
