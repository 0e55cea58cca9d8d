package accounting

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
)

// Numerical is the accountant of package pld.
const Numerical Method = "numerical"

// The losses are composed by tilted Fourier transforms, with a certified lower and upper
// end; see package pld.
var numericalTheorem = Theorem{
	Method:    Numerical,
	Label:     "numerical",
	Title:     "Privacy-loss distributions, composed numerically",
	Authors:   "Koskela, Jälkö, Honkela; Gopi, Lee, Wutschitz; Zhu, Dong, Wang",
	Year:      2022,
	Source:    "Zhu, Dong & Wang 2022 (AISTATS), Theorem 10; Gopi, Lee & Wutschitz 2021 (NeurIPS); Doroshenko et al. 2022 (PoPETs)",
	Formula:   "δ(ε) = E[(1 − e^(ε−L))₊],   L = Σ of the privacy losses of all releases",
	Looseness: "Only the width of the certified interval, and what is lost where a pair dominates its mechanism loosely.",
	Adaptive:  Adaptive{AdaptiveNotValid, "the true δ can be 3.16 times as large", "Use the plan filter, which keeps this ε, or the zCDP filter."},
	CiteKey:   "ZhuDW22",
	evaluate:  evaluateNumerical,
	steps:     numericalSteps,
	Slips: []string{
		"“(ε, δ)-DP means that the loss exceeds ε with probability δ at most” is sufficient, not equivalent; exact is E[(1 − e^(ε−L))₊] ≤ δ.",
	},
}

// partsOf returns the dominating pairs of the entries with their counts, which package pld
// composes.
func partsOf(entries []Entry) ([]pairs.Part, error) {
	parts := make([]pairs.Part, len(entries))
	for i, e := range entries {
		pair, err := pairOf(e.Release)
		if err != nil {
			return nil, err
		}
		parts[i] = pairs.Part{Pair: pair, Count: e.Count}
	}
	return parts, nil
}

func (l *preparedStack) parts(ctx context.Context) (parts []pairs.Part, err error) {
	err = recoverPanic(ctx, func() error {
		if parts, err = partsOf(l.entries); err == nil {
			l.chooseAttacks(ctx, parts)
			parts = l.aimOnce(parts, l.composeSelections(ctx, parts))
		}
		return err
	})
	return parts, err
}

func evaluateNumerical(ctx context.Context, l *preparedStack) Bound {
	parts, err := l.parts(ctx)
	if b, internal := refuseInternal(err); internal {
		return b
	}
	if err != nil {
		return refuse(Numerical, err.Error(), Condition{"every release has a dominating pair", false})
	}
	if l.target.Delta == 0 {
		return l.pureSum(ctx)
	}
	var interval pld.Interval
	err = recoverPanic(ctx, func() (err error) {
		interval, err = pld.Epsilon(ctx, parts, l.target.Delta, l.options())
		return err
	})
	if b, internal := refuseInternal(err); internal {
		return b
	}
	if err != nil {
		return l.fallBack(ctx, err)
	}
	return l.boundFromInterval(ctx, interval).withAttackNote()
}

// withAttackNote returns the bound with a sentence on a lower end that is an attack's.
func (b Bound) withAttackNote() Bound {
	if b.LowerByAttack() {
		b.Note = join(b.Note, fmt.Sprintf("At least %s by the best attack known.", numeral.Lower(b.Lower*(1-outwards))))
	}
	return b
}

// boundFromInterval returns the bound of an interval. The best closed form replaces the upper end if it is
// smaller and the upper end is infinite, is not from a composition, or makes the interval wider than
// requested; a note says so if the difference is visible.
func (l *preparedStack) boundFromInterval(ctx context.Context, interval pld.Interval) Bound {
	b := l.numericalBound(ctx, interval)
	var reason string
	switch {
	case b.Fault != nil:
		return b
	case b.Status == Vacuous:
		reason = "the accountant has no finite upper end at this precision"
	case interval.Form == pld.FormRenyi:
		reason = interval.Note
	case l.wide(interval):
		reason = interval.Note + ". The accountant's own upper end, " + proseUp(interval.Upper) + ", is larger"
	case l.total() == 1: // the profile of one release, inverted, may end a hair below the mesh
		if t, _ := TheoremOf(Basic); l.target.Delta > 0 {
			if one := l.evaluate(ctx, t); one.Status == Valid && one.Epsilon < b.Epsilon {
				return b.capBy(ctx, one.Epsilon, one.By, l.entries)
			}
		}
		return b
	default:
		return b
	}
	closed := l.fallBack(ctx, errors.New(reason))
	if closed.Status != Valid || !(closed.Epsilon < b.Epsilon) {
		return b
	}
	own := proseUp(b.Epsilon)
	b = b.capBy(ctx, closed.Epsilon, closed.By, l.entries)
	if b.Fault != nil || proseUp(b.Epsilon) == own {
		return b
	}
	closed.Lower = b.Lower
	closed.Method, closed.Interval, closed.Conditions = Numerical, b.Interval, b.Conditions
	closed.Inputs = l.numericalInputs(interval)
	return closed
}

