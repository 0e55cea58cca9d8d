package home

import (
	"cmp"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/plot"
)

// detailPane is the third column: the selected mechanism, its parameters in words,
// its error, what it alone costs, its noise on D and on D′, what to know about it.
type detailPane struct {
	part
	plot *plot.Plot
}

func (d *detailPane) View(focused bool) []string {
	p := d.Pen
	inner, h := draw.Inner(d.W, d.H)
	row, ok := d.Doc.SelectedRow()
	frame := draw.Frame{Title: "This entry", Focus: focused, Exact: true}
	if !ok || row.Block() {
		return d.DrawFrame(frame, d.block(inner, row, ok))
	}
	spec := row.Entry.Spec()
	frame.Title = spec.Title
	w := kit.NewWriter(p, inner)
	w.Prose(p.Text, spec.Summary)
	w.Gap()
	for _, prm := range spec.Params {
		d.param(w, row, prm)
	}
	if course := report.CourseOf(d.Doc.ScenarioFor(row), row.Entry.Mechanism, row.Entry.Values); course != "" {
		w.Gap()
		w.Prose(p.Text, course)
	}
	if reason := d.Doc.ScenarioFor(row).Reason(row.Entry); reason != "" {
		w.Gap()
		w.Prose(p.Text, report.Plain(reason))
	}
	d.claim(w, row)
	if info := &d.home.detail; info.Answer.mechanism == row.Entry.Mechanism && info.Of.row == info.Asked.row {
		dim := w.Old(!info.Fresh()) // the old numbers stay until the new ones arrive
		d.writeCostAndError(w, info.Answer)
		if rows := min(18, h-len(w.Lines)-1); info.Answer.noisy && rows >= 8 {
			w.Gap()
			w.Lines = append(w.Lines, d.plot.Draw(p, inner, rows-1)...) // what the attacker has to tell apart
		}
		dim()
	}
	w.Gap()
	for _, n := range spec.Notes {
		w.Bullet(n)
	}
	if spec.Source != "" {
		w.Gap()
		w.Prose(p.Muted, spec.Source)
	}
	return d.DrawFrame(frame, w.Lines)
}

func (d *detailPane) block(inner int, row document.Row, ok bool) []string {
	w := kit.NewWriter(d.Pen, inner)
	if !ok {
		w.Prose(w.Pen.Muted, "Add a mechanism to see its noise, its error and what it alone costs.")
		return w.Lines
	}
	w.Prose(w.Pen.Text, "Parallel branches read disjoint parts of the data.")
	// Under replace a record may move, and claim says what that costs.
	if d.Doc.Scenario().Adjacency != mechanisms.Replace || row.Entry.Moves != "" {
		costs := "so the block costs as much as its costliest branch."
		if n := row.Entry.Branches; n > 1 {
			costs = "and one person in up to " + report.Short(n) + ", so as many of the costliest branches add up."
		}
		w.Prose(w.Pen.Text, "A record is in one branch, "+costs)
	}
	d.claim(w, row)
	return w.Lines
}

func (d *detailPane) param(w *kit.Writer, row document.Row, prm param.Param) {
	p := w.Pen
	x, ok := document.NumberIn(d.Doc.ScenarioFor(row), row.Entry, prm)
	value := report.Short(x)
	if !ok {
		known := d.Doc.ScenarioFor(row).Equivalents(row.Entry)
		if x, ok = known[prm.Name]; !ok {
			return
		}
		value = "= " + report.Short(x)
	} else if prm.Type != param.Number && prm.Type != param.Whole {
		return
	}
	w.Hang(15, p.Muted, prm.Help, func(l *draw.Line) {
		l.Left(p.Accent, cmp.Or(prm.Symbol, prm.Name), 4).Left(p.Strong, value, 11)
	})
}

// writeCostAndError writes the cost of one answer, its error, and the error of all answers together.
func (d *detailPane) writeCostAndError(w *kit.Writer, info detail) {
	p := w.Pen
	line := func(name, sign string, value float64, rest string) {
		w.Add(p.Line(w.W).Left(p.Muted, name, 17).Put(p.Strong, sign+" "+report.Upper(value)).Put(p.Muted, rest))
	}
	w.Gap()
	if r := info.alone; r.BestBound().Finite() {
		b, at := plainest(r), ""
		if b.Delta > 0 {
			at = " at δ " + report.FormatGiven(b.Delta)
		}
		line("one alone costs", "ε", b.Epsilon, at+" by "+kit.MethodName(b))
	}
	if e := info.error; e != nil {
		unit := ""
		if e.Unit != "" && e.Unit != "answer" {
			unit = " " + e.Unit
		}
		if e.Each > 0 {
			line("95 % of answers", "±", e.Each, unit)
		}
		if e.Joint > e.Each {
			line("all at once", "±", e.Joint, unit)
		}
	}
}

// plainest returns what a single release states of itself, which is its basic composition, if that is as good as the
// best; else the best. A basic bound that another theorem's conversion gave is not a statement of the release.
func plainest(r *scenarios.Result) accounting.Bound {
	best := r.BestBound()
	for _, b := range r.Bounds {
		stated := b.Method == accounting.Basic && (b.By == "" || b.By == b.Method)
		if stated && b.Status == accounting.Valid && b.Epsilon <= best.Epsilon*(1+1e-3) {
			return b
		}
	}
	return best
}
