package spectrum

import (
	"context"
	"math"
)

// A plan with its frequencies comes in; the terms of the Fourier sum go out, and a bound on all terms that were
// left out.

// product is a term while the φ^K of its lines are multiplied into it.
type product struct {
	term
	most    float64    // a bound of ln|F|
	more    complex128 // what rare losses add to ln F,
	moreErr float64    // a bound on its error,
	gain    float64    // and one of what they add to that of ln|F|
}

// product returns the term of kΔ before the lines: the damping.
func (e *evaluation) product(k int) product {
	t := product{term: term{omega: float64(k) * e.spacing}}
	t.most = -e.square * t.omega * t.omega / 2
	return t
}

// times multiplies φ^K into a term.
func (t *product) times(count float64, p value) {
	t.log += count * p.log
	t.angle += count * p.angle
	t.most += count * p.most
	t.err += count * p.logErr
	t.err += unit * (math.Abs(t.log) + math.Abs(t.angle)) // every line rounds the sums so far
}

// multiply puts φ of a line at kΔ into a term, and the rare losses of that line.
func (e *evaluation) multiply(t *product, f *factor, k int, p value) {
	t.times(f.count, p)
	if f.beta != nil {
		beta, off := f.beta.betaAt(k, e.spacing)
		t.timesRare(f.count, p.phi, beta, off)
	}
}

// keep puts a term into the sum, or charges it if it is negligible or not known.
func (s *Spectrum) keep(t product) {
	t.log -= s.square * t.omega * t.omega / 2
	t.err += care * unit * (math.Abs(t.log) + math.Abs(t.angle))
	if t.log < s.plan.negligible(t.omega) || !(t.err < 1) {
		s.left += 2 * math.Exp(math.Max(t.most, t.log)) * s.kernelSize(t.omega)
		return
	}
	s.terms = append(s.terms, t.term)
}

// walk evaluates the frequencies block by block, and jumps where they are negligible; ok is
// false if that takes too much work.
func (e *evaluation) walk(ctx context.Context) (ok bool, err error) {
	work, most := 0.0, maxWork
	last, faded := 0, false
	for k, b := 1, 0; k <= e.count; k++ {
		for ; k > last; b++ { // the next block
			if last = max(e.first, 2*last); k > last {
				continue
			}
			nodes := 0
			for i := range e.factors {
				f := &e.factors[i]
				if err := ctx.Err(); err != nil {
					return false, err
				}
				if b > 0 {
					f.block = e.block(f, b)
				}
				nodes += len(f.block.rule.w) + 4
			}
			most = math.Max(most, 200*float64(nodes))
		}
		t := e.product(k)
		damping := t.most
		for i := range e.factors {
			if err := ctx.Err(); err != nil {
				return false, err
			}
			f := &e.factors[i]
			// Where the sum has faded a walk passes a block in a few jumps.
			whole := !faded && f.block.whole(f.count)
			p := f.block.phiAt(ctx, e.of.cache, k, e.spacing, whole)
			f.deficit, f.err = p.deficit, p.err+f.block.shifted
			e.multiply(&t, f, k, p)
			work += f.block.work(whole) + f.beta.work()
		}
		e.finishRare(&t)
		e.keep(t)
		if work > most || work > most/8 && t.most > -2 && k < e.count/8 { // it does not even begin to fade
			return false, nil
		}
		if faded = false; t.most < e.plan.negligible(t.omega) && !e.apart {
			end := float64(min(last, e.count)) * e.spacing // of what the rules are good for
			below := e.plan.negligible(t.omega) + uncomputedMargin
			gone := e.jump(damping, below, end-t.omega, end)
			n, left := int(math.Floor(gone/e.spacing)), min(last, e.count)-k
			faded = n >= left/8 // a few more jumps to the end of the block
			if n = min(n, left); n >= 1 {
				e.left += 2 * float64(n) * math.Exp(below) * e.kernelSize(t.omega)
				k += n
			}
		}
	}
	return true, nil
}

// negligibleLog is the logarithm of the size below which a term is negligible at the narrowest width. Terms that are
// never computed may be larger than the negligible size by the factor e^uncomputedMargin.
const (
	negligibleLog    = -41.0
	uncomputedMargin = 3.0
)

// jump returns how far from ω every |F| certainly stays below e^{below}.
//
// Let X and Y be two draws from the tilted nodes and v their variance. g = |φ|² has the second
// derivative −E(X−Y)²cos ω(X−Y), between −2v and 2v. As g and 1−g are not negative, g′ ≤ 2√(v·g)
// and g′ ≤ 2√(v(1−g)). (Landau's inequality: a function f ≥ 0 with f″ ≤ 2v has f′² ≤ 4vf, or the
// parabola around it would dip below 0.) Hence
//
//	1 − g(ω+D) ≥ 1 − g(ω) − 2D√(v·min(g, 1−g)) − vD².
//
// That holds for the nodes with their own mass and mean. φ differs from that by the relative
// errors σ and ωτ of second-order quantities, for which a millionth of 1 − g is set aside, and
// by what is charged at the end, up to which the rules of these blocks are good.
func (e *evaluation) jump(damping, below, limit, end float64) float64 {
	type fall struct{ gone, steep, spread, half float64 } // of |φ|² at ω, and half the number of releases
	falls := make([]fall, len(e.factors))
	for i, f := range e.factors {
		t := f.block.rule
		if !(t.sigma+end*t.tau < 1e-8) {
			return 0
		}
		far := t.common(end) + t.displacementError(end)
		falls[i] = fall{
			f.deficit*(1-1e-6) - 2*f.err - f.err*f.err - 2*far - far*far,
			2 * math.Sqrt(t.spread*math.Max(0, math.Min(f.deficit, 1-f.deficit)+2*f.err)) * (1 + 1e-6),
			t.spread * (1 + 1e-6), f.count / 2,
		}
	}
	fades := func(d float64) bool {
		log := damping
		for _, f := range falls {
			if gone := f.gone - d*(f.steep+d*f.spread); gone > 0 {
				log += f.half * logWithout(gone)
			}
		}
		return log < below
	}
	if limit <= 0 || fades(limit) {
		return math.Max(0, limit)
	}
	d, hi := 0.0, limit
	for hi-d > 0.1*d+e.spacing/4 && e.of.ctx.Err() == nil {
		if mid := (d + hi) / 2; fades(mid) {
			d = mid
		} else {
			hi = mid
		}
	}
	return d
}

// logWithout returns an upper bound of ln(1 − x), for an x > 0 that may be rounded above 1.
func logWithout(x float64) float64 {
	if x < 0.05 {
		return -x * (1 + x/2) // every term of the series is negative
	}
	return math.Log1p(-math.Min(1-1e-12, x))
}
