package chart

import (
	"fmt"
	"io"
	"math"

	"epsiloscope/mechanisms/labs"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/sheet"
)

// LabRun is one run of a lab and what its mechanisms cost.
type LabRun struct {
	*labs.Outcome
	Cost *scenarios.Result
}

func (r LabRun) lab() labs.Lab {
	lab, _ := labs.Lookup(r.Lab)
	return lab
}

// settings are the parameters of the run in one line: "ε = 0.5 · K = 1000 · seed 1".
func (r LabRun) settings() string {
	text := ""
	for _, p := range r.lab().Params {
		text += fmt.Sprintf("%s = %s · ", p.Name, LabValue(r.Values[p.Name]))
	}
	return text + fmt.Sprintf("seed %d", r.Seed)
}

// LabFigure writes a figure of a run: what is counted as the whole number it is,
// what is measured in four digits, a cost rounded up.
func LabFigure(x float64, cost bool) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e6 {
		return report.Short(x)
	}
	if cost {
		return report.Upper(x)
	}
	return report.Figure(x)
}

// costLines are the run's mechanisms and the best bound on what they cost.
func (r LabRun) costLines() []string {
	var lines []string
	for _, e := range r.Cost.Entries {
		lines = append(lines, fmt.Sprintf("%s × %s (%s)", e.Mechanism, report.Short(e.Count), report.Plain(e.Label)))
	}
	return append(lines, report.Answer(r.Cost))
}

// Write writes the run as table, markdown, json or csv.
func (r LabRun) Write(w io.Writer, format string) error {
	switch format {
	case "json":
		return sheet.Encode(w, r.record())
	case "csv":
		return r.csv(w)
	}
	markdown := format == "markdown"
	summary, cost := r.lab().Summary, "cost"
	if markdown {
		summary, cost = summary+".", "Cost"
	}
	p := sheet.NewPage(w, markdown)
	p.Title(2, r.lab().Title)
	p.Line(summary)
	p.Line(r.settings())
	p.Gap()
	for _, text := range r.Says {
		p.Line(report.Plain(text))
	}
	p.Gap()
	p.Grid(sheet.GridOf(figureColumns, r.Figures))
	for _, t := range r.Tables {
		p.Gap()
		p.Title(3, report.Plain(t.Title))
		p.Grid(sheet.GridOf(cellColumns(t), t.Rows))
	}
	p.Gap()
	p.Title(3, cost)
	p.Items("  ", r.costLines())
	if len(r.Plots) > 0 && !markdown {
		p.Gap()
		p.Raw("charts")
		for i, plot := range r.Plots {
			p.Raw(fmt.Sprintf("  %d  %s", i+1, report.Plain(plot.Title)))
		}
	}
	p.Gap()
	p.Raw(labs.Warning)
	return p.Flush()
}

// csv writes every number of the run in one long table: a row a figure, a cell of a
// table or a point of a chart.
func (r LabRun) csv(w io.Writer) error {
	rows := [][]string{{"part", "title", "name", "x", "value", "note"}}
	add := func(part, title, name, x string, value float64, note string) {
		rows = append(rows, []string{part, report.Plain(title), report.Plain(name), x, sheet.Cell(value), report.Plain(note)})
	}
	for _, f := range r.Figures {
		add("figure", "", f.Name, "", f.Value, f.Note)
	}
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			for j, x := range row.Values {
				add("table", t.Title, row.Label, t.Columns[j+1], x, "")
			}
		}
	}
	for _, c := range LabCharts(r.Outcome) {
		for _, b := range c.Bars {
			add("chart", c.Title, b.Label, "", b.Value, "")
		}
		for _, s := range c.Series {
			for i := range s.Y {
				add("chart", c.Title, s.Name, sheet.Cell(s.X[i]), s.Y[i], "")
			}
		}
	}
	return sheet.WriteCSV(w, rows)
}
