package accounting

import (
	"context"
	"errors"

	"epsiloscope/accounting/audit"
	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/risk"
)

// Harm is the certified harm of a stack: what its privacy profile allows an attacker, from both
// sides. Its methods recover from a failure inside the numerical accountant and return it as an error; an upper
// end is then 1.
type Harm struct {
	curve     *risk.Curve
	advantage *risk.Curve // never a quick one, so that every page states the same advantage
	replace   bool
}

// NewHarm returns the harm of a stack. It is an error if a release has no dominating pair, as those
// known by ρ or a Rényi curve alone have none: their harm follows from an (ε, δ) only. Under
// replace, where both data sets hold a record, every figure is that of the worse direction.
func NewHarm(ctx context.Context, stack []Entry, replace bool) (*Harm, error) {
	l := prepareStack(stack, Target{})
	if l.problem != "" {
		return nil, errors.New(l.problem)
	}
	parts, err := l.parts(ctx)
	if err != nil {
		return nil, err
	}
	curve := risk.New(parts)
	return &Harm{curve, curve, replace}, nil
}

// Quick returns the harm with wider ends at a fraction of the cost, but for the advantage, if the stack has a few releases: these take
// the numerical accountant longest, as no tilt suits them. Otherwise it returns the same.
func (h *Harm) Quick() *Harm {
	if n := h.curve.Releases(); n < 2 || n > 300 {
		return h
	}
	return &Harm{h.curve.Quick(), h.advantage, h.replace}
}

// Symmetric reports whether finding members and clearing others are equally hard, so that the true-positive and the
// true-negative rate agree.
func (h *Harm) Symmetric() bool { return h.replace || h.curve.Symmetric() }

// Advantage returns certified ends of the membership advantage.
func (h *Harm) Advantage(ctx context.Context) (risk.Ends, error) {
	return protect(ctx, func() (risk.Ends, error) { return h.advantage.Advantage(ctx) })
}

// TruePositiveRate returns certified ends of the largest true-positive rate at a false-positive rate.
func (h *Harm) TruePositiveRate(ctx context.Context, fpr float64) (risk.Ends, error) {
	return h.worse(ctx,
		func() (risk.Ends, error) { return h.curve.TruePositiveRate(ctx, fpr) },
		func() (risk.Ends, error) { return h.curve.TrueNegativeRate(ctx, fpr) })
}

// TrueNegativeRate returns certified ends of the largest true-negative rate at a false-negative rate.
func (h *Harm) TrueNegativeRate(ctx context.Context, fnr float64) (risk.Ends, error) {
	return h.worse(ctx,
		func() (risk.Ends, error) { return h.curve.TrueNegativeRate(ctx, fnr) },
		func() (risk.Ends, error) { return h.curve.TruePositiveRate(ctx, fnr) })
}

// Reconstruction returns certified ends of the success of an attacker who guesses a secret of a record
// with success prior beforehand.
func (h *Harm) Reconstruction(ctx context.Context, prior float64) (risk.Ends, error) {
	return h.TruePositiveRate(ctx, prior)
}

// Delta returns certified ends of δ(ε) in the worse direction, ε ≥ 0.
func (h *Harm) Delta(ctx context.Context, epsilon float64) (risk.Ends, error) {
	side := func(way pld.Direction) func() (risk.Ends, error) {
		return func() (risk.Ends, error) { return h.curve.Delta(ctx, way, epsilon) }
	}
	a, err := protect(ctx, side(pld.WithRecord))
	if err != nil || h.curve.Symmetric() {
		return a, err
	}
	b, err := protect(ctx, side(pld.WithoutRecord))
	return larger(a, b), err
}

// Table returns the certified profile from above at some ε ≥ 0, ascending, as an audit tests it. Under replace both directions are the
// worse one.
func (h *Harm) Table(ctx context.Context, epsilons []float64) (audit.Table, error) {
	t := audit.Table{Epsilon: epsilons, Remove: make([]float64, len(epsilons)), Add: make([]float64, len(epsilons))}
	err := recoverPanic(ctx, func() error {
		for way, upper := range map[pld.Direction][]float64{pld.WithRecord: t.Remove, pld.WithoutRecord: t.Add} {
			ends, err := h.curve.Deltas(ctx, way, epsilons)
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
func (h *Harm) Claim(ctx context.Context) audit.Claim {
	upper := func(e risk.Ends, err error) (float64, error) { return e.Upper, err }
	return audit.Claim{
		Delta:            func(epsilon float64) (float64, error) { return upper(h.Delta(ctx, epsilon)) },
		TruePositiveRate: func(level float64) (float64, error) { return upper(h.TruePositiveRate(ctx, level)) },
		TrueNegativeRate: func(level float64) (float64, error) { return upper(h.TrueNegativeRate(ctx, level)) },
	}
}

// Rates returns certified ends of the largest true-positive rate at false-positive rates, and of the largest true-negative rate at false-negative rates, of
// several levels at the cost of a few.
func (h *Harm) Rates(ctx context.Context, levels []float64) (found, cleared []risk.Ends, err error) {
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

// BayesSuccesses returns [Harm.BayesSuccess] at several priors, at the cost of a few.
func (h *Harm) BayesSuccesses(ctx context.Context, priors []float64) (out []risk.Ends, err error) {
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
func (h *Harm) BayesSuccess(ctx context.Context, prior float64) (risk.Ends, error) {
	return h.worse(ctx,
		func() (risk.Ends, error) { return h.curve.BayesSuccess(ctx, prior) },
		func() (risk.Ends, error) { return h.curve.BayesSuccess(ctx, 1-prior) })
}

// Summarise returns the (μ, δ₀) summary; false if there is none for this δ₀.
func (h *Harm) Summarise(ctx context.Context, delta0 float64) (s risk.Summary, ok bool, err error) {
	_, err = protect(ctx, func() (risk.Ends, error) {
		s, ok, err = h.curve.Summarise(ctx, delta0)
		return risk.Ends{}, err
	})
	return s, ok, err
}

// worse returns the figure of one direction, or of the worse one if neither data set is the one
// without the record.
func (h *Harm) worse(ctx context.Context, first, second func() (risk.Ends, error)) (risk.Ends, error) {
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
