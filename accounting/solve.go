package accounting

import (
	"context"
	"fmt"
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/special"
)

// Search is an inverse problem: how far may x go before the stack costs more than
// the target?
type Search struct {
	// Cost is a certified upper bound on ε at x, monotone in x; +Inf where there is
	// none. An error ends the search.
	Cost func(ctx context.Context, x float64) (epsilon float64, err error)
	// Rising says that the cost grows with x (an ε, a count), so that the largest x
	// is sought; otherwise (a σ, a δ, a number of records) the smallest.
	Rising bool
	// Whole asks for a whole number, exactly; Digits, if above 0, for a number of that many
	// significant digits, also to the last one.
	Whole  bool
	Digits int
	// Low and High bound x, both above 0. A whole x stays below 2⁵³.
	Low, High float64
	// Start is the first x to try; the middle of the range if 0.
	Start float64
}

// Solution answers a search.
type Solution struct {
	Value    float64 // the last x on the safe side
	Epsilon  float64 // what it costs: at most the target
	Feasible bool
	Note     string // why it is not, or that the range ends before the budget does
}

// Solve finds the x at which the cost meets the target, to about 1e-12 relative or to the
// last whole number or digit, and always on the safe side: the cost at the answer was
// evaluated and is at most the target. Where the cost is not quite monotone (the
// numerical ends, within their width) that still holds.
func Solve(ctx context.Context, s Search, target float64) (Solution, error) {
	if !(s.Low > 0) || !(s.High >= s.Low) || math.IsInf(s.High, 1) || math.IsNaN(target) {
		return Solution{}, fmt.Errorf("the range to search must lie above 0 and be finite")
	}
	if s.Whole {
		s.Low, s.High = math.Ceil(s.Low), math.Min(math.Floor(s.High), 1<<53)
		if s.High < s.Low {
			return Solution{}, fmt.Errorf("there is no whole number in the range to search")
		}
	}
	run := &solver{Search: s, ctx: ctx, target: target}
	safe, unsafe, done := run.bracket()
	switch {
	case done || run.err != nil:
	case s.Whole || s.Digits > 0:
		safe = run.closeIn(safe, unsafe)
	default:
		safe = run.real(safe, unsafe)
	}
	if run.err != nil {
		return Solution{}, run.err
	}
	return run.solution(safe), nil
}

// point is an evaluated x; gap is ln(cost/target), 0 or less if it is safe.
type point struct{ x, epsilon, gap float64 }

type solver struct {
	Search
	ctx    context.Context
	target float64
	err    error
	best   *point // the farthest safe x seen
}

func (r *solver) evaluate(x float64) point {
	if r.err == nil {
		r.err = r.ctx.Err()
	}
	if r.err != nil {
		return point{x, math.Inf(1), 700}
	}
	epsilon, err := r.Cost(r.ctx, x)
	if err != nil {
		r.err = err
	}
	if math.IsNaN(epsilon) {
		epsilon = math.Inf(1)
	}
	log := special.Log(epsilon) - special.Log(r.target)
	gap := math.Min(700, math.Max(1e-300, log))
	if epsilon <= r.target {
		if gap = math.Max(-700, math.Min(log, 0)); math.IsNaN(gap) { // 0 of 0
			gap = 0
		}
	}
	p := point{x, epsilon, gap}
	if gap <= 0 && (r.best == nil || (x > r.best.x) == r.Rising) {
		r.best = &p
	}
	return p
}

// ends returns the easiest and the hardest x of the range.
func (r *solver) ends() (easy, hard float64) {
	if r.Rising {
		return r.Low, r.High
	}
	return r.High, r.Low
}

// bracket steps from the start until the target lies between a safe and an unsafe
// x. It is done where the range ends first.
func (r *solver) bracket() (safe, unsafe point, done bool) {
	start := r.Start
	if !(start >= r.Low && start <= r.High) {
		start = math.Sqrt(r.Low) * math.Sqrt(r.High)
	}
	start = math.Min(r.High, math.Max(r.Low, r.snap(start)))
	p := r.evaluate(start)
	easy, hard := r.ends()
	towards := hard
	if p.gap > 0 {
		towards = easy
	}
	factor, whole := 2.0, math.Ceil
	if towards < start {
		factor, whole = 0.5, math.Floor
	}
	for r.err == nil && p.x != towards {
		next := r.snap(p.x * factor)
		if r.Whole {
			next = whole(p.x * factor)
		}
		q := r.evaluate(math.Min(r.High, math.Max(r.Low, next)))
		switch {
		case p.gap <= 0 && q.gap > 0:
			return p, q, false
		case p.gap > 0 && q.gap <= 0:
			return q, p, false
		}
		p, factor = q, factor*factor
	}
	return p, p, true
}

// real closes in on the target in ln x, where most costs are close to straight.
func (r *solver) real(safe, unsafe point) point {
	from, span := special.Log(unsafe.x), special.Log(safe.x)-special.Log(unsafe.x)
	special.BracketRoot(func(w float64) float64 {
		switch w {
		case 0:
			return unsafe.gap
		case 1:
			return safe.gap
		}
		return r.evaluate(math.Exp(from + w*span)).gap
	}, 0, 1, 1e-13)
	return *r.best
}

// closeIn narrows a safe and an unsafe x to two neighbours, in ln x, by Chandrupatla's steps,
// and returns the safe one.
func (r *solver) closeIn(safe, unsafe point) point {
	a, b := safe, unsafe
	share := a.gap / (a.gap - b.gap) // a straight line first
	for r.err == nil {
		low, high := r.next(math.Min(a.x, b.x), +1), r.next(math.Max(a.x, b.x), -1)
		if low > high {
			break
		}
		p, c := r.evaluate(math.Min(high, math.Max(low, r.snap(a.x*math.Pow(b.x/a.x, share))))), a
		if (p.gap > 0) != (a.gap > 0) {
			b, c = a, b
		}
		a = p
		share = special.Step(math.Log(a.x), a.gap, math.Log(b.x), b.gap, math.Log(c.x), c.gap)
	}
	if a.gap > 0 {
		return b
	}
	return a
}

// snap returns the nearest x that may be tried, next the one beside it.
func (r *solver) snap(x float64) float64 {
	switch {
	case r.Whole:
		return math.Round(x)
	case r.Digits > 0:
		return numeral.Round(x, r.Digits)
	}
	return x
}

func (r *solver) next(x, way float64) float64 {
	switch {
	case r.Whole:
		return x + way
	case way > 0:
		return numeral.RoundUp(math.Nextafter(x, math.Inf(1)), r.Digits)
	}
	return numeral.RoundDown(math.Nextafter(x, 0), r.Digits)
}

func (r *solver) solution(p point) Solution {
	easy, hard := r.ends()
	s := Solution{Value: p.x, Epsilon: p.epsilon, Feasible: p.gap <= 0}
	switch {
	case !s.Feasible && math.IsInf(p.epsilon, 1):
		s.Note = fmt.Sprintf("No value up to %s gives a finite bound.", prose(easy))
	case !s.Feasible:
		cost, target := numeral.FormatDistinct(p.epsilon, r.target)
		s.Note = fmt.Sprintf("Even %s costs ε = %s, more than the target of %s.", prose(easy), cost, target)
	case p.x == hard:
		s.Note = fmt.Sprintf("The target allows even %s, the end of the range.", prose(hard))
	}
	return s
}
