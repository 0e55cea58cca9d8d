package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/plot"
	"epsiloscope/tui/text"
)

// detailPane is the third column: the selected mechanism, its parameters in words,
// its error, what it alone costs, its noise on D and on D′, what to know about it.
type detailPane struct {
	base
	plot   *plot.Plot
	serial int
	cache  cached[detailLook]
}

type detailLook struct {
	look
	serial int
}

func newDetailPane(a *App) *detailPane { return &detailPane{base: base{a: a}, plot: plot.New()} }

func (d *detailPane) Keys() Table { return Table{Name: "Mechanism pane"} }

func (d *detailPane) HandleKey(tea.KeyMsg) (tea.Cmd, bool) { return nil, false }

func (d *detailPane) HandleMouse(int, int, tea.MouseMsg) tea.Cmd { return nil }

func (d *detailPane) View(focused bool) []string {
	return d.cache.get(detailLook{d.look(focused), d.a.detail.serial}, func() []string { return d.draw(focused) })
}

func (d *detailPane) draw(focused bool) []string {
	p := d.a.pen
	inner, h := draw.Inner(d.w, d.h)
	row, ok := d.a.doc.Selected()
	frame := draw.Frame{Title: "This entry", Focus: focused}
	if !ok || row.Block() {
		return p.Frame(frame, d.block(inner, ok), d.w, d.h)
	}
	spec, _ := mechanisms.Lookup(row.Entry.Mechanism)
	frame.Title = spec.Title
	w := writer{p, inner, nil}
	w.prose(p.Text, spec.Summary)
	w.gap()
	for _, prm := range spec.Params {
		d.param(&w, row, prm)
	}
	if info := d.a.detail; info.want == d.a.inspected {
		d.figures(&w, info)
		if rows := min(18, h-len(w.lines)-1); info.noisy && rows >= 8 {
			d.noise(&w, info, rows)
		}
	}
	w.gap()
	for _, n := range spec.Notes {
		w.bullet(n)
	}
	if spec.Source != "" {
		w.gap()
		w.prose(p.Muted, spec.Source)
	}
	return p.Frame(frame, w.lines, d.w, d.h)
}

func (d *detailPane) block(inner int, ok bool) []string {
	w := writer{d.a.pen, inner, nil}
	if !ok {
		w.prose(w.pen.Muted, "Add a mechanism to see its noise, its error and what it alone costs.")
		return w.lines
	}
	w.prose(w.pen.Text, "Parallel branches answer on disjoint parts of the data: a record is in one of them, so the block costs what its dearest branch costs.")
	return w.lines
}

func (d *detailPane) param(w *writer, row document.Row, prm mechanisms.Param) {
	p := w.pen
	x, ok := document.Number(row.Entry, prm)
	value := short(x)
	if !ok {
		known := mechanisms.Equivalents(row.Entry.Mechanism, row.Entry.Values)
		if x, ok = known[prm.Name]; !ok {
			return
		}
		value = "= " + short(x)
	} else if prm.Type != mechanisms.Number && prm.Type != mechanisms.Whole {
		return
	}
	symbol := prm.Symbol
	if symbol == "" {
		symbol = prm.Name
	}
	for i, help := range text.Wrap(prm.Help, max(10, w.w-15)) {
		l := p.Line(w.w)
		if i == 0 {
			l.Left(p.Accent, symbol, 4).Left(p.Strong, value, 11)
		}
		w.add(l.To(15).Put(p.Muted, help))
	}
}

// figures are what one answer, and all of them, can be wrong by, and what one costs.
func (d *detailPane) figures(w *writer, info detail) {
	p := w.pen
	w.gap()
	if r := info.alone; r != nil && r.Best >= 0 {
		b := plainest(r)
		l := p.Line(w.w).Left(p.Muted, "one alone costs", 17).Put(p.Strong, "ε "+report.Upper(b.Epsilon))
		if b.Delta > 0 {
			l.Put(p.Muted, " at δ "+short(b.Delta))
		}
		w.add(l.Put(p.Muted, " by "+methodName(b)))
	}
	if e := info.error; e != nil {
		unit := ""
		if e.Unit != "" && e.Unit != "answer" {
			unit = " " + e.Unit
		}
		if e.Each > 0 {
			w.add(p.Line(w.w).Left(p.Muted, "95 % of answers", 17).Put(p.Strong, "± "+report.Upper(e.Each)).Put(p.Muted, unit))
		}
		if e.Joint > e.Each {
			w.add(p.Line(w.w).Left(p.Muted, "all at once", 17).Put(p.Strong, "± "+report.Upper(e.Joint)).Put(p.Muted, unit))
		}
	}
}

// plainest is the simplest theorem that is as good as the best: for one release
// that is its own statement, not a limit of another theorem.
func plainest(r *scenarios.Result) accounting.Bound {
	best := r.Bounds[r.Best]
	for _, b := range r.Bounds {
		if b.Status == accounting.Valid && b.Epsilon <= best.Epsilon*(1+1e-3) {
			return b
		}
	}
	return best
}

// noise draws the two densities the attacker has to tell apart.
func (d *detailPane) noise(w *writer, info detail, rows int) {
	if d.serial != info.serial {
		d.plot.SetChart(info.chart)
		d.serial = info.serial
	}
	d.plot.SetTheme(*w.pen.Styles)
	d.plot.SetSize(w.w, rows-1)
	w.gap()
	w.lines = append(w.lines, strings.Split(d.plot.View(), "\n")...)
}

// writer sets prose into lines of one width.
type writer struct {
	pen   *draw.Pen
	w     int
	lines []string
}

func (w *writer) prose(ink draw.Ink, s string) {
	for _, l := range text.Wrap(text.Clean(s), w.w) {
		w.add(w.pen.Line(w.w).Put(ink, l))
	}
}

func (w *writer) bullet(s string) {
	for i, l := range text.Wrap(text.Clean(s), w.w-2) {
		mark := "  "
		if i == 0 {
			mark = "· "
		}
		w.add(w.pen.Line(w.w).Put(w.pen.Muted, mark).Put(w.pen.Muted, l))
	}
}

func (w *writer) gap() { w.lines = append(w.lines, text.Space(w.w)) }

func (w *writer) add(l *draw.Line) { w.lines = append(w.lines, l.String()) }
