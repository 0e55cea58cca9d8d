// Package home is the first screen: the stack, its knobs, what every theorem says of it, a chart
// and the selected entry, side by side.
package home

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/certificate/certify"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/review"
	"epsiloscope/tui/document"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
	"epsiloscope/tui/plot"
)

// Home is the first screen: the stack and its knobs, what it costs, a chart, and the
// selected entry, as many of them as the terminal has room for.
type Home struct {
	*kit.Shell
	charts []ChartKind
	panes  [layout.Slots]kit.Pane
	bounds *boundsPane
	graph  *chartPane
	entry  *detailPane

	// The keys at the feet of panes: KnobKeys turn the knobs and act where they, or what
	// follows them, can be seen; TargetKeys change what the whole scenario is asked at.
	stackKeys, KnobKeys, TargetKeys kit.Table
	knobFoot                        []kit.Binding
	Feet                            []kit.Binding // keys of other screens, for the foot of the bounds

	Lay layout.Layout
	Place

	// What is computed of the selection.
	left   jobs.Query[state, leftCounts]
	drawn  jobs.Query[state, chart.Chart]
	detail jobs.Query[state, detail]
	view   view
	tracks map[string]*track // of the sliders, by knob

	review   jobs.Query[state, *review.Review] // the verdict on the claim, for the line below the header
	proof    jobs.Query[state, certify.Quote]  // what a certificate beside the file proves
	verifier certify.Verifier

	idle struct { // the charts that no entry has, by key
		of   *scenarios.Scenario
		keys map[string]bool
	}
}

// state identifies the subject of a computation: one state of one document, a row or an entry of
// it, a chart.
type state struct {
	doc                 *document.Document
	version, row, chart int
}

// stateWith returns the present state, with a row or an entry.
func (h *Home) stateWith(row int) state { return state{doc: h.Doc, version: h.Doc.Version(), row: row} }

// Place is the user's view of the screen.
type Place struct {
	focus     layout.Slot
	chart     int  // index into charts
	before    int  // the chart shown before it; -1 for the bounds
	chartOn   bool // the chart has the place it shares with the bounds
	chartFull bool
	forms     forms
}

// part is shared by the panes of home.
type part struct {
	kit.Base
	home *Home
}

// New returns the first screen with its five panes, for the charts given.
func New(s *kit.Shell, charts []ChartKind) *Home {
	h := &Home{Shell: s, charts: charts}
	h.bindKeys()
	p := part{kit.Base{Shell: s}, h}
	h.bounds = &boundsPane{part: p}
	h.graph = &chartPane{part: p, plot: plot.New()}
	h.entry = &detailPane{part: p, plot: plot.New()}
	h.panes = [layout.Slots]kit.Pane{
		layout.Stack:  &stackPane{part: p},
		layout.Knobs:  &knobsPane{part: p},
		layout.Bounds: h.bounds,
		layout.Chart:  h.graph,
		layout.Detail: h.entry,
	}
	h.drawn.Taken = func(c chart.Chart) { h.graph.plot.SetChart(h.chartForm().apply(c)) }
	h.detail.Taken = func(d detail) { h.entry.plot.SetChart(d.noise) }
	return h
}

// Pane returns the pane in a slot of the layout.
func (h *Home) Pane(s layout.Slot) kit.Pane { return h.panes[s] }

// FocusedPane returns the pane that has the keys.
func (h *Home) FocusedPane() kit.Pane { return h.panes[h.focus] }

// Theorem returns the theorem that is selected in the table of bounds while the table has the keys; else "".
func (h *Home) Theorem() accounting.Method {
	if r := h.Result; h.focus == layout.Bounds && r != nil && h.bounds.row < len(r.Bounds) {
		return r.Bounds[h.bounds.row].Method
	}
	return ""
}

// Arrange lays out a terminal of w×h cells, with a notice of some lines: the panes of
// home or, if another screen stands, the slot of the bounds for it.
func (h *Home) Arrange(w, height, notice int, other bool) {
	entries := cmp.Or(len(h.Doc.Rows()), 6) // an empty stack shows the first steps
	h.Lay = layout.Arrange(w, height, layout.Want{
		Empty: len(h.Doc.Rows()) == 0,
		Focus: h.focus, Chart: h.chartOn, Full: h.chartFull, Single: other, Bare: h.Projector,
		Entries: entries, Bounds: h.bounds.rowCount(), Notice: notice,
	})
}

// SetSize gives every pane what the layout says.
func (h *Home) SetSize(int, int) {
	for i, p := range h.panes {
		p.SetSize(h.Lay.Slots[i].W, h.Lay.Slots[i].H)
	}
}

// Keys returns the keys of the focused pane.
func (h *Home) Keys() kit.Table { return h.FocusedPane().Keys() }

// Refresh starts what the visible panes need and is not being computed yet.
func (h *Home) Refresh() tea.Cmd {
	return tea.Batch(h.countLeft(), h.build(), h.inspect(), h.seekProof(), h.judge())
}

// HandleMouse finds the pane under the pointer; a click also gives it the keys.
func (h *Home) HandleMouse(_, _ int, m tea.MouseMsg) tea.Cmd {
	if r := h.Lay.Tabs; r.Visible() && r.Contains(m.X, m.Y) && m.Button == tea.MouseButtonLeft {
		h.clickTab(h.Tabs(r.W), m.X-r.X)
	}
	for i, r := range h.Lay.Slots {
		if !r.Visible() || !r.Contains(m.X, m.Y) {
			continue
		}
		if kit.Click(m) && h.Lay.Mode != layout.Single {
			h.FocusOn(layout.Slot(i))
		}
		return h.panes[i].HandleMouse(m.X-r.X, m.Y-r.Y, m)
	}
	return nil
}

// View sets the panes beside and below each other: the layout leaves no gap.
func (h *Home) View(bool) []string {
	out := make([]string, h.Lay.Body.H)
	for i, r := range h.Lay.Slots { // of two on the same line the left one comes first
		if r.Visible() {
			for k, l := range h.panes[i].View(h.focus == layout.Slot(i)) {
				out[r.Y-h.Lay.Body.Y+k] += l
			}
		}
	}
	return out
}
