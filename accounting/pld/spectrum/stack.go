package spectrum

import (
	"context"
	"math"
	"strconv"

	"epsiloscope/accounting/pld/loss"
)

// Line is a distinct loss of a stack with its count, a whole number. Losses with equal keys are
// equal; losses without keys are not remembered.
type Line struct {
	Loss  loss.Distribution
	Count float64
	Key   string
}

// Stack is a composition in one direction: losses, and plain Gaussians, of which Square is Σ μ².
// Cache may be nil.
type Stack struct {
	Lines  []Line
	Square float64
	Cache  *Cache
}

// withKeys returns the stack with a cache and keys: its own, or ones that last as long as this
// copy.
func (s Stack) withKeys() Stack {
	for _, l := range s.Lines {
		if l.Key == "" || s.Cache == nil {
			s.Cache = nil
			break
		}
	}
	if s.Cache != nil {
		return s
	}
	lines := make([]Line, len(s.Lines))
	for i, l := range s.Lines {
		l.Key = "#" + strconv.Itoa(i)
		lines[i] = l
	}
	s.Lines, s.Cache = lines, new(Cache)
	return s
}

// truncated is a stack whose largest losses are moved to +∞.
type truncated struct {
	ctx      context.Context // of the evaluation that this is part of
	lines    []line
	square   float64
	releases float64
	cache    *Cache
	top      float64 // P-mass at +∞, truncation included
	failed   float64 // without it
	apart    bool    // only where at least one release has a rare loss: see [search.pass]
}

// line is a loss of a truncated stack, with its count.
type line struct {
	*outlined
	count float64
	rare  *rareLoss // losses above those, if the stack was cut and there are any
}

// truncate moves at most tail of P-mass per release to +∞. The tail is rounded, so that a
// stack with a few releases more has the same losses. Once the context has ended the result
// is empty, and its masses are not numbers.
func (s Stack) truncate(ctx context.Context, tail float64) truncated {
	s = s.withKeys()
	tail = floorPower(tail, 1)
	out := truncated{ctx: ctx, square: s.Square, releases: s.releases(), cache: s.Cache,
		lines: make([]line, len(s.Lines))}
	var all, own float64
	for i, l := range s.Lines {
		if ctx.Err() != nil {
			return truncated{ctx: ctx, top: math.NaN()}
		}
		o := getOrCompute(ctx, s.Cache, keyOf(l.Key, keyTruncated, tail), func() (*outlined, int) {
			return outline(l.Loss.Truncate(tail), l.Key+"|"+strconv.FormatFloat(tail, 'x', -1, 64))
		})
		out.lines[i] = line{outlined: o, count: l.Count}
		all += l.Count * math.Log1p(-math.Min(1, o.Top*(1+1e-9)))
		own += l.Count * math.Log1p(-math.Min(1, (l.Loss.Top-l.Loss.Feared)*(1-1e-12)))
	}
	out.top, out.failed = -math.Expm1(all), -math.Expm1(own)
	return out
}

// floorPower returns the largest power of 2^{1/n} that is not above x, to the last place.
func floorPower(x float64, n float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return x
	}
	return math.Exp2(math.Floor(math.Log2(x)*n) / n)
}

// releases returns Σ K.
func (s Stack) releases() float64 {
	total := 0.0
	for _, l := range s.Lines {
		total += l.Count
	}
	return total
}
