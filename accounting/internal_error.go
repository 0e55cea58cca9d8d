package accounting

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// InternalError is a fault of this program: a panic in the numerical accountant. It says nothing about
// the privacy of a stack, and is not a reason why a theorem does not apply.
type InternalError struct {
	Text  string // of the panic
	Trace []byte // where it happened
}

func (e *InternalError) Error() string {
	return "internal error: " + e.Text + ". This is a fault of the program, and no statement about privacy: " +
		"please report it with this text, the output of epsiloscope --version and the scenario that caused it"
}

// Recover runs do and returns an [InternalError] if it panics.
func Recover(do func() error) (err error) { return recoverPanic(do) }

// recoverPanic runs the accountant. A panic of the caller's own yield goes through.
func recoverPanic(run func() error, yielding ...*bool) (err error) {
	defer func() {
		if len(yielding) > 0 && *yielding[0] {
			return
		}
		if r := recover(); r != nil {
			err = &InternalError{fmt.Sprint(r), debug.Stack()}
		}
	}()
	return run()
}

// refuseInternal returns the bound of a computation that ended in an internal error; false if it did not.
func refuseInternal(err error) (Bound, bool) {
	var fault *InternalError
	if !errors.As(err, &fault) {
		return Bound{}, false
	}
	b := refuse(Numerical, fault.Error())
	b.Fault = fault
	return b, true
}
