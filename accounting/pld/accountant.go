package pld

import (
	"context"
	"strings"
	"sync"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/pld/spectrum"
)

// Accountant caches what is computed of single losses under its context (see [NewContext]): if a stack differs from the
// last one in one entry, only that entry is computed again. It also caches the last intervals, because a table, a chart
// and a search ask for the same stack. No result depends on the cache. The zero value is ready to use, also by several
// goroutines.
type Accountant struct {
	cache spectrum.Cache

	mu      sync.Mutex
	answers map[string]Interval // of ε, at the width asked for
}

// maxAnswers is the number of intervals that are kept, those of a dozen charts and searches; longestAnswered is the
// length of the longest stack of which one is kept.
const (
	maxAnswers      = 1024
	longestAnswered = 64
)

// answerKey returns the cache key of a query for ε; "" if its interval is not kept. Pairs with equal keys are equal but
// for their notes.
func answerKey(parts []pairs.Part, delta float64, opt Options) string {
	if len(parts) > longestAnswered {
		return ""
	}
	var key strings.Builder
	key.WriteString(formatNumber(delta) + " " + formatNumber(opt.width()))
	if opt.Sums {
		key.WriteString(" sums")
	}
	if opt.NoForm {
		key.WriteString(" composed")
	}
	for _, p := range parts {
		if !p.Pair.Remove.IsSet() || !p.Pair.Add.IsSet() {
			return ""
		}
		for _, word := range []string{formatNumber(p.Count), p.Pair.Remove.Key(), p.Pair.Remove.Note(),
			p.Pair.Add.Key(), p.Pair.Add.Note()} {
			key.WriteString("\n" + word)
		}
	}
	return key.String()
}

// knownAnswer returns the interval kept for a question.
func (a *Accountant) knownAnswer(key string) (i Interval, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	i, ok = a.answers[key]
	return i, ok
}

// keepAnswer keeps the interval of a question.
func (a *Accountant) keepAnswer(key string, i Interval) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.answers == nil || len(a.answers) >= maxAnswers {
		a.answers = map[string]Interval{}
	}
	a.answers[key] = i
}

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