// wide reports whether an interval has a note on its width and is wider than requested.
func (l *preparedStack) wide(i pld.Interval) bool {
	return i.Note != "" && i.Upper-i.Lower > l.width()*i.Upper
}

// width returns the width asked of the interval, relative to ε.
func (l *preparedStack) width() float64 { return cmp.Or(l.target.Precision, pld.DefaultWidth) }

// pureSum returns the bound at δ = 0: the tight ε is the largest possible loss.
func (l *preparedStack) pureSum(ctx context.Context) Bound {
	epsilon, delta, stated := l.statedSums()
	if !stated || delta > 0 {
		return refuse(Numerical, "with δ = 0 only pure releases have a finite ε, and not all of these are", Condition{"every release is pure, or δ > 0", false})
	}
	parts, _ := partsOf(l.entries)
	b := Bound{Status: Valid, Epsilon: math.Inf(1), Lower: pairs.LargestLoss(parts),
		Note: "With δ = 0 the ε is the sum of the pure ε."}
	return b.capBy(ctx, epsilon, Basic, l.entries)
}

func (l *preparedStack) numericalBound(ctx context.Context, interval pld.Interval) Bound {
	b := Bound{Method: Numerical, Status: Valid, Epsilon: interval.Upper, Lower: interval.Lower, Delta: l.target.Delta,
		Note: Sentence(interval.Note), Interval: &interval,
		Conditions: []Condition{{"every release has a dominating pair", true}, {"δ > 0", true}},
		Inputs:     l.numericalInputs(interval)}
	// For pure stacks the sum is a bound too, and can lie a hair below the upper end.
	if sum, delta, stated := l.statedSums(); stated && delta == 0 && sum < b.Epsilon {
		if b = b.capBy(ctx, sum, Basic, l.entries); b.Fault != nil {
			return b
		}
	}
	if math.IsInf(b.Epsilon, 1) {
		b.Status = Vacuous
		b.Note = join(b.Note, "The losses that have no finite size outweigh δ.")
	}
	return b
}

func (l *preparedStack) numericalInputs(i pld.Interval) []Quantity {
	return []Quantity{
		quantity("K", l.total(), "releases"),
		quantity("N", float64(i.Grid), "frequencies of the Fourier sum; 0 for a closed form"),
		quantity("h", i.Step, "smoothing"),
	}
}

// Quantities returns the numbers that the bound was computed from. Beside them stand the certified ends, which are
// those of the bound itself; but if another theorem lowered the upper end visibly, the accountant's own.
func (b Bound) Quantities() []Quantity {
	if b.Interval == nil || len(b.Inputs) == 0 {
		return b.Inputs
	}
	upper := quantity("ε upper", b.Epsilon, "certified upper end")
	if own := b.Interval.Upper * (1 + outwards); proseUp(own) != proseUp(b.Epsilon) {
		upper = quantity("ε upper", own, "the accountant's own upper end, not used")
	}
	return slices.Insert(slices.Clone(b.Inputs), 1,
		quantity("ε lower", b.Lower, "certified lower end").as(LowerEnd), upper.as(Cost))
}

// fallBack returns the best closed form, for a stack that the numerical accountant cannot compose.
func (l *preparedStack) fallBack(ctx context.Context, reason error) Bound {
	if b, stopped := refuseIncomplete(Numerical, reason); stopped {
		return b
	}
	bounds := l.askAll(ctx, false)
	best := Best(bounds)
	if best < 0 || !bounds[best].Finite() {
		return refuse(Numerical, reason.Error())
	}
	return Bound{Status: Valid, Epsilon: bounds[best].Epsilon, Delta: bounds[best].Delta,
		By:   cmp.Or(bounds[best].By, bounds[best].Method),
		Note: fmt.Sprintf("%s The upper end is that of %s instead.", Sentence(reason.Error()), bounds[best].Method.Name())}
}

