package sheet

import (
	"io"
	"strconv"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/report"
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
func PlanJSON(w io.Writer, p plan.Result) error { return Encode(w, planJSON(p)) }

// PlanCSV writes a plan as a header and one row.
func PlanCSV(w io.Writer, p plan.Result) error {
	row := []string{p.Solve, "", string(p.Method), "", "", "", strconv.FormatBool(p.Feasible), report.PlanNote(p)}
	if p.Entry > 0 {
		row[1] = strconv.Itoa(p.Entry)
	}
	if p.Feasible {
		row[3], row[4], row[5] = Cell(p.Value), Cell(p.Achieved.Epsilon), Cell(p.Achieved.Delta)
	}
	return WriteCSV(w, [][]string{{"solve", "entry", "method", "value", "epsilon", "delta", "feasible", "note"}, row})
}

// PlanMarkdown writes a plan as a table of one row.
func PlanMarkdown(w io.Writer, p plan.Result) error {
	g := &Grid{Align: []Align{Left, Right, Left, Right, Right, Right, Left}}
	g.Add("solve", "entry", "method", "value", "ε", "δ", "note")
	row := []string{p.Solve, "", string(p.Method), "not feasible", "", "", report.Plain(report.PlanNote(p))}
	if p.Entry > 0 {
		row[1] = strconv.Itoa(p.Entry)
	}
	if p.Feasible {
		row[3], row[4], row[5] = mechanisms.FormatNumber(p.Value), report.Upper(p.Achieved.Epsilon), report.Upper(p.Achieved.Delta)
	}
	g.Add(row...)
	WriteMarkdown(w, g)
	return nil
}

func planJSON(p plan.Result) jsonPlan {
	j := jsonPlan{Solve: p.Solve, Method: string(p.Method), Feasible: p.Feasible, Note: report.PlanNote(p)}
	if p.Entry > 0 {
		j.Entry = &p.Entry
	}
	if p.Feasible {
		j.Value, j.Achieved.Epsilon, j.Achieved.Delta = Number(p.Value), Number(p.Achieved.Epsilon), Number(p.Achieved.Delta)
	}
	return j
}
