package gauge

import (
	"context"
	"runtime"
	"strings"
	"sync/atomic"
)

// Broken is a context under which the numerical accountant breaks down: it panics when it asks the context anything.
// Only what the accounting package protects breaks; every other caller is answered.
type Broken struct {
	context.Context
	Times atomic.Int64 // how often it broke down
}

// BrokenText is the text of the panic.
const BrokenText = "index out of range [7]"

func (b *Broken) Err() error {
	b.breakDown()
	return b.Context.Err()
}

func (b *Broken) Value(key any) any {
	b.breakDown()
	return b.Context.Value(key)
}

// breakDown panics if the accountant asks.
func (b *Broken) breakDown() {
	frames := make([]uintptr, 64)
	trace := runtime.CallersFrames(frames[:runtime.Callers(2, frames)])
	inside, more := false, true
	for more {
		var f runtime.Frame
		if f, more = trace.Next(); strings.HasSuffix(f.Function, "accounting.noteFault") {
			return // who tells of the fault
		}
		inside = inside || strings.Contains(f.Function, "accounting/pld.") && !strings.HasSuffix(f.Function, "pld.NewContext")
		if inside && strings.HasSuffix(f.Function, "accounting.recoverPanic") {
			b.Times.Add(1)
			panic(BrokenText)
		}
	}
}
