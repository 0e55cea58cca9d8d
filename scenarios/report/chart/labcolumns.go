package chart

import (
	"encoding/json"
	"math"
	"strconv"

	"epsiloscope/mechanisms/labs"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios/internal/format"
	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/sheet"
)

var figureColumns = []sheet.Column[labs.Figure]{
	{Head: "figure", Show: func(f labs.Figure) string { return report.Plain(f.Name) }, Key: "name", Value: func(f labs.Figure) any { return f.Name }},
	{Head: "value", Align: sheet.Decimal, Show: func(f labs.Figure) string { return LabFigure(f.Value, f.Cost) }, Key: "value", Value: func(f labs.Figure) any { return f.Value }},
	{Show: func(f labs.Figure) string { return report.Plain(f.Note) }, Key: "note", Value: func(f labs.Figure) any { return f.Note }},
}

var tableColumns = []sheet.Column[labs.Table]{
	{Key: "title", Value: func(t labs.Table) any { return t.Title }},
	{Key: "columns", Value: func(t labs.Table) any { return t.Columns }},
	{Key: "rows", Value: func(t labs.Table) any { return sheet.RecordsOf(rowColumns, t.Rows) }},
}

var rowColumns = []sheet.Column[labs.Row]{
	{Key: "label", Value: func(r labs.Row) any { return r.Label }},
	{Key: "values", Value: func(r labs.Row) any { return numbers(r.Values) }},
}

// cellColumns are the columns of one table.
func cellColumns(t labs.Table) []sheet.Column[labs.Row] {
	columns := []sheet.Column[labs.Row]{{Head: t.Columns[0], Show: func(r labs.Row) string { return report.Plain(r.Label) }}}
	for j, head := range t.Columns[1:] {
		columns = append(columns, sheet.Column[labs.Row]{Head: head, Align: sheet.Decimal, Show: func(r labs.Row) string { return LabFigure(r.Values[j], t.Costs) }})
	}
	return columns
}

var itemColumns = []sheet.Column[labs.Item]{
	{Key: "mechanism", Value: func(i labs.Item) any { return i.Mechanism }},
	{Key: "label", Value: func(i labs.Item) any { return i.Label }},
	{Key: "count", Value: func(i labs.Item) any { return math.Max(1, i.Count) }},
	{Key: "parameters", Value: func(i labs.Item) any { return valuesJSON(i.Values) }},
}

// record is the run as JSON.
func (r LabRun) record() sheet.Record {
	charts := []sheet.Record{}
	for _, c := range LabCharts(r.Outcome) {
		charts = append(charts, c.json())
	}
	var cost any // the best bound; null: none is valid
	if r.Cost.Best >= 0 {
		cost = sheet.BoundRecord(r.Cost.Bounds[r.Cost.Best])
	}
	return sheet.Record{
		{"lab", r.Lab}, {"title", r.lab().Title}, {"seed", r.Seed}, {"parameters", valuesJSON(r.Values)},
		{"figures", sheet.RecordsOf(figureColumns, r.Figures)}, {"tables", sheet.RecordsOf(tableColumns, r.Tables)},
		{"charts", charts}, {"says", append([]string{}, r.Says...)}, {"stack", sheet.RecordsOf(itemColumns, r.Outcome.Stack)},
		{"cost", cost}, {"warning", labs.Warning},
	}
}

// valuesJSON are parameters as they would stand in a scenario file.
func valuesJSON(values param.Values) map[string]any {
	m := make(map[string]any, len(values))
	for name, v := range values {
		p := param.Param{Type: v.Type, Named: len(v.Items) > 0 && v.Items[0].Name != ""}
		m[name] = json.RawMessage(format.ValueTree(p, v).Json())
	}
	return m
}

// LabSteps is what each step of the algorithm saw, did and left.
func LabSteps(out *labs.Outcome) *sheet.Sheet {
	type step struct {
		labs.Step
		number int
	}
	var steps []step
	for i, s := range out.Sequence.Steps {
		steps = append(steps, step{s, i + 1})
	}
	columns := []sheet.Column[step]{
		{Head: "step", Align: sheet.Right, Show: func(s step) string { return strconv.Itoa(s.number) }, Key: "step", Value: func(s step) any { return s.number }},
	}
	for j, name := range out.Sequence.Columns {
		columns = append(columns, sheet.Column[step]{Head: name, Align: sheet.Right, Key: name, Value: func(s step) any { return s.Values[j] }, Show: func(s step) string {
			if math.IsNaN(s.Values[j]) {
				return ""
			}
			return LabFigure(s.Values[j], false)
		}})
	}
	says := sheet.Column[step]{Key: "says", Value: func(s step) any { return report.Plain(s.Says) }, Show: func(s step) string {
		if s.Marked {
			return "* " + report.Plain(s.Says)
		}
		return report.Plain(s.Says)
	}}
	return sheet.Of("", append(columns, says), steps)
}
