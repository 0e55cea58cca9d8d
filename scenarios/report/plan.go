package report

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
)

type jsonPlan struct {
	Solve    string     `json:"solve"`
	Entry    *int       `json:"entry"` // null: the unknown is the whole scenario's
	Method   string     `json:"method"`
	Value    *float64   `json:"value"` // null: not feasible
	Achieved jsonTarget `json:"achieved"`
	Feasible bool       `json:"feasible"`
	Note     string     `json:"note"`
}

// PlanJSON writes a plan as one JSON object. What has no number is null.
func PlanJSON(w io.Writer, p plan.Result) error { return encode(w, planJSON(p)) }

// planNote says what a number cannot: that there is no limit.
func planNote(p plan.Result) string {
	if p.Feasible && math.IsInf(p.Value, 1) && p.Note == "" {
		return "without limit: it costs nothing"
	}
	return p.Note
}

// PlanCSV writes a plan as a header and one row.
func PlanCSV(w io.Writer, p plan.Result) error {
	row := []string{p.Solve, "", string(p.Method), "", "", "", strconv.FormatBool(p.Feasible), planNote(p)}
	if p.Entry > 0 {
		row[1] = strconv.Itoa(p.Entry)
	}
	if p.Feasible {
		row[3], row[4], row[5] = cell(p.Value), cell(p.Achieved.Epsilon), cell(p.Achieved.Delta)
	}
	return writeCSV(w, [][]string{{"solve", "entry", "method", "value", "epsilon", "delta", "feasible", "note"}, row})
}

// PlanMarkdown writes a plan as a table of one row.
func PlanMarkdown(w io.Writer, p plan.Result) error {
	g := &grid{align: []align{left, right, left, right, right, right, left}}
	g.add("solve", "entry", "method", "value", "ε", "δ", "note")
	row := []string{p.Solve, "", string(p.Method), "not feasible", "", "", Plain(planNote(p))}
	if p.Entry > 0 {
		row[1] = strconv.Itoa(p.Entry)
	}
	if p.Feasible {
		row[3], row[4], row[5] = mechanisms.FormatNumber(p.Value), Upper(p.Achieved.Epsilon), Upper(p.Achieved.Delta)
	}
	g.add(row...)
	writeMarkdownGrid(w, g)
	return nil
}

// PlanText is a plan in a sentence or two. The value has every digit: rounded, it
// might not meet the budget any more.
func PlanText(p plan.Result) string {
	if !p.Feasible {
		return "not feasible: " + Plain(p.Note)
	}
	where := ""
	if p.Entry > 0 {
		where = fmt.Sprintf(" of entry %d", p.Entry)
	}
	text := fmt.Sprintf("%s%s = %s\nε = %s at δ = %s by %s", p.Solve, where, mechanisms.FormatNumber(p.Value),
		Upper(p.Achieved.Epsilon), Short(p.Achieved.Delta), p.Method)
	if n := Plain(planNote(p)); n != "" {
		text += "\n" + n
	}
	return text
}

func planJSON(p plan.Result) jsonPlan {
	j := jsonPlan{Solve: p.Solve, Method: string(p.Method), Feasible: p.Feasible, Note: planNote(p)}
	if p.Entry > 0 {
		j.Entry = &p.Entry
	}
	if p.Feasible {
		j.Value, j.Achieved.Epsilon, j.Achieved.Delta = number(p.Value), number(p.Achieved.Epsilon), number(p.Achieved.Delta)
	}
	return j
}

// PlanError is the 95 % error of the entry a plan changes, with the plan's answer
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
	a, err := one.Stack[p.Entry-1].Accuracy(one.Rounds)
	if err != nil {
		return math.NaN()
	}
	return a.Each
}

// PlanDigits are the significant digits to plan with for people: what is shown is then
// all there is, and typed in costs what was said.
const PlanDigits = digits

// Answered writes a plan's answer for people, rounded to the side on which it still
// meets the budget; a count is written in full.
func Answered(p plan.Result) string {
	switch {
	case p.Value == math.Trunc(p.Value):
		return mechanisms.FormatNumber(p.Value)
	case p.More():
		return Lower(p.Value)
	}
	return Upper(p.Value)
}

// AtMost writes a small number as people quote it, 1/812.4, never above it.
func AtMost(x float64) string {
	if x > 0 && x < 0.05 {
		return "1/" + Short(mechanisms.RoundUp(1/x, digits))
	}
	return Short(mechanisms.RoundDown(x, digits))
}

// WhyNot is the reason of a plan without an answer, without the question.
func WhyNot(p plan.Result) string {
	if _, reason, ok := strings.Cut(Plain(p.Note), ": "); ok {
		return reason
	}
	return Plain(p.Note)
}
