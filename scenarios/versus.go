package scenarios

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/risk"
)

// Versus is two scenarios side by side.
type Versus struct {
	A, B    *Result
	Changes []Change
	Rows    []VersusRow
	Notes   []string // why the two values of ε do not mean the same
	Harm    []VersusHarm
}

// VersusHarm is a kind of harm of both scenarios, certified; the upper end is 1 if there is no certified curve.
type VersusHarm struct {
	Limit HarmLimit // which harm; the limit itself is that of the budget, or 1
	A, B  risk.Ends
}

// AddHarm computes the membership advantage of both scenarios and what their budgets limit. The error is the context's.
func (v *Versus) AddHarm(ctx context.Context, a, b *Scenario) error {
	kinds := []HarmLimit{{Advantage: 1}}
	for _, s := range []*Scenario{a, b} {
		h := s.Budget.Harm
		same := func(k HarmLimit) bool { return k.Kind() == h.Kind() && k.FPR == h.FPR && k.Prior == h.Prior }
		if h.Kind() != "" && !slices.ContainsFunc(kinds, same) {
			kinds = append(kinds, h)
		}
	}
	ev := NewEvaluator()
	ends := func(ctx context.Context, r *Result, h HarmLimit) risk.Ends {
		out := risk.Ends{Lower: 0, Upper: 1}
		if profile, err := r.Profile(ctx); err == nil {
			if found, err := h.Measure(ctx, profile); err == nil {
				out = found
			}
		}
		return out
	}
	if err := accounting.Recover(ev.Context(ctx), func(ctx context.Context) error {
		for _, h := range kinds {
			v.Harm = append(v.Harm, VersusHarm{h, ends(ctx, v.A, h), ends(ctx, v.B, h)})
		}
		return nil
	}); err != nil {
		return err
	}
	return ctx.Err()
}

// VersusRow holds the bounds of one method on both scenarios. A method that was not asked for has
// a bound that is not applicable.
type VersusRow struct {
	Method accounting.Method
	A, B   accounting.Bound
}

// Difference returns the cost of b minus that of a; NaN if either has no bound.
func (r VersusRow) Difference() float64 {
	if !r.A.Finite() || !r.B.Finite() {
		return math.NaN()
	}
	return r.B.Epsilon - r.A.Epsilon
}

// Versus evaluates two scenarios and says what changed from one to the other and
// what that costs by every method.
func (ev *Evaluator) Versus(ctx context.Context, a, b *Scenario, opt Options) (*Versus, error) {
	ra, err := ev.Evaluate(ctx, a, opt)
	if err != nil {
		return nil, err
	}
	rb, err := ev.Evaluate(ctx, b, opt)
	if err != nil {
		return nil, err
	}
	v := NewVersus(a, b, ra, rb)
	return v, v.AddHarm(ctx, a, b)
}

// NewVersus sets two evaluated scenarios side by side.
func NewVersus(a, b *Scenario, ra, rb *Result) *Versus {
	v := &Versus{A: ra, B: rb, Changes: Changes(a, b), Notes: comparisonNotes(a, b, ra, rb)}
	for _, t := range accounting.Methods() {
		x, inA := ra.Bound(t.Method)
		y, inB := rb.Bound(t.Method)
		if inA || inB {
			v.Rows = append(v.Rows, VersusRow{t.Method, x, y})
		}
	}
	return v
}

// Bound returns the bound of a method; false, with a bound that is not applicable, if the method was not asked for.
func (r *Result) Bound(m accounting.Method) (accounting.Bound, bool) {
	if r != nil {
		for _, b := range r.Bounds {
			if b.Method == m {
				return b, true
			}
		}
	}
	return accounting.Bound{Method: m, Status: accounting.NotApplicable, Epsilon: math.Inf(1)}, false
}

// BestBound returns the best bound; if none is valid, one that is not applicable.
func (r *Result) BestBound() accounting.Bound {
	if r == nil || r.Best < 0 {
		return accounting.Bound{Status: accounting.NotApplicable, Epsilon: math.Inf(1)}
	}
	return r.Bounds[r.Best]
}

// IsOpen reports whether something is open that keeps every bound from fitting a budget: see [Result.OpenReason].
func (r *Result) IsOpen() bool { return r.OpenReason() != "" }

// OpenReason says why no bound of a result fits a budget or may be quoted, as a clause; "" if nothing is open. An entry
// under replace does not state its sensitivity, or costs were chosen after earlier answers were seen, as those of a
// ledger may have been.
func (r *Result) OpenReason() string {
	switch {
	case r == nil:
		return ""
	case r.open:
		return "a sensitivity under replace is not stated"
	case r.adaptive:
		return "costs were chosen after earlier answers were seen, and the bounds hold for a plan fixed in advance"
	}
	return ""
}

// CostsAreAdaptive reports whether the author says that costs were chosen after earlier answers were seen.
func (r *Result) CostsAreAdaptive() bool { return r != nil && r.adaptive }

// bestToQuote returns the index of the bound to quote, −1 if there is none: the smallest valid
// one or, if a pure bound is equal to it in the digits shown, the pure one, because (ε, 0) is
// stronger than (ε, δ); the first listed of several that differ by round-off. It never prefers a
// bound that exceeds the budget to one within it.
func bestToQuote(bounds []accounting.Bound, budget float64) int {
	best := accounting.Best(bounds)
	if best < 0 || bounds[best].Delta == 0 {
		return best
	}
	quote := best
	for i, b := range bounds {
		same := b.Status == accounting.Valid && b.Delta == 0 &&
			numeral.Upper(b.Epsilon) == numeral.Upper(bounds[best].Epsilon)
		if same && (b.Fits(budget) || !bounds[best].Fits(budget)) &&
			(quote == best || b.Epsilon < bounds[quote].Epsilon*(1-accounting.TieWidth)) {
			quote = i
		}
	}
	return quote
}

// comparisonNotes lists why the ε of two scenarios do not mean the same; nil if they do.
func comparisonNotes(a, b *Scenario, ra, rb *Result) []string {
	var notes []string
	if a.Unit != b.Unit {
		notes = append(notes, fmt.Sprintf("The units differ (%s and %s): one ε protects something else than the other.", cmp.Or(a.Unit, "none given"), cmp.Or(b.Unit, "none given")))
	}
	if a.Adjacency != b.Adjacency {
		notes = append(notes, fmt.Sprintf("The adjacencies differ (%s and %s): each ε is about other pairs of data sets, and neither bounds the other.", a.Adjacency, b.Adjacency))
	}
	if a.Group != b.Group {
		notes = append(notes, "The records of one person differ in number: one ε is for a larger group than the other.")
	}
	if ra.Target.Delta != rb.Target.Delta {
		notes = append(notes, fmt.Sprintf("The total δ differs (%s and %s): ε alone can be compared at one δ only.",
			numeral.Format(numeral.Round(ra.Target.Delta, 4)), numeral.Format(numeral.Round(rb.Target.Delta, 4))))
	}
	return notes
}
