package variants

import (
	"math"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

// limitedBound returns the best bound of a result with what the budget limits in the place of ε: the least harm that a
// bound implies, if it limits one.
func limitedBound(r *scenarios.Result) accounting.Bound {
	best := r.BestBound()
	if r.Harm == nil || !best.Finite() {
		return best
	}
	least := math.Inf(1)
	for _, b := range r.Bounds {
		if harm := report.ImpliedHarm(r, b); b.Status == accounting.Valid && b.Finite() && harm < least {
			best, least = b, harm
		}
	}
	best.Epsilon, best.Lower = least, 0
	return best
}

// limitsHarm reports whether the budget of the map limits a harm.
func (g *grid) limitsHarm() bool { return g.made.Of.scenario.Budget.Harm.Kind() != "" }

// budget returns the limit of the map: an ε or a harm; 0 if there is none.
func (g *grid) budget() float64 {
	b := g.made.Of.scenario.Budget
	if g.limitsHarm() {
		return b.Harm.Limit()
	}
	return b.Epsilon
}

// fits reports whether a bound of the map stays within the budget.
func (g *grid) fits(b accounting.Bound) bool {
	if g.limitsHarm() {
		return b.Status == accounting.Valid && b.Epsilon <= g.budget()
	}
	return report.Fits(b, g.budget())
}

// symbol returns what the map shows.
func (g *grid) symbol() string {
	if s := g.made.Of.scenario; s != nil && g.limitsHarm() {
		return report.HarmName(s.Budget.Harm)
	}
	return "ε"
}

func allRows(s surface) (list []int) {
	for row := range s.bounds {
		list = append(list, row)
	}
	return list
}
