package labs

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"epsiloscope/accounting/numeral"
	"epsiloscope/internal/format"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report"
	"epsiloscope/report/chart"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
)

// Sheet returns the run: for people a page, as CSV one long table with a row per figure, per cell of a
// table and per point of a chart.
func (o *Outcome) Sheet() *sheet.Sheet {
	s := sheet.NewSheet("", numberColumns, o.numbers())
	s.Data, s.Page = o.record(), o.page
	return s
}

// labNumber is a number of a run.
type labNumber struct {
	part, title, name, x string
	value                float64
	note                 string
}

var numberColumns = []sheet.Column[labNumber]{
	{Key: "part", Value: func(n labNumber) any { return n.part }},
	{Key: "title", Value: func(n labNumber) any { return report.Plain(n.title) }},
	{Key: "name", Value: func(n labNumber) any { return report.Plain(n.name) }},
	{Key: "x", Value: func(n labNumber) any { return n.x }},
	{Key: "value", Value: func(n labNumber) any { return n.value }},
	{Key: "note", Value: func(n labNumber) any { return report.Plain(n.note) }},
}

func (o *Outcome) numbers() (list []labNumber) {
	for _, f := range o.Figures {
		list = append(list, labNumber{"figure", "", f.Name, "", f.Value, f.Note})
	}
	for _, t := range o.Tables {
		for _, row := range t.Rows {
			for j, x := range row.Values {
				list = append(list, labNumber{"table", t.Title, row.Label, t.Columns[j+1], x, ""})
			}
		}
	}
	for _, c := range o.Charts {
		for _, b := range c.Bars {
			list = append(list, labNumber{"chart", c.Title, b.Label, "", b.Value, ""})
		}
		for _, s := range c.Series {
			for i := range s.Y {
				list = append(list, labNumber{"chart", c.Title, s.Name, sheet.Cell(s.X[i]), s.Y[i], ""})
			}
		}
	}
	return list
}

var figureColumns = []sheet.Column[Figure]{
	{Head: "figure", Show: func(f Figure) string { return report.Plain(f.Name) }, Key: "name", Value: func(f Figure) any { return f.Name }},
	{Head: "value", Align: sheet.Decimal, Show: func(f Figure) string { return f.Text() }, Key: "value", Value: func(f Figure) any { return f.Value }},
	{Show: func(f Figure) string { return report.Plain(f.Note) }, Key: "note", Value: func(f Figure) any { return f.Note }},
}

// Grid returns the table for people.
func (t Table) Grid() sheet.Grid {
	columns := []sheet.Column[Row]{{Head: t.Columns[0], Show: func(r Row) string { return report.Plain(r.Label) }}}
	for j, head := range t.Columns[1:] {
		columns = append(columns, sheet.Column[Row]{Head: head, Align: sheet.Decimal, Show: func(r Row) string {
			return Number(r.Values[j], boundSide(t.Costs))
		}})
	}
	return sheet.GridOf(columns, t.Rows)
}

func (o *Outcome) page(p *sheet.Page) {
	summary, cost := o.Lab.Summary, "cost"
	if p.Markdown {
		summary, cost = summary+".", "Cost"
	}
	p.Title(2, o.Lab.Title)
	p.Line(summary)
	p.Line(o.settings())
	p.Gap()
	for _, text := range o.Says {
		p.Line(report.Plain(text))
	}
	p.Gap()
	p.Grid(sheet.GridOf(figureColumns, o.Figures))
	for _, t := range o.Tables {
		p.Gap()
		p.Title(3, report.Plain(t.Title))
		p.Grid(t.Grid())
	}
	p.Gap()
	p.Title(3, cost)
	p.Items("  ", o.PriceLines()...)
	if len(o.Charts) > 0 && !p.Markdown {
		p.Gap()
		p.Raw("charts")
		for i, plot := range o.Charts {
			p.Raw(fmt.Sprintf("  %d  %s", i+1, report.Plain(plot.Title)))
		}
	}
	p.Gap()
	p.Raw(Warning)
}

