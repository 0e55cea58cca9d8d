package scenarios

import (
	"context"
	"math"
)

// relativeStep is how close to the edge of the budget a real-valued answer comes:
// a value that much further no longer fits.
const relativeStep = 5e-7

// search finds the value nearest the budget's edge that meets it, and the nearest
// beyond that does not. Every column is monotone in every unknown, so it brackets
// and closes in; found has always been evaluated, so it is safe even where the
// numerical ends waver by their width. from is a value known to meet the budget,
// if any. If no value does, found is the last one tried, towards the cheap end.
func (u *unknown) search(ctx context.Context, epsilon float64, from *trial, at func(float64) trial) (found, beyond trial) {
	start, first := trial{}, 4.0
	if from != nil {
		start, first = *from, 1.1 // a better theorem moves the answer only a little
	} else {
		start = at(u.clamp(u.start))
	}
	towardsHigh := u.rises == start.meets(epsilon)
	last, next := u.march(ctx, start, towardsHigh, first, epsilon, at)
	if !start.meets(epsilon) {
		last, next = next, last
	}
	if found, beyond = last, next; !found.meets(epsilon) || beyond.meets(epsilon) {
		return found, beyond
	}
	return u.close(ctx, found, beyond, epsilon, at)
}

// march goes in ever larger strides until it crosses the edge of the budget or
// reaches the end of the range, and gives the last two values; at the end, both
// are the same.
func (u *unknown) march(ctx context.Context, from trial, up bool, stride, epsilon float64, at func(float64) trial) (last, next trial) {
	last = from
	for ctx.Err() == nil {
		factor := stride
		if !up {
			factor = 1 / stride
		}
		x := u.clamp(last.value * factor)
		if x == last.value && u.whole {
			x = u.clamp(last.value + map[bool]float64{true: 1, false: -1}[up])
		}
		if x == last.value {
			break
		}
		next = at(x)
		if next.meets(epsilon) != from.meets(epsilon) {
			return last, next
		}
		if next.reason != "" && from.reason == "" && !next.meets(epsilon) {
			next.reason = "" // the range's end may be out of reach; what was found before is the news
			next.bound = last.bound
		}
		last = next
		stride *= stride
	}
	return last, last
}

// close narrows a bracket by the secant through its ends on logarithmic scales,
// where every column is nearly straight, and halves it where that stalls.
func (u *unknown) close(ctx context.Context, found, beyond trial, epsilon float64, at func(float64) trial) (trial, trial) {
	for i := 0; ctx.Err() == nil && !u.adjacent(found.value, beyond.value); i++ {
		x := math.Sqrt(found.value) * math.Sqrt(beyond.value)
		if i%3 != 2 {
			x = secant(found, beyond, epsilon, x)
		}
		next := at(u.inside(x, found.value, beyond.value))
		if next.meets(epsilon) {
			found = next
		} else {
			beyond = next
		}
	}
	return found, beyond
}

// secant is where the line through both ends, in logarithms, reaches the budget.
func secant(a, b trial, epsilon, otherwise float64) float64 {
	la, lb := math.Log(a.bound.Epsilon/epsilon), math.Log(b.bound.Epsilon/epsilon)
	x := a.value * math.Pow(b.value/a.value, la/(la-lb))
	if math.IsNaN(x) || math.IsInf(x, 0) || math.IsInf(la, 0) || math.IsInf(lb, 0) {
		return otherwise
	}
	return x
}

// inside keeps a trial within the bracket and off its ends: by one for whole
// numbers, else by just less than what counts as adjacent, so that a good guess
// closes the bracket at once.
func (u *unknown) inside(x, a, b float64) float64 {
	low, high := math.Min(a, b), math.Max(a, b)
	if u.whole {
		return math.Min(math.Max(math.Round(x), low+1), high-1)
	}
	step := 0.9 * relativeStep
	return math.Min(math.Max(x, low*(1+step)), high*(1-step))
}

// adjacent tells whether two values leave nothing worth trying between them.
func (u *unknown) adjacent(a, b float64) bool {
	if u.whole {
		return math.Abs(a-b) <= 1
	}
	return math.Abs(a-b) <= relativeStep*math.Max(a, b)
}

func (u *unknown) clamp(x float64) float64 {
	if u.whole {
		x = math.Round(x)
	}
	return math.Min(math.Max(x, u.low), u.high)
}
