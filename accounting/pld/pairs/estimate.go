package pairs

import (
	"context"
	"math"
	"sync"

	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/pld/spectrum"
	"epsiloscope/accounting/special"
)

// Estimate is a privacy loss distribution that bounds a [Loss] from above or below, in two forms: atoms and densities,
// and a closed form of δ(ε). The two forms are coded independently, and tests compare them.
type Estimate struct {
	key       string
	of        func() loss.Distribution // the finite losses, and how much is not finite
	hi        func() float64           // the largest finite loss, or 0
	top       float64                  // P-mass at +∞
	elsewhere float64                  // of a lower estimate: the P-mass at +∞ of another attack that is as possible
	// of a lower estimate: ln δ(ε) of the best attack on this release by itself; nil for curve
	alone        func(float64) float64
	attacks      []*Estimate // of a lower estimate: other attacks that are as possible on every copy of the release
	unresolvable bool        // parameters beyond what a spectrum resolves

	curve          func(epsilon float64) float64 // ln δ(ε)
	bound          func(alpha float64) float64   // an upper bound on the Rényi divergence; nil for none
	boundCoversTop bool                          // it includes the mass top
	boundIsExact   bool
	orders         float64 // Rényi order up to which atoms and densities give a smaller bound

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

// newEstimate returns a loss whose distribution is computed once, when it is first needed.
func newEstimate(key string, of func() loss.Distribution, curve func(float64) float64) *Estimate {
	of = sync.OnceValue(of)
	largest := func() float64 { d := of(); return math.Max(0, d.Largest()) }
	return &Estimate{key: key, of: of, hi: sync.OnceValue(largest), curve: curve, orders: math.Inf(1)}
}

// LogDelta returns ln δ(ε) of the estimate by its closed form.
func (l *Estimate) LogDelta(epsilon float64) float64 { return l.curve(epsilon) }

// LogDeltaAlone returns ln δ(ε) of the release if it is made once and nothing else is released: another attack may be
// the best at another ε, so that these values are not those of one distribution and must not be composed. What a list
// charges for masses beyond those that float64 has is not part of it.
func (l *Estimate) LogDeltaAlone(epsilon float64) float64 {
	log := l.curve(epsilon)
	if l.alone != nil {
		log = math.Max(log, l.alone(epsilon))
	}
	feared := l.of().Feared
	if feared == 0 || math.Log(feared) < log-40 {
		return log
	}
	return special.Log(math.Max(0, math.Exp(log)-feared*(1+1e-9)))
}

// Attacks returns the lower estimate and those of other attacks. Each may be composed, in as many copies as the release
// has.
func (l *Estimate) Attacks() []*Estimate { return append([]*Estimate{l}, l.attacks...) }

// Key identifies the distribution: equal keys mean equal distributions.
func (l *Estimate) Key() string { return l.key }

// Largest returns the largest finite loss, or 0.
func (l *Estimate) Largest() float64 { return l.hi() }

// CertainFailure returns the P-mass that is certainly at +∞, in this attack or in another one that is as possible; 0 if
// it is below what float64 resolves.
func (l *Estimate) CertainFailure() float64 {
	if t := math.Max(l.top, l.elsewhere); t > beyondFloat {
		return math.Min(t, 1)
	}
	return 0
}

// PossibleFailure returns the P-mass at +∞, including what a lattice charges for its unlisted far end, or a chain of
// steps for all of them.
func (l *Estimate) PossibleFailure() float64 { return math.Min(l.of().Top, 1) }

// FiniteRenyi returns a bound on the Rényi divergence of order α of what is not at +∞.
func (l *Estimate) FiniteRenyi(alpha float64) float64 {
	if l.top > beyondFloat {
		return l.hi()
	}
	return math.Min(l.hi(), l.Renyi(alpha))
}

// Gaussian returns μ and true if the loss is that of Gaussian noise.
func (l *Estimate) Gaussian() (mu float64, ok bool) { return l.size, l.family == "gaussian" }

// CanBeFiner reports whether [Estimate.Finer] returns a loss.
func (l *Estimate) CanBeFiner() bool { return l.finer != nil }

// Finer returns the loss with its two estimates `times` times closer to each other; nil if there is no finer estimate.
func (l *Estimate) Finer(ctx context.Context, times float64) *Loss {
	if l.finer == nil {
		return nil
	}
	return l.finer(ctx, times)
}

// beyondFloat is charged for what lies beyond a list of all masses that float64 has.
const beyondFloat = 1e-289

// maxSummedLosses is the length of the longest list of losses over which a Rényi divergence is summed.
const maxSummedLosses = 1 << 17

// Renyi returns D_α by its moment generating function, rounded upward by the proven error of
// the rule, and never above what is known in closed form. D₁ is taken at an order a hair
// above 1: divergences grow with the order.
func (l *Estimate) Renyi(alpha float64) float64 {
	switch {
	case l.top > beyondFloat && l.boundCoversTop && !math.IsInf(alpha, 1):
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
	if l.boundIsExact || alpha > l.orders || l.unresolvable {
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

// Composable returns the distribution of the loss; ok is false if a spectrum would
// not resolve it.
func (l *Estimate) Composable() (d loss.Distribution, ok bool) {
	if l.unresolvable {
		return d, false
	}
	d = l.of()
	return d, d.Slack < 1e-6 && len(d.Atoms)+len(d.Densities) > 0
}