// refuseIncomplete returns the bound of a computation whose context ended; stopped is false if it failed for another
// reason.
func refuseIncomplete(m Method, err error) (b Bound, stopped bool) {
	if !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		return Bound{}, false
	}
	return refuse(m, "the computation was stopped before it had an answer"), true
}

func numericalSteps(b Bound, _ inputs) ([]string, float64) {
	iv := b.Interval
	if iv == nil {
		return nil, math.NaN()
	}
	lines := []string{fmt.Sprintf("%s ≤ ε ≤ %s, certified", numeral.Lower(b.Lower), numeral.Upper(b.Epsilon))}
	if iv.Form != "" {
		return append(lines, "a closed form was used: "+iv.Form), math.NaN()
	}
	if iv.Tilt > 0 {
		smoothing := "no smoothing"
		if iv.Step > 0 {
			smoothing = "smoothing " + numeral.Nearest(iv.Step)
		}
		lines = append(lines, fmt.Sprintf("Fourier sum of %d frequencies: tilt %s, window %s, %s; the worse direction is %s",
			iv.Grid, numeral.Nearest(iv.Tilt), numeral.Nearest(iv.Window), smoothing, iv.Direction))
	}
	smoothing := "smoothing"
	if iv.Note != "" {
		smoothing = "smoothing and estimates"
	}
	return append(lines, fmt.Sprintf("error budget in ε: %s %s, truncation %s, aliasing %s, round-off %s",
		smoothing, numeral.Nearest(iv.Budget.Grid), numeral.Nearest(iv.Budget.Tail), numeral.Nearest(iv.Budget.Wrap),
		numeral.Nearest(iv.Budget.Roundoff))), math.NaN()
}

// Refine yields the numerical bound with an ever narrower certified interval, until
// the target's precision is reached, the context ends, or yield returns false. Where
// the numerical accountant cannot answer it yields once, with the reason. The error
// is the context's, if that ended the work, or an [InternalError].
func Refine(ctx context.Context, stack []Entry, target Target, yield func(Bound) bool) error {
	l := prepareStack(stack, target)
	parts, err := l.parts(ctx)
	if l.problem != "" || err != nil || len(l.entries) == 0 || l.target.Delta == 0 || l.target.Delta >= 1 {
		b := l.evaluate(ctx, numericalTheorem)
		yield(b)
		if b.Fault != nil {
			return b.Fault
		}
		return nil
	}
	seen, yielding := false, false
	err = recoverPanic(ctx, func() error {
		return pld.Refine(ctx, parts, l.target.Delta, l.options(), func(i pld.Interval) bool {
			b := l.roundOutwards(l.boundFromInterval(ctx, i).withAttackNote())
			seen, yielding = true, true
			more := yield(b)
			yielding = false
			return more
		})
	}, &yielding)
	if cause := ctx.Err(); cause != nil {
		return cause
	}
	if b, internal := refuseInternal(err); internal { // even if earlier, wider intervals were yielded
		yield(b)
		return b.Fault
	}
	if err != nil && !seen {
		b := l.fallBack(ctx, err)
		b.Method = Numerical
		yield(b)
	}
	return nil
}

// DeltaAt returns the numerical accountant's certified interval for δ at ε ≥ 0; at ε = 0 that
// is the total variation distance. Precision is as in [Target].
func DeltaAt(ctx context.Context, stack []Entry, epsilon, precision float64) (lower, upper float64, err error) {
	l := prepareStack(stack, Target{Precision: precision})
	if l.problem != "" {
		return 0, 1, errors.New(l.problem)
	}
	parts, err := l.parts(ctx)
	if err != nil {
		return 0, 1, err
	}
	upper = 1 // if the accountant fails
	err = recoverPanic(ctx, func() (err error) {
		lower, upper, err = pld.DeltaAt(ctx, parts, epsilon, l.options())
		return err
	})
	return lower, upper, err
}

// Parts returns the dominating pairs and counts that the numerical accountant composes for a
// stack.
func Parts(ctx context.Context, stack []Entry) ([]pairs.Part, error) {
	return prepareStack(stack, Target{}).parts(ctx)
}

func (l *preparedStack) options() pld.Options { return pld.Options{Width: l.target.Precision} }