// PriceLines returns what the run costs in words: its mechanisms and the best bound, or why there is none, and what
// attacks on it reached. The run must have been evaluated if it has a guarantee.
func (o *Outcome) PriceLines() (lines []string) {
	if o.NoGuarantee != "" {
		lines = append(lines, "no guarantee: "+report.Plain(o.NoGuarantee))
	} else {
		for _, e := range o.Cost.Entries {
			what := e.Mechanism
			if spec, ok := mechanisms.Lookup(e.Mechanism); ok {
				what = spec.Title
			}
			if e.Count != 1 {
				what = report.Short(e.Count) + " × " + what
			}
			lines = append(lines, fmt.Sprintf("%s (%s)", what, report.Plain(e.Label)))
		}
		lines = append(lines, report.Answer(o.Cost)+", adjacency "+string(o.Adjacency)+", unit "+o.Lab.Unit)
	}
	for _, l := range o.Leaks {
		lines = append(lines, l.String())
	}
	return lines
}

func (l Leak) String() string {
	how := "exactly"
	if l.Deviation > 0 {
		how = "± " + report.Nearest(l.Deviation) + " sampled"
	}
	return fmt.Sprintf("attack: δ = %s (%s) at ε = %s by %s", report.Nearest(l.Delta), how, report.Nearest(l.Epsilon), l.Event)
}

// record returns the run as JSON.
func (o *Outcome) record() sheet.Record {
	var cost, none any // the best bound, null if none is valid; why there is no guarantee, null if there is one
	best := o.Cost.BestBound()
	switch {
	case o.NoGuarantee != "":
		none = o.NoGuarantee
	case best.Finite():
		cost = sheet.BoundRecord(best)
	}
	leak := func(l Leak) sheet.Record {
		return sheet.Record{{"event", l.Event}, {"epsilon", l.Epsilon}, {"delta", l.Delta}, {"deviation", l.Deviation}}
	}
	row := func(r Row) sheet.Record { return sheet.Record{{"label", r.Label}, {"values", r.Values}} }
	return sheet.Record{
		{"lab", o.Lab.Name}, {"title", o.Lab.Title}, {"seed", o.Seed}, {"parameters", valuesJSON(o.Values)},
		{"figures", sheet.RecordsOf(figureColumns, o.Figures)},
		{"tables", sheet.Records(o.Tables, func(t Table) sheet.Record {
			return sheet.Record{{"title", t.Title}, {"columns", t.Columns}, {"rows", sheet.Records(t.Rows, row)}}
		})},
		{"charts", sheet.Records(o.Charts, chart.Chart.Record)}, {"says", o.Says},
		{"stack", sheet.Records(o.Stack, func(e scenarios.Entry) sheet.Record {
			return sheet.Record{{"mechanism", e.Mechanism}, {"label", e.Label}, {"count", e.Count}, {"parameters", valuesJSON(e.Values)}}
		})},
		{"adjacency", o.Adjacency}, {"unit", o.Lab.Unit}, {"no_guarantee", none}, {"attacks", sheet.Records(o.Leaks, leak)},
		{"cost", cost}, {"warning", Warning},
	}
}

// valuesJSON returns parameters as they would stand in a scenario file.
func valuesJSON(values param.Values) map[string]any {
	m := make(map[string]any, len(values))
	for name, v := range values {
		p := param.Param{Type: v.Type, Named: len(v.Items) > 0 && v.Items[0].Name != ""}
		m[name] = json.RawMessage(format.ValueTree(p, v).JSON())
	}
	return m
}

// StepSheet returns what each step of the algorithm saw, did and left.
func (o *Outcome) StepSheet() *sheet.Sheet {
	type step struct {
		Step
		number int
	}
	var steps []step
	for i, s := range o.Sequence.Steps {
		steps = append(steps, step{s, i + 1})
	}
	columns := []sheet.Column[step]{
		{Head: "step", Align: sheet.Right, Show: func(s step) string { return strconv.Itoa(s.number) }, Key: "step", Value: func(s step) any { return s.number }},
	}
	for j, name := range o.Sequence.Columns {
		columns = append(columns, sheet.Column[step]{Head: name, Align: sheet.Right, Key: sheet.Identifier(name),
			Value: func(s step) any { return s.Values[j] }, Show: func(s step) string {
				if math.IsNaN(s.Values[j]) {
					return ""
				}
				return Number(s.Values[j], numeral.ToNearest)
			}})
	}
	says := sheet.Column[step]{Key: "says", Value: func(s step) any {
		return report.Plain(s.Says)
	}, Show: func(s step) string {
		if s.Marked {
			return "* " + report.Plain(s.Says)
		}
		return report.Plain(s.Says)
	}}
	return sheet.NewSheet("", append(columns, says), steps)
}
