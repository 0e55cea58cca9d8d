package pld

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/pld/spectrum"
)

// deltaAt is the question for δ at ε, any real number. Calls with the same readers share spectra; they may be nil. A δ
// that is certainly at most negligible is narrow.
type deltaAt struct {
	readers    readers
	negligible float64
}

// readers are the readers of stacks of losses, by their keys.
type readers map[string]*spectrum.Reader

// readerOf returns the reader of a stack: a new one if there is none, or the stack has losses without keys.
func (r readers) readerOf(s spectrum.Stack) *spectrum.Reader {
	if r == nil || slices.ContainsFunc(s.Lines, func(l spectrum.Line) bool { return l.Key == "" }) {
		return s.Reader()
	}
	var key strings.Builder
	key.WriteString(formatNumber(s.Square))
	for _, l := range s.Lines {
		key.WriteString("\n" + formatNumber(l.Count) + " " + l.Key)
	}
	known, ok := r[key.String()]
	if !ok {
		known = s.Reader()
		r[key.String()] = known
	}
	return known
}

func (deltaAt) unknown() Interval { return Interval{Upper: 1} }

// allowedWidth returns the width of δ that corresponds to a relative width of ε: for the default, 1e-4,
// a fiftieth of δ.
func (q deltaAt) allowedWidth(i Interval, width float64) float64 {
	if i.Upper <= q.negligible {
		return math.Max(smallestDelta, i.Upper)
	}
	return math.Max(smallestDelta, spectrum.DeltaShare*width*i.Lower)
}

// closedForm answers for an empty stack, for a single release and for an ε beyond the largest loss. For others it knows
// what fails with certainty.
func (q deltaAt) closedForm(d *direction, epsilon float64) (Interval, bool) {
	l, single := d.single()
	switch {
	case len(d.lines) == 0:
		trivial := math.Max(0, -math.Expm1(epsilon)) // δ ≥ 1 − e^ε for any pair
		return Interval{Lower: trivial, Upper: trivial}, true
	case epsilon >= d.maxLoss():
		certain, possible := d.failureProbability()
		return Interval{Lower: math.Min(certain, 1), Upper: math.Min(1, possible*(1+8*ulp))}, !d.hasBracketedLoss()
	case single:
		least, most := math.Exp(l.Lower().LogDeltaAlone(epsilon)), math.Exp(l.Upper().LogDelta(epsilon))
		return Interval{Lower: least * (1 - 1e-11), Upper: math.Min(1, most*(1+1e-11))}, true
	}
	certain, _ := d.failureProbability()
	return Interval{Lower: math.Min(1, certain*(1-8*ulp)), Upper: 1}, false
}

// spectrum returns no lower end where one moment proves that this direction, or this estimate of it, has less than
// the lower end at hand, or that δ is negligible there or at a smaller ε.
func (q deltaAt) spectrum(ctx context.Context, s spectrum.Stack, open []unresolvedPoint,
	width float64) ([]Interval, error) {
	out := make([]Interval, len(open))
	reader := q.readers.readerOf(s)
	var epsilons []float64
	var numbers []int
	negligibleFrom, negligible := math.Inf(1), 0.0 // an ε from which on δ is at most this
	for n, p := range open {
		if p.at >= negligibleFrom {
			out[n] = Interval{Upper: negligible}
			continue
		}
		if least := math.Max(p.least, q.negligible); least > 0 {
			if upper, ok := reader.Bound(ctx, p.at, least); ok {
				out[n] = Interval{Upper: upper}
				if upper <= q.negligible {
					negligibleFrom, negligible = p.at, upper
				}
				continue
			}
		}
		epsilons, numbers = append(epsilons, p.at), append(numbers, n)
	}
	lower, upper, err := reader.Deltas(ctx, epsilons, width)
	for i := range lower {
		out[numbers[i]] = Interval{Lower: lower[i], Upper: upper[i]}
	}
	return out, err
}

// DeltaAt returns certified ends of the tight δ of the stack at ε, any real number, in
// the worse direction.
func DeltaAt(ctx context.Context, parts []pairs.Part, epsilon float64, opt Options) (lower, upper float64, err error) {
	l, u, err := Profile(ctx, parts, []float64{epsilon}, opt)
	if err != nil {
		return 0, 1, err
	}
	return l[0], u[0], nil
}

// Profile returns certified ends of the tight δ(ε) at many ε. Neighbouring ε share a
// tilt, and so a composition.
func Profile(ctx context.Context, parts []pairs.Part, epsilons []float64, opt Options) (lower,
	upper []float64, err error) {
	return profile(ctx, parts, epsilons, opt, nil)
}

func profile(ctx context.Context, parts []pairs.Part, epsilons []float64, opt Options, shared readers) (lower,
	upper []float64, err error) {
	if slices.ContainsFunc(epsilons, math.IsNaN) {
		return nil, nil, unsupportedError("δ is asked for at an ε that is not a number")
	}
	q := query{quantity: deltaAt{shared, opt.Negligible}, at: epsilons, width: opt.width(), noForm: opt.NoForm}
	s, err := enclose(ctx, parts, q, methods...)
	if err != nil {
		return nil, nil, err
	}
	lower, upper = make([]float64, len(epsilons)), make([]float64, len(epsilons))
	order := make([]int, len(epsilons))
	certain := 0.0 // at any ε
	for _, d := range s {
		given, _ := d.failureProbability()
		certain = math.Max(certain, given*(1-8*ulp))
	}
	for n := range epsilons {
		i := s.intervalAt(n)
		lower[n], upper[n], order[n] = math.Max(i.Lower, certain), i.Upper, n
		if i.Upper == 0 && slices.ContainsFunc(s, func(d *direction) bool { return epsilons[n] < d.maxLoss() }) {
			upper[n] = math.SmallestNonzeroFloat64 // too small for float64, and not 0
		}
	}
	// δ(ε) does not increase, and is at least 1 − e^ε.
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(epsilons[i], epsilons[j]) })
	best := 1.0
	for _, n := range order {
		best = math.Min(best, upper[n])
		upper[n] = best
	}
	best = 0
	for _, n := range slices.Backward(order) {
		best = math.Max(best, lower[n])
		least := math.Max(best, -math.Expm1(math.Min(0, epsilons[n])))
		lower[n], upper[n], err = spectrum.Meet([2]float64{least, 1}, [2]float64{0, upper[n]}, q.nothing())
		if err != nil {
			return nil, nil, NameStack(err, parts)
		}
	}
	return lower, upper, nil
}
