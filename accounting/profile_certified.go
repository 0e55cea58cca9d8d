package accounting

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"epsiloscope/accounting/audit"
	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/risk"
)

// StandardRates are the rates at which attacks are usually reported, and at which every profile is narrow.
var StandardRates = []float64{1e-3, 1e-2, 0.1}

// Profile is the certified privacy profile of a stack, and what it allows an attacker, from both sides: in each
// direction the envelope of numerical composition and of every theorem that applies. It is one object for every page:
// whatever states a harm reads it here. Its methods recover from a failure inside the numerical accountant and return
// it as an error; an upper end is then 1.
type Profile struct {
	curve     *risk.Curve
	uncertain error // why the numerical accountant has no part in it; nil if it has
	replace   bool
}

// NewProfile returns the profile of a stack. The bounds are those of [Compare] for it, which the profile exceeds by
// their rounding at most; the list may be empty. Levels are further rates at which it is narrow, beside
// [StandardRates].
// Under replace both data sets hold a record at the place of the one replaced, so neither is the data set without it:
// each rate is then the larger one of the two directions. Nothing is composed until a value is asked for.
func NewProfile(ctx context.Context, stack []Entry, bounds []Bound, levels []float64, replace bool) (*Profile, error) {
	target := Target{}
	for _, b := range bounds { // all are for one δ, but for pure ones
		target.Delta = math.Max(target.Delta, b.Delta)
	}
	if !(target.Delta < 1) {
		target.Delta = 0
	}
	return prepareStack(stack, target).profile(ctx, bounds, levels, replace)
}

// profile returns the profile of a prepared stack, as [NewProfile] does.
func (l *preparedStack) profile(ctx context.Context, bounds []Bound, levels []float64, replace bool) (*Profile, error) {
	if l.problem != "" {
		return nil, errors.New(l.problem)
	}
	known := risk.Stack{Levels: append(slices.Clone(levels), StandardRates...), Theorem: l.renyiProfile(),
		Negligible: 1e-16}
	for _, asked := range append(slices.Clone(levels), l.target.Delta) {
		if asked > 0 {
			known.Negligible = math.Min(known.Negligible, 1e-6*asked)
		}
	}
	if mu, err := Composite(l.entries).Gaussian(); err == nil && len(l.entries) > 0 && finite(mu) {
		known.Gaussian = mu
	}
	var err error
	known.Alternatives, err = l.alternatives(ctx)
	if cause := ctx.Err(); cause != nil {
		return nil, cause
	}
	if fault := FaultOf(err); fault != nil {
		return nil, fault
	}
	if err != nil {
		bounds = append(slices.Clone(bounds), l.closedBounds(ctx)...)
	}
	// A sum of ε may be the short decimal next to it ([entryCosts.sums]), below the sum of the pairs' largest losses.
	rounding := 4 * outwards * float64(1+len(l.entries))
	for _, b := range bounds {
		if b.Status == Valid && b.Finite() {
			known.Guarantees = append(known.Guarantees,
				risk.Approximate{Epsilon: b.Epsilon * (1 + rounding), Delta: b.Delta})
		}
	}
	return &Profile{risk.NewEnvelope(known), err, replace}, ctx.Err()
}

// alternatives returns lists of dominating pairs, each of which dominates the whole stack. There are several if it has
// selections, for which the best pair depends on δ.
func (l *preparedStack) alternatives(ctx context.Context) (lists [][]pairs.Part, err error) {
	deltas := []float64{l.target.Delta}
	if l.hasSelections() {
		deltas = []float64{0.2, cmp.Or(l.target.Delta, 1e-6)}
	}
	for _, delta := range deltas {
		at := *l
		at.target.Delta = delta
		parts, err := at.parts(ctx)
		if err != nil {
			return nil, err
		}
		lists = append(lists, parts)
	}
	return lists, nil
}

// hasSelections reports whether the best dominating pair of the stack depends on δ.
func (l *preparedStack) hasSelections() bool {
	return slices.ContainsFunc(l.entries, func(e Entry) bool {
		_, selects := unwrapAs[dominatedSelection](e.Release)
		_, ranges := unwrapAs[boundedRange](e.Release)
		return selects || ranges
	})
}

