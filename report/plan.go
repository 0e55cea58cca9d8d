package report

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
)

// PlanNote returns the note of a plan; for an unlimited answer, that there is no limit.
func PlanNote(p plan.Result) string {
	if p.Feasible && math.IsInf(p.Value, 1) && p.Note == "" {
		return "without limit: it costs nothing"
	}
	return p.Note
}

// PlanText returns a plan in a sentence or two. The value has every digit: rounded, it
// might not meet the budget any more.
func PlanText(p plan.Result) string {
	if !p.Feasible {
		return "not feasible: " + Plain(p.Note)
	}
	where := ""
	if p.Entry > 0 {
		where = fmt.Sprintf(" of entry %d", p.Entry)
	}
	text := fmt.Sprintf("%s%s = %s\nε = %s at δ = %s by %s", p.Solve, where, numeral.Format(p.Value),
		Upper(p.Achieved.Epsilon), FormatGiven(p.Achieved.Delta), TheoremPhrase(p.Method))
	if p.Harm.Kind() != "" {
		text = fmt.Sprintf("%s%s = %s\n%s at most %s: %s\nε = %s at δ = %s by %s", p.Solve, where, numeral.Format(p.Value),
			HarmName(p.Harm), Upper(p.HarmAchieved), harmMeaning(p.Harm, p.HarmAchieved),
			Upper(p.Achieved.Epsilon), FormatGiven(p.Achieved.Delta), TheoremPhrase(p.Method))
	}
	if n := Plain(PlanNote(p)); n != "" {
		text += "\n" + n
	}
	return text
}

// UnknownSymbol returns the symbol of a plan's unknown: z for noise in units of the clipping norm, σ for other noise,
// "" for a count.
func UnknownSymbol(s *scenarios.Scenario, solve string, entry int) string {
	if solve == "sigma" && entry > 0 && entry <= len(s.Stack) {
		spec := s.Stack[entry-1].Spec()
		if p, ok := spec.ParamOrRun("noise_multiplier"); ok && s.Stack[entry-1].Values.Has(p.Name) {
			return "z"
		}
	}
	return map[string]string{"epsilon": "ε", "sigma": "σ", "delta": "δ", "n": "n"}[solve]
}

// PlanError returns the 95 % error of the entry a plan changes, with the plan's answer
// put in; NaN where it has none.
func PlanError(s *scenarios.Scenario, p plan.Result) float64 {
	if !p.Feasible || p.Entry < 1 || p.Entry > len(s.Stack) {
		return math.NaN()
	}
	one := *s
	one.Stack = append([]scenarios.Entry(nil), s.Stack...)
	if err := p.Apply(&one); err != nil {
		return math.NaN()
	}
	a, err := one.WithSensitivity(&one.Stack[p.Entry-1]).Accuracy(one.Rounds)
	if err != nil {
		return math.NaN()
	}
	return a.Each
}

// PlanDigits is the number of significant digits to plan with for people: an answer with so few digits is shown
// in full, so that typing it in gives the cost stated.
const PlanDigits = digits

// PlanValue writes a plan's answer for people, rounded to the side on which it still
// meets the budget; a count is written in full.
func PlanValue(p plan.Result) string {
	switch {
	case p.Value == math.Trunc(p.Value):
		return numeral.Format(p.Value)
	case p.LargerIsBetter():
		return Lower(p.Value)
	}
	return Upper(p.Value)
}

// Fraction writes a small ε as people quote it, 1/812.4, never above it; "" for a larger one.
func Fraction(x float64) string {
	if !(x > 0 && x < 0.05) {
		return ""
	}
	return "1/" + Short(numeral.RoundUp(numeral.Round(1/x, 12), digits))
}

// EntryValue writes an ε of one release as people quote it, or its σ: rounded to the side on
// which it costs no more.
func EntryValue(field string, x float64) string {
	if field == "sigma" {
		return Short(numeral.RoundUp(x, digits))
	}
	return cmp.Or(Fraction(x), Short(numeral.RoundDown(x, digits)))
}

// InfeasibleReason returns why a plan has no answer, without naming the unknown.
func InfeasibleReason(p plan.Result) string {
	if _, reason, ok := strings.Cut(Plain(p.Note), ": "); ok {
		return reason
	}
	return Plain(p.Note)
}
