// Package renyi has what is known of Rényi curves as numbers: those of sampled releases,
// bounds between orders, the order at which a curve converts best.
package renyi

import (
	"math"
	"sync"
)

// Curve bounds the Rényi divergence at each order α ≥ 1; +Inf where nothing is known.
type Curve func(alpha float64) float64

// Table is a Rényi curve that is expensive to evaluate, kept at fixed orders as they are asked
// for. Between them the chord of the convex (α−1)·D_α is an upper bound, at most (e^{1/64} −
// 1)²/4, six parts in 1e5, above a curve that grows as fast as α does. Without it the theorems
// that search both a split of δ and an order would evaluate the curve a hundred thousand times.
type Table struct {
	Curve Curve
	known Memo
}

const chordSteps = 64 // per e-fold of α−1

func (t *Table) At(alpha float64) float64 {
	if !(alpha > 1) || math.IsInf(alpha, 1) {
		return t.Curve(alpha)
	}
	j := int(math.Floor(chordSteps * math.Log(alpha-1)))
	a, b := 1+math.Exp(float64(j)/chordSteps), 1+math.Exp(float64(j+1)/chordSteps)
	if !(a < alpha && alpha < b) {
		return t.Curve(alpha)
	}
	ra, rb := t.known.At(a, t.Curve), t.known.At(b, t.Curve)
	if math.IsInf(ra, 1) || math.IsInf(rb, 1) {
		return math.Inf(1)
	}
	return Chord(a, ra, b, rb, alpha)
}

// Memo keeps a curve at the orders it was asked for: searches start from the same
// ones again and again.
type Memo struct {
	mu    sync.Mutex
	known map[float64]float64
}

// memoSize bounds what a memo keeps.
const memoSize = 1 << 12

func (m *Memo) At(alpha float64, curve Curve) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.known[alpha]; ok {
		return v
	}
	if m.known == nil || len(m.known) >= memoSize {
		m.known = map[float64]float64{}
	}
	v := curve(alpha)
	m.known[alpha] = v
	return v
}

// Chord bounds D_α between two orders a < α < b from its values there, by the
// convexity of (α−1)·D_α (van Erven & Harremoës 2014, Corollary 2).
func Chord(a, ra, b, rb, alpha float64) float64 {
	w := (alpha - a) / (b - a)
	return ((1-w)*(a-1)*ra + w*(b-1)*rb) / (alpha - 1)
}

// Rising returns a curve that is nowhere above the given one, and takes from larger orders what is less there: D_α does
// not fall as α rises, so a bound on D_β holds for every α ≤ β. Bounds that come by way of other orders, such as the
// triangle inequality, can fall. The larger orders are about one per e-fold of α − 1 and the end of every search,
// evaluated when the first value is asked for.
func Rising(curve Curve) Curve {
	const first, orders = -4, 24
	least := sync.OnceValue(func() (least [orders + 1]float64) {
		least[orders] = curve(1 + maxOrder)
		for i := orders - 1; i >= 0; i-- {
			least[i] = math.Min(least[i+1], curve(1+math.Exp(float64(first+i))))
		}
		return least
	})
	return func(alpha float64) float64 {
		r := curve(alpha)
		if !(alpha <= 1+maxOrder) {
			return r
		}
		next := 0
		if alpha > 1 {
			next = max(0, int(math.Ceil(math.Log(alpha-1)))-first)
		}
		for next < orders && 1+math.Exp(float64(first+next)) < alpha { // round-off of the logarithm
			next++
		}
		return math.Min(r, least()[min(next, orders)])
	}
}
