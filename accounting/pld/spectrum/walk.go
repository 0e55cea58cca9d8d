package spectrum

import (
	"context"
	"math"
	"math/bits"
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

// walk evaluates the frequencies one after the other. From one where the sum has faded it jumps, at most to the end of
// the octave, a power of two. If nothing in that octave counted it tries to pass the next one at once, in about as many
// parts as the jumps were. ok is false if all that takes too much work.
func (e *evaluation) walk(ctx context.Context) (ok bool, err error) {
	loud, visits := 0, 0 // the last term that counts, and the frequencies since it or since an octave began
	faded := false
	for k := 1; k <= e.count; k++ {
		if err := e.enter(ctx, k); err != nil {
			return false, err
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
			if f.most = p.most; k == 1 {
				f.step = mostAngle(p.phi, f.askew)
			}
			e.multiply(&t, f, k, p)
			e.work += f.block.work(whole) + f.beta.work()
		}
		e.finishRare(&t)
		e.keep(t)
		if e.work > e.mostWork || e.work > e.mostWork/8 && t.most > -2 && k < e.count/8 { // it does not begin to fade
			return false, nil
		}
		visits++
		if faded = t.most < e.plan.negligible(t.omega) && !e.apart; !faded {
			loud, visits = k, 0
			continue
		}
		end := min(1<<bits.Len(uint(k-1)), e.count)
		n, most := e.jump(damping, e.skipLimit(k), end-k)
		faded = n >= (end-k)/8 // a few more jumps to the end of the octave
		e.skip(k, n, most)
		if k += n; k != end {
			continue
		}
		for parts := 1 << bits.Len(uint(visits-1)); k < e.count && loud <= k/2; k = min(2*k, e.count) {
			if err := e.enter(ctx, k+1); err != nil {
				return false, err
			}
			times, most := e.passOctave(ctx, k, parts)
			if times == 0 {
				break
			}
			e.skip(k, min(k, e.count-k), most)
			parts = max(1, 2*parts/times)
		}
		visits = 0
	}
	return true, nil
}

// enter takes the block of the frequency k from every line.
func (e *evaluation) enter(ctx context.Context, k int) error {
	for ; k > e.last; e.blocks++ {
		if e.last = max(e.first, 2*e.last); k > e.last {
			continue
		}
		nodes := 0
		for i := range e.factors {
			f := &e.factors[i]
			if err := ctx.Err(); err != nil {
				return err
			}
			if e.blocks > 0 {
				f.block = e.block(f, e.blocks)
			}
			nodes += len(f.block.rule.w) + 4
		}
		e.mostWork = math.Max(e.mostWork, 200*float64(nodes))
	}
	return nil
}
