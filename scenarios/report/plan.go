package report

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"epsiloscope/scenarios"
)

type jsonPlan struct {
	Solve    string   `json:"solve"`
	Entry    *int     `json:"entry"` // null: the unknown is the whole scenario's
	Method   string   `json:"method"`
	Value    *float64 `json:"value"` // null: not feasible
	Achieved struct {
		Epsilon *float64 `json:"epsilon"`
		Delta   *float64 `json:"delta"`
	} `json:"achieved"`
	Feasible bool   `json:"feasible"`
	Note     string `json:"note"`
}

// PlanJSON writes a plan as one JSON object. What has no number is null.
func PlanJSON(w io.Writer, p scenarios.PlanResult) error {
	j := jsonPlan{Solve: p.Solve, Method: string(p.Method), Feasible: p.Feasible, Note: planNote(p)}
	if p.Entry > 0 {
		j.Entry = &p.Entry
	}
	if p.Feasible {
		j.Value = number(p.Value)
		j.Achieved.Epsilon = number(p.Achieved.Epsilon)
		j.Achieved.Delta = number(p.Achieved.Delta)
	}
	return encode(w, j)
}

// planNote says what a number cannot: that there is no limit.
func planNote(p scenarios.PlanResult) string {
	if p.Feasible && math.IsInf(p.Value, 1) && p.Note == "" {
		return "without limit: it costs nothing"
	}
	return p.Note
}

// PlanCSV writes a plan as a header and one row.
func PlanCSV(w io.Writer, p scenarios.PlanResult) error {
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
func PlanMarkdown(w io.Writer, p scenarios.PlanResult) error {
	g := &grid{align: []align{left, right, left, right, right, right, left}}
	g.add("solve", "entry", "method", "value", "ε", "δ", "note")
	row := []string{p.Solve, "", string(p.Method), "not feasible", "", "", Plain(planNote(p))}
	if p.Entry > 0 {
		row[1] = strconv.Itoa(p.Entry)
	}
	if p.Feasible {
		row[3], row[4], row[5] = Exact(p.Value), Upper(p.Achieved.Epsilon), Upper(p.Achieved.Delta)
	}
	g.add(row...)
	writeMarkdownGrid(w, g)
	return nil
}

// PlanText is a plan in a sentence or two. The value has every digit: rounded, it
// might not meet the budget any more.
func PlanText(p scenarios.PlanResult) string {
	if !p.Feasible {
		return "not feasible: " + Plain(p.Note)
	}
	where := ""
	if p.Entry > 0 {
		where = fmt.Sprintf(" of entry %d", p.Entry)
	}
	text := fmt.Sprintf("%s%s = %s\nε = %s at δ = %s by %s", p.Solve, where, Exact(p.Value),
		Upper(p.Achieved.Epsilon), Short(p.Achieved.Delta), p.Method)
	if n := Plain(planNote(p)); n != "" {
		text += "\n" + n
	}
	return text
}
