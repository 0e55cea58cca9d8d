package pld

import (
	"context"
	"math"
	"sync"

	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/pld/spectrum"
)

// knownLoss is a privacy loss distribution in two forms: atoms and densities, and a closed form of δ(ε).
// The two forms are coded independently, and tests compare them.
type knownLoss struct {
	key          string
	of           func() loss.Distribution // the finite losses, and how much is not finite
	hi           func() float64           // the largest finite loss, or 0
	top          float64                  // P-mass at +∞
	elsewhere    float64                  // of a lower estimate: the P-mass at +∞ of another attack that is as possible
	unresolvable bool                     // parameters beyond what a spectrum resolves

	curve  func(epsilon float64) float64 // ln δ(ε)
	bound  func(alpha float64) float64   // on the Rényi divergence; nil for none
	covers bool                          // the bound includes the mass top
	closed bool                          // the bound is exact
	orders float64                       // Rényi order up to which atoms and densities give a smaller bound

	family string               // within a family, a larger size means a larger δ(ε) at every ε
	size   float64              // within the family
	steps  func(k float64) Pair // the same mechanism for k records; nil if it is not known
	list   []atom               // the atoms, if it was made from a list
	form   Form                 // the name of its pair, if it has one
	added  bool                 // it is the add direction of that pair, which differs from the other

	// finer returns the loss with its two estimates `times` times closer to each other; nil if
	// there is no finer estimate.
	finer func(ctx context.Context, times float64) *Loss
}

// newKnownLoss returns a loss whose distribution is computed once, when it is first needed.
func newKnownLoss(key string, of func() loss.Distribution, curve func(float64) float64) *knownLoss {
	of = sync.OnceValue(of)
	largest := func() float64 { d := of(); return math.Max(0, d.Largest()) }
	return &knownLoss{key: key, of: of, hi: sync.OnceValue(largest), curve: curve, orders: math.Inf(1)}
}

func (l *knownLoss) LogDelta(epsilon float64) float64 { return l.curve(epsilon) }

// beyondFloat is charged for what lies beyond a list of all masses that float64 has.
const beyondFloat = 1e-289

// maxSummedLosses is the length of the longest list of losses over which a Rényi divergence is summed.
const maxSummedLosses = 1 << 17

// Renyi returns D_α by its moment generating function, rounded upward by the proven error of
// the rule, and never above what is known in closed form. D₁ is taken at an order a hair
// above 1: divergences grow with the order.
func (l *knownLoss) Renyi(alpha float64) float64 {
	switch {
	case l.top > beyondFloat && l.covers && !math.IsInf(alpha, 1):
		return l.bound(math.Max(1, alpha))
	case l.top > beyondFloat:
		return math.Inf(1)
	}
	alpha = math.Max(1, alpha)
	most := l.hi()
	if l.top > 0 { // what is not listed has larger losses
		most = math.Inf(1)
	}
	if math.IsInf(alpha, 1) {
		return most
	}
	if l.bound != nil {
		most = math.Min(most, l.bound(alpha))
	}
	if l.closed || alpha > l.orders || l.unresolvable {
		return most
	}
	d := l.of()
	if len(d.Atoms) > maxSummedLosses {
		return most
	}
	theta := math.Max(alpha-1, 1e-12)
	log, err := spectrum.LogMoment(&d, theta)
	return math.Max(0, math.Min(most, (log+err)/theta*(1+1e-15)))
}

// composable returns the distribution of the loss; ok is false if a spectrum would
// not resolve it.
func (l *knownLoss) composable() (d loss.Distribution, ok bool) {
	if l.unresolvable {
		return d, false
	}
	d = l.of()
	return d, d.Slack < 1e-6 && len(d.Atoms)+len(d.Densities) > 0
}
