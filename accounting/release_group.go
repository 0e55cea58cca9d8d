package accounting

import (
	"math"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/renyi"
	"epsiloscope/accounting/special"
)

// GroupPrivacy returns the guarantee of r for a person with k records: k neighbouring steps in a
// row. Pure ε becomes kε, (ε, δ) becomes (kε, δ·(e^{kε}−1)/(e^ε−1)) (Dwork & Roth 2014, Theorem
// 2.2, summed), ρ becomes k²ρ (Bun & Steinke 2016, Proposition 1.9), μ becomes kμ (Dong, Roth &
// Su 2022, Theorem 6). A Rényi curve follows the least of these and of the weak triangle
// inequality. k is rounded up to a whole number.
//
// For a sampled release whose every sample is μ-Gaussian private it is a binomial mixture over
// the number of sampled records, which needs no more than that: see [pld.SampledGaussianGroup].
func GroupPrivacy(r Release, k float64) Release {
	r, k = checkAnswers(r), math.Ceil(k)
	switch {
	case !(finite(k) && k >= 1):
		return NewUnsupported(r.Name(), "the size of a group must be a finite number of at least 1")
	case k == 1:
		return r
	}
	if mu, q, replace, ok := sampledNoise(r); ok {
		return newSampledGroup(r.Name(), mu, q, k, replace)
	}
	return newGroup(r, k, "group", func(p pairs.Pair) pairs.Pair {
		if k >= math.MaxInt {
			return pairs.Pair{} // no pair, rather than that of a smaller group
		}
		return pairs.Group(p, int(k))
	})
}

// AddRemoveToReplace returns the guarantee under replace of a release known under add-remove: a
// record is removed, then another added. (ε, δ) becomes (2ε, (1+e^ε)δ), a Rényi curve follows
// the weak triangle inequality (Mironov 2017, Proposition 11). For sampled Gaussian noise the
// pair is exact: replacing a record can reverse the sign of its contribution.
func AddRemoveToReplace(r Release) Release {
	r = checkAnswers(r)
	if mu, q, replace, ok := sampledNoise(r); ok && !replace {
		return newSampledGroup(r.Name(), mu, q, 1, true)
	}
	return newGroup(r, 2, "replaced", pairs.Replace)
}

func newGroup(r Release, k float64, how string, pair func(pairs.Pair) pairs.Pair) Release {
	if p, ok := unwrapAs[pure](r); ok {
		return pureGroup(r.Name(), p.epsilon, k)
	}
	g := group{inner: r, k: k, step: curveOf(r)}
	if _, stated := statedPoints(r); k > 2 && !stated {
		// Every order of the group asks for hundreds, doubled and doubled again, of the step, whose curve may be an
		// integral at each. Stated points are cheap, and their curve has corners, which a chord would miss.
		g.step = (&renyi.Table{Curve: g.step}).At
	}
	g.derived = newDerived(newKeyed(r.Name(), how, k, KeyOf(r)), func(p []pairs.Pair) pairs.Pair {
		return pair(p[0])
	}, r)
	g.chain = &renyi.Table{Curve: renyi.Rising(func(alpha float64) float64 { return g.triangle(alpha, g.k) })}
	return g
}

// UsesGenericGroupBound reports whether r uses the group bound valid for every mechanism, which need not be
// tight.
func UsesGenericGroupBound(r Release) bool { _, ok := unwrapAs[group](r); return ok }

type group struct {
	*derived
	inner Release
	k     float64
	step  renyi.Curve  // of one step
	chain *renyi.Table // the triangle inequality, by order
}

func (g group) Approximate() (epsilon, delta float64, err error) {
	epsilon, delta, err = g.inner.Approximate()
	if err != nil {
		return epsilon, delta, err
	}
	return g.k * epsilon, special.GroupDelta(epsilon, delta, g.k), nil
}

func (g group) Gaussian() (mu float64, err error) {
	mu, err = g.inner.Gaussian()
	return g.k * mu, err
}

func (g group) Concentrated() (rho float64, err error) {
	rho, err = g.inner.Concentrated()
	rho *= g.k * g.k
	if epsilon, delta, none := g.inner.Approximate(); none == nil && delta == 0 {
		return math.Min(rho, stepsRenyi(epsilon, g.k, 1)), nil
	}
	return rho, err
}

