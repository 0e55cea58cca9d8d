package gauge

import (
	"context"
	"sync/atomic"
)

// CountingContext is a context that ends once it has been checked End times, and counts the
// checks: code that must stop at once is tested without a clock.
type CountingContext struct {
	context.Context
	End   int64
	Looks atomic.Int64
}

// LookedAt returns a context that says no from the look after the given number on.
func LookedAt(end int64) *CountingContext {
	return &CountingContext{Context: context.Background(), End: end}
}

// Err returns nil until the context has ended.
func (l *CountingContext) Err() error {
	if l.Looks.Add(1) > l.End {
		return context.Canceled
	}
	return nil
}

// After returns how often it was looked at after it had ended.
func (l *CountingContext) After() int64 { return max(0, l.Looks.Load()-l.End) }
