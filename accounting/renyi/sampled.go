package renyi

import (
	"math"
	"slices"
	"sync"

	"epsiloscope/accounting/special"
)

// SampledCurve amplifies a bare Rényi curve by Poisson sampling at rate q (Zhu & Wang 2019,
// Theorem 6): at whole orders e^{(α−1)D} is at most
//
//	(1−q)^{α−1}(αq−q+1) + C(α,2)q²(1−q)^{α−2}e^{r(2)} + 3·Σ_{l≥3} C(α,l)(1−q)^{α−l}q^l e^{(l−1)r(l)}.
//
// The binomial weights B_l sum to 1, so that is 1 + B₂(e^{r(2)}−1) +
// Σ_{l≥3} B_l(3e^{(l−1)r(l)}−1): terms that are not negative beside a 1 that the logarithm
// takes off, and nothing cancels however small they are.
func SampledCurve(curve Curve, q float64) Curve {
	excess := func(l float64) float64 { // ln(e^{(l−1)r(l)} − 1) at 2, ln(3e^{(l−1)r(l)} − 1) above
		inner := (l - 1) * curve(l)
		if l == 2 {
			return inner + special.Log1mExp(-inner)
		}
		return inner + math.Log(3-math.Exp(-inner))
	}
	return wholeOrders(excess, 0, func(l, a float64) float64 { return special.LogBinomial(l, a, q) })
}

const maxTableOrder = 256

// wholeOrders returns ln(1 + Σ_{l≥2} weight·e^{term})/(α−1) at whole orders, the chord between
// them, and +Inf beyond the table. The sum is raised by a factor e^{slack}. Terms are computed once, when an
// order first needs them: most searches end far below the last.
func wholeOrders(term func(l float64) float64, slack float64, logWeight func(l, alpha float64) float64) Curve {
	var mu sync.Mutex
	var terms []float64 // from l = 2 on
	upTo := func(alpha float64) []float64 {
		mu.Lock()
		defer mu.Unlock()
		for l := float64(len(terms) + 2); l <= alpha; l++ {
			terms = append(terms, term(l))
		}
		return terms
	}
	at := func(alpha float64) float64 {
		sum := math.Inf(-1)
		for i, t := range upTo(alpha) {
			l := float64(i + 2)
			if l > alpha {
				break
			}
			sum = special.LogAdd(sum, logWeight(l, alpha)+t)
		}
		return special.Softplus(sum+slack) / (alpha - 1)
	}
	return func(alpha float64) float64 {
		whole := math.Floor(alpha)
		switch {
		case !(alpha >= 1) || whole >= maxTableOrder && alpha > whole || whole > maxTableOrder:
			return math.Inf(1)
		case whole < 2: // D does not decrease in α
			return at(2)
		case whole == alpha:
			return at(whole)
		}
		return Chord(whole, at(whole), whole+1, at(whole+1), alpha)
	}
}

// SampledReplace amplifies a bare Rényi curve where the two data sets share what they give
// without the record (Wang, Balle & Kasiviswanathan 2019, Theorem 9): at whole orders
// e^{(α−1)D} is at most
//
//	1 + q²·C(α,2)·min{4(e^{r(2)}−1), e^{r(2)}·min{2, (e^{r(∞)}−1)²}}
//	  + Σ_{j≥3} q^j·C(α,j)·e^{(j−1)r(j)}·min{2, (e^{r(∞)}−1)^j}.
func SampledReplace(curve Curve, q float64) Curve {
	spread := math.Inf(1) // ln(e^{r(∞)} − 1)
	if top := curve(math.Inf(1)); !math.IsInf(top, 1) {
		spread = top + special.Log1mExp(-top)
	}
	factor := func(j float64) float64 { // ln of the factor of q^j·C(α,j)
		v := curve(j)
		factor := (j-1)*v + math.Min(math.Ln2, j*spread)
		if j == 2 {
			factor = math.Min(factor, 2*math.Ln2+v+special.Log1mExp(-v))
		}
		return factor
	}
	return wholeOrders(factor, 1e-11, func(j, a float64) float64 {
		return special.LogChoose(a, j) + j*math.Log(q)
	})
}

