package chart

import (
	"bufio"
	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/sheet"
	"fmt"
	"io"
	"math"
)

// CSV writes the numbers behind the chart: a header row, then one row a point of
// the horizontal axis (or a bar), one column a series. What a series does not
// cover is an empty cell.
func (c Chart) CSV(w io.Writer) error {
	head, rows, labels := c.columns()
	table := [][]string{head}
	for i, row := range rows {
		var line []string
		if labels != nil {
			line = append(line, report.Plain(labels[i]))
		}
		for _, x := range row {
			line = append(line, sheet.Cell(x))
		}
		table = append(table, line)
	}
	return sheet.WriteCSV(w, table)
}

// Table writes the numbers behind the chart for people.
func (c Chart) Table(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s\n\n", report.Plain(c.Title))
	if err := c.grid().Write(out, ""); err != nil {
		return err
	}
	c.writeRemarks(out, "", report.Plain)
	return out.Flush()
}

// Markdown writes the numbers behind the chart as a section with a table.
func (c Chart) Markdown(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "## %s\n\n", sheet.MarkdownText(report.Plain(c.Title)))
	sheet.WriteMarkdown(out, c.grid())
	c.writeRemarks(out, "- ", func(s string) string { return sheet.MarkdownText(report.Plain(s)) })
	return out.Flush()
}

func (c Chart) grid() *sheet.Grid {
	head, rows, labels := c.columns()
	g := &sheet.Grid{}
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
		var line []string
		if labels != nil {
			line = append(line, report.Plain(labels[i]))
		}
		for j, x := range row {
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
	}
	return g
}

// writeRemarks prints the marks and notes under a table, each made safe for where it goes.
func (c Chart) writeRemarks(w io.Writer, bullet string, safe func(string) string) {
	if len(c.Marks)+len(c.Notes) > 0 {
		fmt.Fprintln(w)
	}
	for _, m := range c.Marks {
		if m.Label != "" {
			fmt.Fprintf(w, "%s%s\n", bullet, safe(m.Label))
		}
	}
	for _, n := range c.Notes {
		fmt.Fprintf(w, "%s%s\n", bullet, safe(n))
	}
}

type jsonChart struct {
	Title  string       `json:"title"`
	X      jsonAxis     `json:"x"`
	Y      jsonAxis     `json:"y"`
	Series []jsonSeries `json:"series"`
	Bars   []jsonBar    `json:"bars,omitempty"`
	Marks  []jsonMark   `json:"marks"`
	Notes  []string     `json:"notes"`
}

type jsonAxis struct {
	Label string `json:"label"`
	Log   bool   `json:"log"`
}

type jsonSeries struct {
	Name string     `json:"name"`
	X    []*float64 `json:"x"`
	Y    []*float64 `json:"y"`
}

type jsonBar struct {
	Label string   `json:"label"`
	Value *float64 `json:"value"`
}

type jsonMark struct {
	X     *float64 `json:"x"`
	Y     *float64 `json:"y"`
	Label string   `json:"label"`
}

// JSON writes the chart's data as one object; gaps are null.
func (c Chart) JSON(w io.Writer) error { return sheet.Encode(w, c.json()) }

func (c Chart) json() jsonChart {
	j := jsonChart{
		Title: c.Title, X: jsonAxis{c.X.Label, c.X.Log}, Y: jsonAxis{c.Y.Label, c.Y.Log},
		Series: []jsonSeries{}, Marks: []jsonMark{}, Notes: append([]string{}, c.Notes...),
	}
	for _, s := range c.Series {
		j.Series = append(j.Series, jsonSeries{s.Name, numbers(s.X), numbers(s.Y)})
	}
	for _, b := range c.Bars {
		j.Bars = append(j.Bars, jsonBar{b.Label, sheet.Number(b.Value)})
	}
	for _, m := range c.Marks {
		j.Marks = append(j.Marks, jsonMark{sheet.Number(m.X), sheet.Number(m.Y), m.Label})
	}
	return j
}

func numbers(xs []float64) []*float64 {
	list := make([]*float64, len(xs))
	for i, x := range xs {
		list[i] = sheet.Number(x)
	}
	return list
}
