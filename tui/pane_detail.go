package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/text"
)

// detailPane is the third column: the selected mechanism, its parameters in words,
// what it alone costs and what to know about it.
type detailPane struct {
	base
	cache cached[look]
}

func newDetailPane(a *App) *detailPane { return &detailPane{base: base{a: a}} }

func (d *detailPane) Keys() Table { return Table{Name: "Mechanism pane"} }

func (d *detailPane) HandleKey(tea.KeyMsg) (tea.Cmd, bool) { return nil, false }

func (d *detailPane) HandleMouse(int, int, tea.MouseMsg) tea.Cmd { return nil }

func (d *detailPane) View(focused bool) []string {
	return d.cache.get(d.look(focused), func() []string { return d.draw(focused) })
}

func (d *detailPane) draw(focused bool) []string {
	p := d.a.pen
	inner, _ := draw.Inner(d.w, d.h)
	row, ok := d.a.doc.Selected()
	frame := draw.Frame{Title: "This entry", Focus: focused}
	if !ok || row.Block() {
		return p.Frame(frame, d.block(inner, row, ok), d.w, d.h)
	}
	spec, _ := mechanisms.Lookup(row.Entry.Mechanism)
	frame.Title = spec.Title
	w := writer{p, inner, nil}
	w.prose(p.Text, spec.Summary)
	w.gap()
	for _, prm := range spec.Params {
		d.param(&w, row, prm)
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

func (d *detailPane) block(inner int, row document.Row, ok bool) []string {
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
	known := document.Equivalents(row.Entry.Mechanism, row.Entry.Values)
	l := p.Line(w.w)
	x, ok := document.Number(row.Entry, prm)
	value := short(x)
	if !ok {
		if x, ok = known[prm.Name]; !ok {
			return
		}
		value = "= " + short(x)
	}
	symbol := prm.Symbol
	if symbol == "" {
		symbol = prm.Name
	}
	l.Left(p.Accent, symbol, 4).Left(p.Strong, value, 11).Put(p.Muted, prm.Help)
	w.lines = append(w.lines, l.String())
}

// writer sets prose into lines of one width.
type writer struct {
	pen   *draw.Pen
	w     int
	lines []string
}

func (w *writer) prose(ink draw.Ink, s string) {
	for _, l := range text.Wrap(text.Clean(s), w.w) {
		w.lines = append(w.lines, w.pen.Line(w.w).Put(ink, l).String())
	}
}

func (w *writer) bullet(s string) {
	for i, l := range text.Wrap(text.Clean(s), w.w-2) {
		mark := "  "
		if i == 0 {
			mark = "· "
		}
		w.lines = append(w.lines, w.pen.Line(w.w).Put(w.pen.Muted, mark).Put(w.pen.Muted, l).String())
	}
}

func (w *writer) gap() { w.lines = append(w.lines, text.Space(w.w)) }

func (w *writer) add(l *draw.Line) { w.lines = append(w.lines, l.String()) }
