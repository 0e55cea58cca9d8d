package report

import (
	"io"
	"math"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/labs"
)

type jsonLab struct {
	Lab        string         `json:"lab"`
	Title      string         `json:"title"`
	Seed       uint64         `json:"seed"`
	Parameters map[string]any `json:"parameters"`
	Figures    []jsonFigure   `json:"figures"`
	Tables     []jsonTable    `json:"tables"`
	Charts     []jsonChart    `json:"charts"`
	Says       []string       `json:"says"`
	Stack      []jsonItem     `json:"stack"`
	Cost       record         `json:"cost"` // the best bound; null: none is valid
	Warning    string         `json:"warning"`
}

type jsonFigure struct {
	Name  string   `json:"name"`
	Value *float64 `json:"value"`
	Note  string   `json:"note"`
}

type jsonTable struct {
	Title   string    `json:"title"`
	Columns []string  `json:"columns"`
	Rows    []jsonRow `json:"rows"`
}

type jsonRow struct {
	Label  string     `json:"label"`
	Values []*float64 `json:"values"`
}

type jsonItem struct {
	Mechanism  string         `json:"mechanism"`
	Label      string         `json:"label"`
	Count      float64        `json:"count"`
	Parameters map[string]any `json:"parameters"`
}

// JSON writes the run as one object; what is no number is null.
func (r LabRun) JSON(w io.Writer) error {
	j := jsonLab{
		Lab: r.Lab, Title: r.lab().Title, Seed: r.Seed, Parameters: valuesJSON(r.Values), Warning: labs.Warning,
		Figures: []jsonFigure{}, Tables: []jsonTable{}, Charts: []jsonChart{}, Says: append([]string{}, r.Says...), Stack: []jsonItem{},
	}
	for _, f := range r.Figures {
		j.Figures = append(j.Figures, jsonFigure{f.Name, number(f.Value), f.Note})
	}
	for _, t := range r.Tables {
		table := jsonTable{Title: t.Title, Columns: t.Columns, Rows: []jsonRow{}}
		for _, row := range t.Rows {
			table.Rows = append(table.Rows, jsonRow{row.Label, numbers(row.Values)})
		}
		j.Tables = append(j.Tables, table)
	}
	for _, c := range LabCharts(r.Outcome) {
		j.Charts = append(j.Charts, c.json())
	}
	for _, item := range r.Outcome.Stack {
		j.Stack = append(j.Stack, jsonItem{item.Mechanism, item.Label, math.Max(1, item.Count), valuesJSON(item.Values)})
	}
	if r.Cost.Best >= 0 {
		j.Cost = boundRecord(r.Cost.Bounds[r.Cost.Best])
	}
	return encode(w, j)
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