// SmallestDelta returns an upper end of the smallest δ at ε > 0, read off the profile of the stack. If the best
// dominating pair depends on δ, the profile for the δ near is read first, and then that for the δ it gives, until that
// changes little. Precision is as in [Target].
func SmallestDelta(ctx context.Context, stack []Entry, epsilon, near, precision float64) (delta float64, err error) {
	const rounds = 4
	delta = 1
	for range rounds {
		l := prepareStack(stack, Target{Delta: near})
		profile, err := l.profile(ctx, nil, nil, false)
		if err != nil {
			return 1, err
		}
		var ends risk.Ends
		if ends, err = profile.deltaAlone(ctx, epsilon, precision); err != nil {
			return 1, err
		}
		settled := ends.Upper > 0.99*delta
		delta = math.Min(delta, ends.Upper)
		if settled || !l.hasSelections() || !(delta > 0 && delta < 1) {
			break
		}
		near = delta
	}
	return delta, nil
}

// deltaAlone returns certified ends of δ(ε) in the worse direction, ε ≥ 0, of a requested width and without the other
// points of the profile.
func (h *Profile) deltaAlone(ctx context.Context, epsilon, precision float64) (risk.Ends, error) {
	return protect(ctx, func() (risk.Ends, error) {
		a, err := h.curve.DeltaAlone(ctx, pld.WithRecord, epsilon, precision)
		if err != nil || h.curve.Symmetric() {
			return a, err
		}
		b, err := h.curve.DeltaAlone(ctx, pld.WithoutRecord, epsilon, precision)
		return larger(a, b), err
	})
}

// renyiProfile returns an upper end of δ(ε) by the Rényi curve of the stack at some orders, each of which is valid by
// itself; nil if a release has no curve. The curve is evaluated when it is first asked.
func (l *preparedStack) renyiProfile() func(epsilon float64) float64 {
	run, carried, err := l.rdpView()
	if err != nil {
		return nil
	}
	failed := -math.Expm1(-hazard(carried) * (1 + 1e-14))
	const orders = 48
	table := sync.OnceValue(func() (divergences [orders + 1]float64) {
		curve := curveOf(run)
		for i := range orders {
			divergences[i] = curve(1 + renyiStep(i))
		}
		divergences[orders] = curve(math.Inf(1))
		return divergences
	})
	return func(epsilon float64) float64 {
		divergences, least := table(), 0.0
		for i, r := range divergences[:orders] {
			least = math.Min(least, renyiLogDelta(renyiStep(i), r, epsilon))
		}
		if epsilon >= divergences[orders] {
			least = math.Inf(-1)
		}
		return math.Min(1, (failed+(1-failed)*math.Exp(least))*(1+1e-12))
	}
}

// renyiStep returns α − 1 for the orders of a profile, from 0.01 to about 120,000.
func renyiStep(i int) float64 { return 0.01 * math.Exp(0.35*float64(i)) }

// closedBounds returns the best closed form at each of some δ: points of the profile of a stack without dominating
// pairs.
func (l *preparedStack) closedBounds(ctx context.Context) (points []Bound) {
	const decades, perDecade = 12, 3
	for i := range decades*perDecade + 1 {
		if ctx.Err() != nil {
			return nil
		}
		at := *l
		at.target.Delta = 0.9 * math.Pow(10, -float64(i)/perDecade)
		bounds := at.askAll(ctx, false)
		if best := Best(bounds); best >= 0 {
			points = append(points, bounds[best])
		}
	}
	return points
}

// LowerEndError returns why no lower end is certified: a release has no dominating pair, as those known by ρ or a Rényi
// curve alone. It is nil if the numerical accountant composes the stack.
func (h *Profile) LowerEndError() error { return h.uncertain }

// Symmetric reports whether finding members and clearing others are equally hard, so that the true-positive and the
// true-negative rate agree.
func (h *Profile) Symmetric() bool { return h.replace || h.curve.Symmetric() }