// SampledPure returns the larger divergence of the two-point mixture (1−q)Q + qP
// against Q and back, (P, Q) randomized response with the given ε.
func SampledPure(q, epsilon, alpha float64) float64 {
	up, down := special.LogMix(q, epsilon), special.LogMix(q, -epsilon)
	lie, truth := -special.Softplus(epsilon), -special.Softplus(-epsilon)
	remove := []special.Outcome{{LogQ: lie, Loss: up}, {LogQ: truth, Loss: down}}
	add := []special.Outcome{{LogQ: lie + up, Loss: -up}, {LogQ: truth + down, Loss: -down}}
	return math.Max(special.DiscreteRenyi(remove, alpha), special.DiscreteRenyi(add, alpha))
}

// SampledReplacePure returns the Rényi divergence under replace of a pure ε-DP release sampled with rate q,
// whose losses are ±ε′ and 0 with ε′ = ln(1+q(e^ε−1)).
func SampledReplacePure(q, epsilon, alpha float64) float64 {
	up := special.LogMix(q, epsilon)
	low := -special.Softplus(epsilon)
	return special.DiscreteRenyi([]special.Outcome{
		{LogQ: low, Loss: up},
		{LogQ: math.Log1p(-q) + low + epsilon + special.Log1mExp(-epsilon), Loss: 0},
		{LogQ: low + up, Loss: -up},
	}, alpha)
}

// SampledGaussian is Poisson-subsampled Gaussian noise, (1−q)N(0,1) + qN(μ,1) against N(0,1). Its Rényi divergence is
// the larger of the two directions (Mironov, Talwar & Zhang 2019, Theorem 5).
//
// It is the integral of e^{(α−1)D} − 1 = E[s·φ(x)] + E[(1+x)(e^{sy}−1−sy)], with s = α−1,
// 1+x the likelihood ratio at a standard normal point w and y its logarithm, by the
// trapezoidal rule, which converges geometrically here. No term is negative, so D keeps its
// digits however small q is. The points of a larger order begin with those of a smaller one: the first are kept.
// Several goroutines must not ask at once.
type SampledGaussian struct {
	q, mu float64
	nodes []gaussianNode
}

// gaussianNode is a point of the integral: y, the logarithm of the density −w²/2, and that of the sum of the first
// expectation up to here.
type gaussianNode struct{ y, weight, kl float64 }

// NewSampledGaussian returns the noise of mean μ sampled at rate q.
func NewSampledGaussian(q, mu float64) *SampledGaussian { return &SampledGaussian{q: q, mu: mu} }

// Renyi returns D_α. ok is false where αμ is so large that the integral would take too long; what it costs depends on
// αμ, not on α.
func (g *SampledGaussian) Renyi(alpha float64) (r float64, ok bool) {
	// The nearest singularity, ratio 0, lies π/μ off the real axis: half a 1/μ as
	// step leaves e^{−39}.
	h := math.Min(0.5, 0.5/g.mu)
	s := math.Max(1, alpha) - 1
	low, high := -9.5, (1+s)*g.mu+9.5
	n := math.Ceil((high - low) / h)
	if !(n <= 2000) {
		return 0, false
	}
	nodes := g.first(int(n)+1, low, h)
	kl, unit := nodes[len(nodes)-1].kl, math.Log(h)-0.5*math.Log(2*math.Pi)
	if s == 0 {
		return math.Exp(kl + unit), true
	}
	rest := math.Inf(-1)
	for _, at := range nodes {
		if at.y != 0 {
			rest = special.LogAdd(rest, at.weight+at.y+special.LogExpRemainder(s*at.y))
		}
	}
	return special.Softplus(special.LogAdd(math.Log(s)+kl, rest)+unit) / s, true
}

// keptNodes limits the points that are kept, so that a long list of entries fits into memory.
const keptNodes = 512

// first returns the first n points, h apart from low on.
func (g *SampledGaussian) first(n int, low, h float64) []gaussianNode {
	nodes, kl := g.nodes, math.Inf(-1)
	if known := len(nodes); known >= n {
		return nodes[:n]
	} else if known > 0 {
		kl = nodes[known-1].kl
	}
	nodes = slices.Grow(slices.Clip(nodes), n-len(nodes))
	for i := len(nodes); i < n; i++ {
		w := low + float64(i)*h
		y, weight := special.LogMix(g.q, g.mu*w-g.mu*g.mu/2), -w*w/2
		kl = special.LogAdd(kl, special.LogEntropyRemainder(weight, y))
		nodes = append(nodes, gaussianNode{y, weight, kl})
	}
	if n <= keptNodes {
		g.nodes = nodes
	}
	return nodes
}
