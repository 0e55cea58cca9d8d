package report

import (
	"io"
	"math"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/labs"
)

// JSON writes the run as one object; what is no number is null.
func (r LabRun) JSON(w io.Writer) error {
	figures, tables, charts, stack := []record{}, []record{}, []jsonChart{}, []record{}
	for _, f := range r.Figures {
		figures = append(figures, record{{"name", f.Name}, {"value", number(f.Value)}, {"note", f.Note}})
	}
	for _, t := range r.Tables {
		rows := []record{}
		for _, row := range t.Rows {
			rows = append(rows, record{{"label", row.Label}, {"values", numbers(row.Values)}})
		}
		tables = append(tables, record{{"title", t.Title}, {"columns", t.Columns}, {"rows", rows}})
	}
	for _, c := range LabCharts(r.Outcome) {
		charts = append(charts, c.json())
	}
	for _, item := range r.Outcome.Stack {
		stack = append(stack, record{{"mechanism", item.Mechanism}, {"label", item.Label}, {"count", math.Max(1, item.Count)}, {"parameters", valuesJSON(item.Values)}})
	}
	var cost any // the best bound; null: none is valid
	if r.Cost.Best >= 0 {
		cost = boundRecord(r.Cost.Bounds[r.Cost.Best])
	}
	return encode(w, record{
		{"lab", r.Lab}, {"title", r.lab().Title}, {"seed", r.Seed}, {"parameters", valuesJSON(r.Values)}, {"figures", figures}, {"tables", tables},
		{"charts", charts}, {"says", append([]string{}, r.Says...)}, {"stack", stack}, {"cost", cost}, {"warning", labs.Warning},
	})
}

func valuesJSON(values mechanisms.Values) map[string]any {
	m := make(map[string]any, len(values))
	for name, v := range values {
		m[name] = valueJSON(v)
	}
	return m
}

// valueJSON is a parameter as it would stand in a scenario file.
func valueJSON(v mechanisms.Value) any {
	switch v.Type {
	case mechanisms.Choice:
		return v.Text
	case mechanisms.Flag:
		return v.Flag
	case mechanisms.Points:
		points := map[string]*float64{}
		for _, i := range v.Items {
			points[mechanisms.FormatNumber(i.Order)] = number(i.Value)
		}
		return points
	case mechanisms.Scores:
		scores, named := []*float64{}, map[string]*float64{}
		for _, i := range v.Items {
			scores, named[i.Name] = append(scores, number(i.Value)), number(i.Value)
		}
		if len(v.Items) > 0 && v.Items[0].Name != "" {
			return named
		}
		return scores
	}
	return number(v.Number)
}