// Advantage returns certified ends of the membership advantage.
func (h *Profile) Advantage(ctx context.Context) (risk.Ends, error) {
	return protect(ctx, func() (risk.Ends, error) { return h.curve.Advantage(ctx) })
}

// TruePositiveRate returns certified ends of the largest true-positive rate at a false-positive rate.
func (h *Profile) TruePositiveRate(ctx context.Context, fpr float64) (risk.Ends, error) {
	return h.worse(ctx,
		func() (risk.Ends, error) { return h.curve.TruePositiveRate(ctx, fpr) },
		func() (risk.Ends, error) { return h.curve.TrueNegativeRate(ctx, fpr) })
}

// TrueNegativeRate returns certified ends of the largest true-negative rate at a false-negative rate.
func (h *Profile) TrueNegativeRate(ctx context.Context, fnr float64) (risk.Ends, error) {
	return h.worse(ctx,
		func() (risk.Ends, error) { return h.curve.TrueNegativeRate(ctx, fnr) },
		func() (risk.Ends, error) { return h.curve.TruePositiveRate(ctx, fnr) })
}

// Reconstruction returns certified ends of the success of an attacker who guesses a secret of a record
// with success prior beforehand.
func (h *Profile) Reconstruction(ctx context.Context, prior float64) (risk.Ends, error) {
	return h.TruePositiveRate(ctx, prior)
}

// Delta returns certified ends of δ(ε) in the worse direction, ε ≥ 0.
func (h *Profile) Delta(ctx context.Context, epsilon float64) (risk.Ends, error) {
	all, err := h.Deltas(ctx, []float64{epsilon})
	if err != nil {
		return risk.Ends{Lower: 0, Upper: 1}, err
	}
	return all[0], nil
}

// Table returns the certified profile from above at some ε ≥ 0, ascending, as an audit tests it. Under replace both
// directions are the worse one.
func (h *Profile) Table(ctx context.Context, epsilons []float64) (audit.Table, error) {
	t := audit.Table{Epsilon: epsilons, Remove: make([]float64, len(epsilons)), Add: make([]float64, len(epsilons))}
	err := recoverPanic(ctx, func() error {
		for way, upper := range [...][]float64{pld.WithRecord: t.Remove, pld.WithoutRecord: t.Add} {
			ends, err := h.curve.Deltas(ctx, pld.Direction(way), epsilons)
			if err != nil {
				return err
			}
			for i, e := range ends {
				upper[i] = e.Upper
			}
		}
		return nil
	})
	if h.replace {
		for i := range epsilons {
			t.Remove[i] = max(t.Remove[i], t.Add[i])
			t.Add[i] = t.Remove[i]
		}
	}
	return t, err
}

// Claim returns the certified profile from above as a claim that an audit tests.
func (h *Profile) Claim(ctx context.Context) audit.Claim {
	upper := func(e risk.Ends, err error) (float64, error) { return e.Upper, err }
	return audit.Claim{
		Delta:            func(epsilon float64) (float64, error) { return upper(h.Delta(ctx, epsilon)) },
		TruePositiveRate: func(level float64) (float64, error) { return upper(h.TruePositiveRate(ctx, level)) },
		TrueNegativeRate: func(level float64) (float64, error) { return upper(h.TrueNegativeRate(ctx, level)) },
	}
}

// Deltas returns certified ends of δ in the worse direction at several ε ≥ 0, evaluated together.
func (h *Profile) Deltas(ctx context.Context, epsilons []float64) (out []risk.Ends, err error) {
	err = recoverPanic(ctx, func() (err error) {
		if out, err = h.curve.Deltas(ctx, pld.WithRecord, epsilons); err != nil || h.curve.Symmetric() {
			return err
		}
		other, err := h.curve.Deltas(ctx, pld.WithoutRecord, epsilons)
		for i := range other {
			out[i] = larger(out[i], other[i])
		}
		return err
	})
	return out, err
}

