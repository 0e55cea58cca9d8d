package chart

import (
	"bufio"
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

// grids are the figures and tables of the run, each under its title.
func (r LabRun) grids() (titles []string, grids []*sheet.Grid) {
	g := &sheet.Grid{Align: []sheet.Align{sheet.Left, sheet.Decimal, sheet.Left}}
	g.Add("figure", "value", "")
	for _, f := range r.Figures {
		g.Add(report.Plain(f.Name), LabFigure(f.Value, f.Cost), report.Plain(f.Note))
	}
	titles, grids = append(titles, ""), append(grids, g)
	for _, t := range r.Tables {
		titles, grids = append(titles, report.Plain(t.Title)), append(grids, labGrid(t))
	}
	return titles, grids
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

func labGrid(t labs.Table) *sheet.Grid {
	g := &sheet.Grid{Align: []sheet.Align{sheet.Left}}
	for range t.Columns[1:] {
		g.Align = append(g.Align, sheet.Decimal)
	}
	g.Add(t.Columns...)
	for _, row := range t.Rows {
		line := []string{report.Plain(row.Label)}
		for _, x := range row.Values {
			line = append(line, LabFigure(x, t.Costs))
		}
		g.Add(line...)
	}
	return g
}

// costLines are the run's mechanisms and the best bound on what they cost.
func (r LabRun) costLines() []string {
	var lines []string
	for _, e := range r.Cost.Entries {
		lines = append(lines, fmt.Sprintf("%s × %s (%s)", e.Mechanism, report.Short(e.Count), report.Plain(e.Label)))
	}
	return append(lines, report.Answer(r.Cost))
}

// Table writes the run for people.
func (r LabRun) Table(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s\n%s\n%s\n\n", r.lab().Title, r.lab().Summary, r.settings())
	for _, text := range r.Says {
		fmt.Fprintln(out, report.Plain(text))
	}
	titles, grids := r.grids()
	for i, g := range grids {
		fmt.Fprintln(out)
		if titles[i] != "" {
			fmt.Fprintln(out, titles[i])
		}
		if err := g.Write(out, ""); err != nil {
			return err
		}
	}
	fmt.Fprintln(out, "\ncost")
	for _, line := range r.costLines() {
		fmt.Fprintln(out, "  "+line)
	}
	if len(r.Plots) > 0 {
		fmt.Fprintln(out, "\ncharts")
	}
	for i, p := range r.Plots {
		fmt.Fprintf(out, "  %d  %s\n", i+1, report.Plain(p.Title))
	}
	fmt.Fprintf(out, "\n%s\n", labs.Warning)
	return out.Flush()
}

// Markdown writes the run as a section.
func (r LabRun) Markdown(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "## %s\n\n%s.\n\n%s\n", sheet.MarkdownText(r.lab().Title), sheet.MarkdownText(r.lab().Summary), sheet.MarkdownText(r.settings()))
	for _, text := range r.Says {
		fmt.Fprintf(out, "\n%s\n", sheet.MarkdownText(report.Plain(text)))
	}
	titles, grids := r.grids()
	for i, g := range grids {
		fmt.Fprintln(out)
		if titles[i] != "" {
			fmt.Fprintf(out, "### %s\n\n", sheet.MarkdownText(titles[i]))
		}
		sheet.WriteMarkdown(out, g)
	}
	fmt.Fprintf(out, "\n### Cost\n\n")
	for _, line := range r.costLines() {
		fmt.Fprintf(out, "- %s\n", sheet.MarkdownText(line))
	}
	fmt.Fprintf(out, "\n%s\n", labs.Warning)
	return out.Flush()
}

// CSV writes every number of the run in one long table: a row a figure, a cell of a
// table or a point of a chart.
func (r LabRun) CSV(w io.Writer) error {
	rows := [][]string{{"part", "title", "name", "x", "value", "note"}}
	for _, f := range r.Figures {
		rows = append(rows, []string{"figure", "", report.Plain(f.Name), "", sheet.Cell(f.Value), report.Plain(f.Note)})
	}
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			for j, x := range row.Values {
				rows = append(rows, []string{"table", report.Plain(t.Title), report.Plain(row.Label), t.Columns[j+1], sheet.Cell(x), ""})
			}
		}
	}
	for _, c := range LabCharts(r.Outcome) {
		for _, b := range c.Bars {
			rows = append(rows, []string{"chart", report.Plain(c.Title), report.Plain(b.Label), "", sheet.Cell(b.Value), ""})
		}
		for _, s := range c.Series {
			for i := range s.Y {
				rows = append(rows, []string{"chart", report.Plain(c.Title), report.Plain(s.Name), sheet.Cell(s.X[i]), sheet.Cell(s.Y[i]), ""})
			}
		}
	}
	return sheet.WriteCSV(w, rows)
}