func (g group) Renyi(alpha float64) (float64, error) {
	if mu, err := g.Gaussian(); err == nil {
		return GaussianDP(mu).Renyi(alpha)
	}
	if _, err := g.inner.Renyi(2); err != nil {
		return math.Inf(1), err
	}
	least := math.Inf(1)
	if epsilon, delta, err := g.inner.Approximate(); err == nil && delta == 0 {
		least = stepsRenyi(epsilon, g.k, alpha)
	}
	if rho, err := g.Concentrated(); err == nil && finite(rho) && !math.IsInf(alpha, 1) {
		least = math.Min(least, math.Max(1, alpha)*rho)
	}
	return math.Min(least, g.chain.At(alpha)), nil
}

// maxChainedSteps is the largest number of steps that are chained order by order.
const maxChainedSteps = 64

// triangle applies the weak triangle inequality (Mironov 2017, Proposition 11):
// D_α(P‖Q) ≤ (α−1/p)/(α−1)·D_{pα}(P‖R) + D_{p(α−1/p)/(p−1)}(R‖Q) for every p > 1.
// For two steps p is chosen well; for more the group is halved, with p = 2.
func (g group) triangle(alpha, k float64) float64 {
	switch {
	case k == 1:
		return g.step(alpha)
	case k > maxChainedSteps || !(alpha > 1) || math.IsInf(alpha, 1):
		return math.Inf(1)
	case k > 2:
		half := math.Floor(k / 2)
		return (alpha-0.5)/(alpha-1)*g.triangle(2*alpha, half) + g.triangle(2*alpha-1, k-half)
	}
	try := func(u float64) float64 {
		p := 1 + math.Exp(u)
		shifted := alpha - 1/p
		return shifted/(alpha-1)*g.triangle(p*alpha, 1) + g.triangle(p*shifted/(p-1), 1)
	}
	// p − 1 of the order of α − 1 near α = 1, and near 1 for large α.
	centre := special.Log(math.Min(1, alpha-1))
	at, least := centre, math.Inf(1)
	for _, step := range []float64{-2, -1, -0.5, 0, 0.5, 1} {
		if value := try(centre + step); value < least {
			at, least = centre+step, value
		}
	}
	// The curve of the best of several runs is so flat that each of these choices of p has a valley of its own over
	// α, of nearly the same depth. At the best p for each α there is one valley.
	if _, ok := unwrapAs[*bestOf](g.inner); ok && finite(least) {
		_, least = special.Brent(special.NoNaN(try), at-1, at+1, at, least)
	}
	// A curve that is stated at some orders is flat below the first and ends at the last: either order of the sum
	// may lie there. Without these choices of p the sum would have narrow valleys, which a search for α misses.
	if stated, ok := statedPoints(g.inner); ok {
		const inside = 1e-12
		for _, order := range []float64{stated.points[0].Alpha, stated.last().Alpha} {
			if finite(order) && order > alpha {
				least = min(least, try(math.Log(order/alpha-1)-inside), try(math.Log((alpha-1)/(order-alpha))+inside))
			}
		}
	}
	return least
}

// statedPoints returns the Rényi points from which a release, or one of the runs of which it is the best, is made.
func statedPoints(r Release) (renyiPoints, bool) {
	if b, ok := unwrapAs[*bestOf](r); ok {
		r = b.inner
	}
	return unwrapAs[renyiPoints](r)
}

// Profile returns the group bound at every ε: δ_k(kε) ≤ δ(ε)·(e^{kε}−1)/(e^ε−1).
func (g group) Profile(epsilon float64) (delta float64, err error) {
	if mu, err := g.Gaussian(); err == nil {
		return GaussianToDelta(mu, epsilon), nil
	}
	if epsilon < 0 {
		other, err := g.Profile(-epsilon)
		return -math.Expm1(epsilon) + math.Exp(epsilon)*other, err
	}
	inner, err := g.inner.Profile(epsilon / g.k)
	if err != nil {
		return 1, err
	}
	return special.GroupDelta(epsilon/g.k, inner, g.k), nil
}

// epsilonAt inverts the group bound in logarithms, from the inner profile alone.
func (g group) epsilonAt(logDelta float64) float64 {
	inner := logProfile(g.inner)
	total := memoProfile{of: func(epsilon float64) float64 {
		return inner(epsilon/g.k) + logGeometric(epsilon/g.k, g.k)
	}}
	return total.inverse(logDelta)
}

// logGeometric returns ln(1 + e^x + … + e^{(k−1)x}) for x ≥ 0.
func logGeometric(x, k float64) float64 {
	if x == 0 {
		return special.Log(k)
	}
	return (k-1)*x + special.Log1mExp(-k*x) - special.Log1mExp(-x)
}
