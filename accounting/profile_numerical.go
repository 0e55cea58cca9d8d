package accounting

import (
	"context"
	"errors"

	"epsiloscope/accounting/pld"
)

// ProfileAt returns the numerical accountant's certified upper end of δ at many ε ≥ 0. Precision is as in
// [Target].
func ProfileAt(ctx context.Context, stack []Entry, epsilons []float64, precision float64) (upper []float64, err error) {
	err = withParts(ctx, stack, precision, func(parts []pld.Part, opt pld.Options) (err error) {
		_, upper, err = pld.Profile(ctx, parts, epsilons, opt)
		return err
	})
	return upper, err
}

// TypeIIErrors returns, for each type I error of a membership test, a type II error that no test can
// beat, rounded down: the trade-off function of the numerical accountant.
func TypeIIErrors(ctx context.Context, stack []Entry, typeI []float64, precision float64) (typeII []float64, err error) {
	err = withParts(ctx, stack, precision, func(parts []pld.Part, opt pld.Options) (err error) {
		typeII, err = pld.Tradeoff(ctx, parts, typeI, opt)
		return err
	})
	return typeII, err
}

// ProfileCorners returns the ε at which the profile of a stack has a corner; see [pld.Corners].
func ProfileCorners(ctx context.Context, stack []Entry) (corners []float64) {
	_ = withParts(ctx, stack, 0, func(parts []pld.Part, _ pld.Options) error {
		corners = pld.Corners(parts)
		return nil
	})
	return corners
}

// withParts calls use with what the numerical accountant composes for a stack.
func withParts(ctx context.Context, stack []Entry, precision float64, use func([]pld.Part, pld.Options) error) error {
	l := prepareStack(stack, Target{Precision: precision})
	if l.problem != "" {
		return errors.New(l.problem)
	}
	parts, err := l.parts(ctx)
	if err != nil {
		return err
	}
	return recoverPanic(ctx, func() error { return use(parts, l.options()) })
}
