package accounting

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"epsiloscope/accounting/pld/spectrum"
)

// InternalError is a fault of this program: a panic in the numerical accountant, or two of its intervals that
// contradict each other. It says nothing about the privacy of a stack, and is not a reason why a theorem does not
// apply.
type InternalError struct {
	Text  string // of the panic or contradiction
	Trace []byte // where it happened
}

func (e *InternalError) Error() string {
	return "internal error: " + e.Text + ". This is a fault of the program, and no statement about privacy: " +
		"please report it with this text, the output of epsiloscope --version and the scenario that caused it"
}

// FaultOf returns the internal error in an error; nil if there is none.
func FaultOf(err error) *InternalError {
	var fault *InternalError
	errors.As(err, &fault)
	return fault
}

// Recover runs do and returns an [InternalError] if it panics, or if a bound under its context ended in one, even where
// do went on without that bound: what is drawn or said without it would look like a statement about privacy. Otherwise
// it returns the error of do.
func Recover(ctx context.Context, do func(context.Context) error) error {
	met := &metFault{}
	err := recoverPanic(ctx, func() error { return do(context.WithValue(ctx, faultKey{}, met)) })
	fault := FaultOf(err)
	if fault == nil {
		fault = met.get()
	}
	if fault == nil {
		return err
	}
	noteFault(ctx, fault)
	return fault
}

// metFault keeps the first internal error under a context.
type metFault struct {
	mu    sync.Mutex
	first *InternalError
}

type faultKey struct{}

func (m *metFault) get() *InternalError {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.first
}

// noteFault tells whoever runs under [Recover] of an internal error.
func noteFault(ctx context.Context, fault *InternalError) {
	if m, ok := ctx.Value(faultKey{}).(*metFault); ok {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.first == nil {
			m.first = fault
		}
	}
}

// recoverPanic runs the accountant. A panic of the caller's own yield goes through.
func recoverPanic(ctx context.Context, run func() error, yielding ...*bool) (err error) {
	defer func() {
		if len(yielding) > 0 && *yielding[0] {
			return
		}
		if r := recover(); r != nil {
			fault := &InternalError{fmt.Sprint(r), debug.Stack()}
			noteFault(ctx, fault)
			err = fault
		}
	}()
	err = run()
	var contradiction *spectrum.ContradictionError
	if errors.As(err, &contradiction) {
		fault := &InternalError{contradiction.Error(), debug.Stack()}
		noteFault(ctx, fault)
		return fault
	}
	return err
}

// refuseInternal returns the bound of a computation that ended in an internal error; false if it did not.
func refuseInternal(err error) (Bound, bool) {
	fault := FaultOf(err)
	if fault == nil {
		return Bound{}, false
	}
	b := refuse(Numerical, fault.Error())
	b.Fault = fault
	return b, true
}
