package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/numeral"
)

// whole remarks on what the unit, the rounds and the expectations say together.
func (l *linter) whole(r *Result) {
	s := l.s
	if w, ok := WindowOf(s.Unit); ok && s.Rounds > 1 {
		l.add("window-rounds", "The unit covers one %s, and the stack runs %s times on it. If a round is another %s, one unit meets one round only; "+
			"what is shown is the cost of somebody who takes part in all of them.", w.Name, numeral.Format(s.Rounds), w.Name)
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
	gdp, _ := r.Bound(accounting.GDP)
	if gdp.Status != accounting.Unproven {
		return
	}
	if gdp.Epsilon <= r.Target.Epsilon && r.Bounds[r.Best].Epsilon > r.Target.Epsilon {
		l.add("gdp-as-bound", "Only the central-limit approximation fits the budget, and that is not a bound: it does not count.")
	}
	if slices.ContainsFunc(l.s.Expect, func(e Expectation) bool { return e.Method == accounting.GDP }) {
		l.add("gdp-as-bound", "A figure to reproduce is taken from the central-limit approximation, which is not a bound.")
	}
}

// meanWords are words in a label for an answer that is divided by the number of records, or
// cut to a range.
var meanWords = []string{"mean", "average", "rate", "share", "median", "percentage", "percent"}

// labelLints remark on a label that speaks of a mean, where a record comes or goes.
func labelLints(s *Scenario, e *Entry) []Lint {
	if s.Adjacency != mechanisms.AddRemove {
		return nil
	}
	words := strings.FieldsFunc(strings.ToLower(e.Label), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, w := range words {
		if slices.Contains(meanWords, strings.TrimSuffix(w, "s")) {
			return []Lint{{Code: "mean-under-add-remove", Text: fmt.Sprintf(
				"The label says %s: where a record comes or goes, so does what it is divided by. A sensitivity over a public n, or over the range, is for replace only.", w)}}
		}
	}
	return nil
}
