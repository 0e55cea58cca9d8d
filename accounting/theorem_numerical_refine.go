package accounting

import (
	"context"
	"errors"

	"epsiloscope/accounting/pld"
)

// Refine yields the numerical bound with an ever narrower certified interval, until
// the target's precision is reached, the context ends, or yield returns false. Where
// the numerical accountant cannot answer it yields once, with the reason. The error
// is the context's, if that ended the work, or an [InternalError].
func Refine(ctx context.Context, stack []Entry, target Target, yield func(Bound) bool) error {
	l := prepareStack(stack, target)
	parts, err := l.parts(ctx)
	if l.problem != "" || err != nil || len(l.entries) == 0 || l.target.Delta == 0 || l.target.Delta >= 1 {
		b := l.evaluate(ctx, numericalTheorem)
		yield(b)
		if b.Fault != nil {
			return b.Fault
		}
		return nil
	}
	seen, yielding := false, false
	err = recoverPanic(ctx, func() error {
		return pld.Refine(ctx, parts, l.target.Delta, l.options(), func(i pld.Interval) bool {
			b := l.boundFromInterval(ctx, i)
			seen, yielding = true, true
			more := yield(b)
			yielding = false
			return more
		})
	}, &yielding)
	if cause := ctx.Err(); cause != nil {
		return cause
	}
	if b, internal := refuseInternal(err); internal { // even if earlier, wider intervals were yielded
		yield(b)
		return b.Fault
	}
	if err != nil && !seen {
		b := l.fallBack(ctx, err)
		b.Method = Numerical
		yield(b)
	}
	return nil
}

// DeltaAt returns the numerical accountant's certified interval for δ at ε ≥ 0; at ε = 0 that
// is the total variation distance. Precision is as in [Target].
func DeltaAt(ctx context.Context, stack []Entry, epsilon, precision float64) (lower, upper float64, err error) {
	l := prepareStack(stack, Target{Precision: precision})
	if l.problem != "" {
		return 0, 1, errors.New(l.problem)
	}
	parts, err := l.parts(ctx)
	if err != nil {
		return 0, 1, err
	}
	upper = 1 // if the accountant fails
	err = recoverPanic(ctx, func() (err error) {
		lower, upper, err = pld.DeltaAt(ctx, parts, epsilon, l.options())
		return err
	})
	return lower, upper, err
}

// Parts returns the dominating pairs and counts that the numerical accountant composes for a
// stack.
func Parts(ctx context.Context, stack []Entry) ([]pld.Part, error) {
	return prepareStack(stack, Target{}).parts(ctx)
}

func (l *preparedStack) options() pld.Options { return pld.Options{Width: l.target.Precision} }
