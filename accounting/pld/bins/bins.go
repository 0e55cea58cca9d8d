// Package bins adds up independent copies of one positive variable, from above and from
// below in convex order: what random allocation ("balls and bins") needs.
//
// X = exp(G/z − 1/(2z²)) with G standard normal has mean 1, and S is the sum of t
// independent copies. A spread of X that keeps its mean, and a spread of any partial sum,
// makes the mean of every convex function of S larger; a contraction that keeps the mean
// makes it smaller. So S is built by doubling, each sum being put on a mesh again: spread
// onto the two neighbours of a point that is left out (upper), or united with a neighbour at
// their common mean (lower). All terms are positive, so nothing cancels.
//
// # The mesh
//
// Values are multiples of a spacing that is a unit times a power of two: small where sums
// are likely, larger farther out. The points of one spacing are a [tier]. A sum of two values
// is a multiple of the smaller of their spacings, so most sums fall on points, nothing has
// to be spread, and tier by tier a sum of two lists is a convolution. Which points are left
// out is decided by the list itself: next to x points lie about η·E[S−x | S > x] apart, and
// η·E[x−S | S < x], if that is less. So both E(S−x)₊ and E(x−S)₊, which are all that is ever
// asked for, are off by a share of about η² with every sum, however small they are. Every
// mesh gives bounds; it decides how close they are.
package bins

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/bits"
	"slices"

	"epsiloscope/accounting/numeral"
)

// Value is a value of S and its mass.
type Value struct{ X, Q float64 }

// Sum is an estimate of the distribution of S.
type Sum struct {
	Values []Value // in order
	// Beyond bounds what is left out of an upper estimate: the probability of S being there,
	// and that probability weighted with S/t.
	Beyond Tails
	// Masses have at most the relative error Roundoff, and values Misplaced.
	Roundoff, Misplaced float64
}

// Tails are a probability, one weighted with S over its mean, and of the first what was left
// out for being too little to count, wherever S is.
type Tails struct{ Q, P, Little float64 }

// Lognormal returns the sum of t ≥ 1 copies of exp(G/z − 1/(2z²)) with fineness η, from above or
// from below. An upper estimate leaves out what lies beyond the cut: every G above it. An error is
// that of a context that has ended, or a side that is neither up nor down.
func Lognormal(ctx context.Context, t uint64, z, eta, cut float64, side numeral.Side) (Sum, error) {
	if side != numeral.Up && side != numeral.Down {
		return Sum{}, errors.New("an estimate lies above or below the truth")
	}
	w := &work{ctx: ctx, eta: eta, side: side}
	x := w.lognormal(z, cut)
	s := x
	for bit := bits.Len64(t) - 2; bit >= 0; bit-- {
		for _, v := range []*list{s, x}[:1+t>>bit&1] {
			if s = w.sum(s, v); s == nil {
				return Sum{}, ctx.Err()
			}
			s = w.remesh(s)
		}
	}
	out := Sum{Beyond: s.beyond, Roundoff: s.err + 64*ulp, Misplaced: s.off + 8*ulp}
	for i, r := range s.tiers {
		spacing := w.spacing(s.low + i)
		for j, q := range r.mass {
			x := float64(r.first+j) * spacing
			switch {
			case !(q > 0):
			case side == numeral.Up:
				out.Values = append(out.Values, Value{x, q})
			default:
				out.Values = append(out.Values, Value{r.moment[j] / q, q})
			}
		}
	}
	slices.SortFunc(out.Values, func(a, b Value) int { return cmp.Compare(a.X, b.X) })
	return out, nil
}

// underflow is more than all products that left the range of float64 come to.
const underflow = 1e-280

// ulp is the spacing of float64 at 1.
const ulp = 0x1p-52

// work is shared by all lists of one sum.
type work struct {
	ctx       context.Context
	eta, unit float64
	side      numeral.Side
}

func (w *work) spacing(tier int) float64 { return math.Ldexp(w.unit, tier) }

// list is the distribution of a partial sum.
type list struct {
	low      int // the tier that comes first
	tiers    []tier
	copies   float64
	beyond   Tails
	err, off float64 // relative, of a mass and of a value
}

func (l *list) tierAt(i int) tier {
	if i -= l.low; i >= 0 && i < len(l.tiers) {
		return l.tiers[i]
	}
	return tier{}
}

func (l *list) points() (n int) {
	for _, r := range l.tiers {
		n += len(r.mass)
	}
	return n
}

// sum returns the distribution of the sum of two independent partial sums, before it is put on a mesh; nil if
// the context ended before. What falls on tier i is a value of that tier plus one of the same
// or of a finer one: the finer ones are made coarser first, as they would be afterwards. The
// copies of both sides are counted for what is beyond: with S as a weight, one of them is drawn
// with its own value as the weight.
func (w *work) sum(u, v *list) *list {
	low, high := min(u.low, v.low), max(u.low+len(u.tiers), v.low+len(v.tiers))
	out := &list{low: low, tiers: make([]tier, high-low), copies: u.copies + v.copies}
	out.beyond = Tails{
		underflow + u.beyond.Q + v.beyond.Q,
		underflow + math.Max(u.beyond.P+v.beyond.Q, u.beyond.Q+v.beyond.P),
		underflow + u.beyond.Little + v.beyond.Little,
	}
	// Upper limit of the number of terms in a mass, here and until it is on its mesh.
	terms := ulp * float64(u.points()+v.points()+16*(high-low)+16)
	out.err, out.off = u.err+v.err+terms, math.Max(u.off, v.off)+2*terms
	var finerU, finerV tier
	for i := low; i < high; i++ {
		atU, atV := u.tierAt(i), v.tierAt(i)
		allU, allV := addTiers(finerU, atU), addTiers(finerV, atV)
		if n := len(allU.mass) + len(allV.mass) - 1; len(allU.mass) > 0 && len(allV.mass) > 0 {
			r := w.newTier(allU.first+allV.first, n)
			var ok bool
			if u == v { // half of the products are the other half
				ok = w.addSquare(r, atU) && w.addProduct(r, atU, finerU, 2)
			} else {
				ok = w.addProduct(r, atU, allV, 1) && w.addProduct(r, atV, finerU, 1)
			}
			if !ok {
				return nil
			}
			out.tiers[i-low] = r
		}
		finerU, finerV = w.coarser(allU, i), w.coarser(allV, i)
	}
	return out
}