// FailureProbability returns an upper end of δ at the largest ε of the profile: the power of a test that accuses nobody
// by mistake.
func (h *Profile) FailureProbability(ctx context.Context) (float64, error) {
	_, upper, err := h.UpperPoints(ctx)
	if err != nil || len(upper) == 0 {
		return 1, err
	}
	return upper[len(upper)-1], nil
}

// UpperPoints returns ε and upper ends of δ there, in the worse direction: the points that every value is read off.
func (h *Profile) UpperPoints(ctx context.Context) (epsilons, upper []float64, err error) {
	err = recoverPanic(ctx, func() (err error) {
		epsilons, upper, err = h.curve.UpperPoints(ctx)
		return err
	})
	return epsilons, upper, err
}

// Rates returns certified ends of the largest true-positive rate at false-positive rates, and of the largest
// true-negative rate at false-negative rates, of several levels at the cost of a few.
func (h *Profile) Rates(ctx context.Context, levels []float64) (found, cleared []risk.Ends, err error) {
	err = recoverPanic(ctx, func() (err error) {
		if found, err = h.curve.Powers(ctx, pld.WithRecord, levels); err != nil {
			return err
		}
		if cleared = found; !h.curve.Symmetric() {
			cleared, err = h.curve.Powers(ctx, pld.WithoutRecord, levels)
		}
		return err
	})
	if err == nil && h.replace && !h.curve.Symmetric() {
		for i := range found {
			found[i] = larger(found[i], cleared[i])
		}
		cleared = found
	}
	return found, cleared, err
}

// BayesSuccesses returns [Profile.BayesSuccess] at several priors, at the cost of a few.
func (h *Profile) BayesSuccesses(ctx context.Context, priors []float64) (out []risk.Ends, err error) {
	err = recoverPanic(ctx, func() (err error) {
		if out, err = h.curve.BayesSuccesses(ctx, priors); err != nil || !h.replace || h.curve.Symmetric() {
			return err
		}
		mirrored := make([]float64, len(priors))
		for i, p := range priors {
			mirrored[i] = 1 - p
		}
		other, err := h.curve.BayesSuccesses(ctx, mirrored)
		for i := range other {
			out[i] = larger(out[i], other[i])
		}
		return err
	})
	return out, err
}

// BayesSuccess returns certified ends of the success of the best guess about membership at a prior.
func (h *Profile) BayesSuccess(ctx context.Context, prior float64) (risk.Ends, error) {
	all, err := h.BayesSuccesses(ctx, []float64{prior})
	if err != nil {
		return risk.Ends{Lower: 0, Upper: 1}, err
	}
	return all[0], nil
}

// Summarise returns the (μ, δ₀) summary; false if there is none for this δ₀.
func (h *Profile) Summarise(ctx context.Context, delta0 float64) (s risk.Summary, ok bool, err error) {
	_, err = protect(ctx, func() (risk.Ends, error) {
		s, ok, err = h.curve.Summarise(ctx, delta0)
		return risk.Ends{}, err
	})
	return s, ok, err
}

// worse returns the rate of one direction or, under replace, where neither data set is the one without the record, the
// larger rate of both directions.
func (h *Profile) worse(ctx context.Context, first, second func() (risk.Ends, error)) (risk.Ends, error) {
	a, err := protect(ctx, first)
	if err != nil || !h.replace || h.curve.Symmetric() {
		return a, err
	}
	b, err := protect(ctx, second)
	return larger(a, b), err
}

func larger(a, b risk.Ends) risk.Ends {
	return risk.Ends{Lower: max(a.Lower, b.Lower), Upper: max(a.Upper, b.Upper)}
}

// protect runs a question to the accountant. What goes wrong inside is an error, and the answer then bounds
// nothing.
func protect(ctx context.Context, ask func() (risk.Ends, error)) (ends risk.Ends, err error) {
	ends = risk.Ends{Lower: 0, Upper: 1}
	err = recoverPanic(ctx, func() error {
		found, err := ask()
		if err == nil {
			ends = found
		}
		return err
	})
	return ends, err
}
