package pld

import (
	"context"

	"epsiloscope/accounting/pld/spectrum"
)

// Accountant keeps what was found out about single losses, for all that is evaluated under
// its context (see [NewContext]): a stack that differs from the last one in one line costs
// that line. No answer depends on what was asked before. The zero value is ready; it may be
// used by several goroutines.
type Accountant struct{ cache spectrum.Cache }

type accountantKey struct{}

// NewContext returns a context under which the functions of this package ask the given
// accountant, so that whatever is computed under it shares what is known. A context that
// has one keeps it.
func NewContext(ctx context.Context, a *Accountant) context.Context {
	if _, ok := ctx.Value(accountantKey{}).(*Accountant); ok {
		return ctx
	}
	return context.WithValue(ctx, accountantKey{}, a)
}

// accountantOf returns the accountant of a context, or a new one.
func accountantOf(ctx context.Context) *Accountant {
	if a, ok := ctx.Value(accountantKey{}).(*Accountant); ok {
		return a
	}
	return new(Accountant)
}
