package scenarios

import (
	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
)

// whole remarks on what the unit, the rounds and the expectations say together.
func (l *linter) whole(r *Result) {
	s := l.s
	if w, ok := WindowOf(s.Unit); ok && s.Rounds > 1 {
		l.add("window-rounds", "The unit covers one %s, and the stack runs %s times on it. If a round is another %s, one unit meets one round only; "+
			"what is shown is the cost of somebody who takes part in all of them.", w.Name, mechanisms.FormatNumber(s.Rounds), w.Name)
	}
	if singleEvent(s.Unit) && s.Group == 1 {
		l.add("unit-not-person", "The unit is one %s, not a person: somebody with several is protected for each alone. Give group, or bound what one person contributes.", s.Unit)
	}
	if r.Target.Epsilon > 0 && r.Best >= 0 {
		l.gdpAsBound(r)
	}
}

// gdpAsBound warns where only the central limit fits a budget, or a figure to
// reproduce rests on it.
func (l *linter) gdpAsBound(r *Result) {
	gdp, _ := boundOf(r, accounting.GDP)
	if gdp.Status != accounting.Approximate {
		return
	}
	if gdp.Epsilon <= r.Target.Epsilon && r.Bounds[r.Best].Epsilon > r.Target.Epsilon {
		l.add("gdp-as-bound", "Only the central-limit approximation fits the budget, and that is not a bound: it does not count.")
	}
	for _, e := range l.s.Expect {
		if e.Method == accounting.GDP {
			l.add("gdp-as-bound", "A figure to reproduce is taken from the central-limit approximation, which is not a bound.")
			return
		}
	}
}
