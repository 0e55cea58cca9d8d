package chart

import (
	"io"
	"math"

	"epsiloscope/mechanisms/labs"
	"epsiloscope/mechanisms/numeral"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios/report/sheet"
)

// json writes the run as one object; what is no number is null.
func (r LabRun) json(w io.Writer) error {
	figures, tables, charts, stack := []sheet.Record{}, []sheet.Record{}, []sheet.Record{}, []sheet.Record{}
	for _, f := range r.Figures {
		figures = append(figures, sheet.Record{{"name", f.Name}, {"value", sheet.Number(f.Value)}, {"note", f.Note}})
	}
	for _, t := range r.Tables {
		rows := []sheet.Record{}
		for _, row := range t.Rows {
			rows = append(rows, sheet.Record{{"label", row.Label}, {"values", numbers(row.Values)}})
		}
		tables = append(tables, sheet.Record{{"title", t.Title}, {"columns", t.Columns}, {"rows", rows}})
	}
	for _, c := range LabCharts(r.Outcome) {
		charts = append(charts, c.json())
	}
	for _, item := range r.Outcome.Stack {
		stack = append(stack, sheet.Record{{"mechanism", item.Mechanism}, {"label", item.Label}, {"count", math.Max(1, item.Count)}, {"parameters", valuesJSON(item.Values)}})
	}
	var cost any // the best bound; null: none is valid
	if r.Cost.Best >= 0 {
		cost = sheet.BoundRecord(r.Cost.Bounds[r.Cost.Best])
	}
	return sheet.Encode(w, sheet.Record{
		{"lab", r.Lab}, {"title", r.lab().Title}, {"seed", r.Seed}, {"parameters", valuesJSON(r.Values)}, {"figures", figures}, {"tables", tables},
		{"charts", charts}, {"says", append([]string{}, r.Says...)}, {"stack", stack}, {"cost", cost}, {"warning", labs.Warning},
	})
}

func valuesJSON(values param.Values) map[string]any {
	m := make(map[string]any, len(values))
	for name, v := range values {
		m[name] = valueJSON(v)
	}
	return m
}

// valueJSON is a parameter as it would stand in a scenario file.
func valueJSON(v param.Value) any {
	switch v.Type {
	case param.Choice:
		return v.Text
	case param.Flag:
		return v.Flag
	case param.Points:
		points := map[string]*float64{}
		for _, i := range v.Items {
			points[numeral.Format(i.Order)] = sheet.Number(i.Value)
		}
		return points
	case param.Scores:
		scores, named := []*float64{}, map[string]*float64{}
		for _, i := range v.Items {
			scores, named[i.Name] = append(scores, sheet.Number(i.Value)), sheet.Number(i.Value)
		}
		if len(v.Items) > 0 && v.Items[0].Name != "" {
			return named
		}
		return scores
	}
	return sheet.Number(v.Number)
}
