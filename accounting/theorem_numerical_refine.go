package accounting

import (
	"context"
	"errors"

	"epsiloscope/accounting/pld"
)

// Refine yields the numerical bound with an ever narrower certified interval, until
// the target's precision is reached, the context ends, or yield returns false. Where
// the numerical accountant cannot answer it yields once, with the reason. The error
// is the context's, if that ended the work.
func Refine(ctx context.Context, stack []Entry, target Target, yield func(Bound) bool) error {
	l := newLedger(stack, target)
	if l.problem != "" || len(l.entries) == 0 || target.Delta >= 1 {
		yield(l.ask(ctx, numericalTheorem))
		return nil
	}
	parts, refusal := l.numericalParts()
	if refusal != nil {
		refusal.Method = Numerical
		yield(*refusal)
		return nil
	}
	stopped, seen := false, false
	err := pldRefine(ctx, parts, l.target.Delta, l.options(), func(i pld.Interval) bool {
		seen = true
		stopped = !yield(l.certified(ctx, i))
		return !stopped
	})
	if cause := ctx.Err(); cause != nil {
		return cause
	}
	if err != nil && !seen && !stopped {
		b := l.fallBack(ctx, err)
		b.Method = Numerical
		yield(b)
	}
	return nil
}

// pldRefine guards the evaluation as pldEpsilon does; a panic of the caller's own
// yield goes through.
func pldRefine(ctx context.Context, parts []pld.Part, delta float64, opt pld.Options, yield func(pld.Interval) bool) (err error) {
	yielding := false
	defer func() {
		if yielding {
			return
		}
		if r := recover(); r != nil {
			err = errors.New("the numerical accountant could not evaluate this stack")
		}
	}()
	return pld.Refine(ctx, parts, delta, opt, func(i pld.Interval) bool {
		yielding = true
		more := yield(i)
		yielding = false
		return more
	})
}
