package spectrum

import (
	"context"
	"math"
)

// phi is the characteristic function of the tilted law around its mean at ω, as the
// logarithm of its modulus and its angle, with a bound on its absolute error.
//
// With x = ℓ − mean it is 1 + Σ w(e^{iωx} − 1 − iωx): the weights add up to 1 and the mean of x
// is 0, both known from the cumulants to the precision of second-order sums; so the
// constant and the linear term are left out term by term, and K·ω·round-off never enters.
// For the numbers at hand Σ w = 1 − σ and Σ wℓ = mean − τ, which leaves
// σ(e^{−iωm} − 1 + iωm) + iωτ(e^{−iωm} − 1): charged.
func (t *tilted) phi(ctx context.Context, omega float64) (log, angle, err float64) {
	a, b, err := t.around(ctx, omega)
	err += t.common(omega) + t.displaced(omega)
	return 0.5 * math.Log1p(math.Max(-1, 2*a+a*a+b*b)), math.Atan2(b, 1+a), err
}

// around is Σ w(e^{iωx} − 1 − iωx) and what round-off may have done to it.
func (t *tilted) around(ctx context.Context, omega float64) (a, b, err float64) {
	var size, byWeight, byLoss float64
	for i, w := range t.w {
		if ended(ctx, i) {
			return 0, 0, math.Inf(1)
		}
		y := omega * t.x[i]
		sin, cos := math.Sincos(y / 2)
		re, im := 2*sin*sin, sinm1(y, 2*sin*cos)
		a -= w * re
		b += w * im
		size += w * math.Abs(im)
		byWeight += t.werr[i] * (re + math.Abs(im))
		byLoss += t.xerr[i] * math.Abs(sin)
	}
	return a, b, byWeight + unit*float64(len(t.w)+care)*(size-a) + 2*omega*byLoss
}

// ended reports, every so many steps of a long sum, whether its context has ended.
func ended(ctx context.Context, step int) bool {
	const between = 1 << 14
	return step%between == between-1 && ctx.Err() != nil
}

// atMost bounds ln|φ| given its logarithm and its error.
func atMost(log, err float64) float64 {
	if log < -0.5 {
		return math.Min(0, math.Log(math.Exp(log)+err))
	}
	return math.Min(0, log+math.Log1p(err*math.Exp(-log)))
}

// displaced is the error for Σ w not being 1 and Σ wℓ not being the mean.
func (t *tilted) displaced(omega float64) float64 {
	turn := omega * math.Abs(t.mean)
	return t.sigma*turn*math.Min(turn/2, 1+2/turn) + t.tau*omega*math.Min(2, turn)
}

// common is the error that has nothing to do with how the sum is taken: the rule, the
// mean, the nodes left out.
func (t *tilted) common(omega float64) float64 {
	return t.rule + omega*(t.line+t.meanErr+t.awayX) + t.away
}

// term is one frequency of the sum: F = e^{Λ(ζ) − Λ(θ)} around the mean, as a logarithm and an
// angle, and a bound on the error of ln F, so on |true F / F − 1| ≤ e^{err} − 1. more is what
// rare losses add to ln F, while it is gathered.
type term struct {
	omega, log, angle, err float64
	more                   complex128
	moreErr                float64
}

// deep is ln of what a term may be to count as nothing at the narrowest of widths, and
// spare by how much terms that are never computed may be larger.
const (
	deep  = -41.0
	spare = 3.0
)

// local is 1 − |φ|² of one line at some ω, and the error of φ there.
type local struct{ deficit, err float64 }

// jump is how far from ω every |F| certainly stays below e^{below}.
//
// Let X and Y be two draws from the tilted nodes and v their variance. g = |φ|² has the second
// derivative −E(X−Y)²cos ω(X−Y), between −2v and 2v. As g and 1−g are positive, g′ ≤ 2√(v·g) and
// g′ ≤ 2√(v(1−g)) (Landau's inequality: a positive function with f″ ≤ 2v has f′² ≤ 4vf, or the
// parabola around it would dip below 0). Hence
//
//	1 − g(ω+D) ≥ 1 − g(ω) − 2D√(v·min(g, 1−g)) − vD².
//
// That holds for the nodes with their own mass and mean; φ differs from that by the relative
// errors σ and ωτ of second-order quantities, for which a millionth of 1 − g is set aside,
// and by what is charged at the end, up to which the rules of these blocks are good.
func (s *Spectrum) jump(blocks []*block, at []local, damping, below, limit, end float64) float64 {
	far := make([]float64, len(blocks))
	for i, b := range blocks {
		t := b.rule
		if !(t.sigma+end*t.tau < 1e-8) {
			return 0
		}
		far[i] = t.common(end) + t.displaced(end)
	}
	nothing := func(d float64) bool {
		log := damping
		for i, b := range blocks {
			t := b.rule
			gone := at[i].deficit*(1-1e-6) - 2*at[i].err - at[i].err*at[i].err
			steep := 2 * math.Sqrt(t.spread*math.Max(0, math.Min(at[i].deficit, 1-at[i].deficit)+2*at[i].err))
			gone -= d * (steep + d*t.spread) * (1 + 1e-6)
			gone -= 2*far[i] + far[i]*far[i]
			if gone > 0 {
				log += s.counts[i] / 2 * math.Log1p(-math.Min(1-1e-12, gone))
			}
		}
		return log < below
	}
	if limit <= 0 || nothing(limit) {
		return math.Max(0, limit)
	}
	d, hi := 0.0, limit
	for range 60 {
		if hi-d <= 0.1*d+s.spacing/4 {
			break
		}
		if mid := (d + hi) / 2; nothing(mid) {
			d = mid
		} else {
			hi = mid
		}
	}
	return d
}

func sum(xs []float64) float64 {
	var total adder
	for _, x := range xs {
		total.add(x)
	}
	return total.sum()
}

func dot(a, b []float64) float64 {
	var total adder
	for i, x := range a {
		total.add(x * b[i])
	}
	return total.sum()
}

func dotAbs(a, b []float64) float64 {
	total := 0.0
	for i, x := range a {
		total += math.Abs(x * b[i])
	}
	return total
}
