package chart

import (
	"math"

	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/sheet"
)

// Sheet is the numbers behind the chart: one row a point of the horizontal axis (or a
// bar), one column a series. What a series does not cover is an empty cell, and null as
// JSON, which has the series one by one.
func (c Chart) Sheet() *sheet.Sheet {
	var notes []string
	for _, m := range c.Marks {
		if m.Label != "" {
			notes = append(notes, report.Plain(m.Label))
		}
	}
	for _, n := range c.Notes {
		notes = append(notes, report.Plain(n))
	}
	grid, exact := c.grids()
	return sheet.New(report.Plain(c.Title), grid, exact, c.json(), notes...)
}

// grids are the numbers rounded for people, and exact.
func (c Chart) grids() (g *sheet.Grid, exact [][]string) {
	head, rows, labels := c.columns()
	g, exact = &sheet.Grid{}, [][]string{head}
	write := report.Figure
	if c.Y.Label == "ε" || c.Y.Label == "δ" { // a bound is never printed smaller than it is
		write = report.Upper
	}
	for j := range head {
		switch {
		case j == 0 && labels != nil:
			g.Align = append(g.Align, sheet.Left)
		case j == 0:
			g.Align = append(g.Align, sheet.Right)
		default:
			g.Align = append(g.Align, sheet.Decimal)
		}
	}
	g.Add(head...)
	for i, row := range rows {
		var line, digits []string
		if labels != nil {
			line, digits = append(line, report.Plain(labels[i])), append(digits, report.Plain(labels[i]))
		}
		for j, x := range row {
			digits = append(digits, sheet.Cell(x))
			switch {
			case math.IsNaN(x):
				line = append(line, "")
			case j == 0 && labels == nil:
				line = append(line, report.Short(x))
			default:
				line = append(line, write(x))
			}
		}
		g.Add(line...)
		exact = append(exact, digits)
	}
	return g, exact
}

func (c Chart) json() sheet.Record {
	axis := func(a Axis) sheet.Record { return sheet.Record{{"label", a.Label}, {"log", a.Log}} }
	series, bars, marks := []sheet.Record{}, []sheet.Record{}, []sheet.Record{}
	for _, s := range c.Series {
		series = append(series, sheet.Record{{"name", s.Name}, {"x", numbers(s.X)}, {"y", numbers(s.Y)}})
	}
	for _, b := range c.Bars {
		bars = append(bars, sheet.Record{{"label", b.Label}, {"value", sheet.Number(b.Value)}})
	}
	for _, m := range c.Marks {
		marks = append(marks, sheet.Record{{"x", sheet.Number(m.X)}, {"y", sheet.Number(m.Y)}, {"label", m.Label}})
	}
	record := sheet.Record{{"title", c.Title}, {"x", axis(c.X)}, {"y", axis(c.Y)}, {"series", series}}
	if len(bars) > 0 {
		record = append(record, [2]any{"bars", bars})
	}
	return append(record, sheet.Record{{"marks", marks}, {"notes", append([]string{}, c.Notes...)}}...)
}

func numbers(xs []float64) []*float64 {
	list := make([]*float64, len(xs))
	for i, x := range xs {
		list[i] = sheet.Number(x)
	}
	return list
}
