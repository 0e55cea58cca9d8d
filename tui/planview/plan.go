// Package planview is the screen that solves backwards: one unknown, the division of a budget,
// what each entry adds.
package planview

import (
	"cmp"
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/tui/document"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/plot"
)

// Screen solves backwards: for one unknown under every theorem, for the division
// of what locked entries leave, and for what each entry adds.
type Screen struct {
	kit.Base
	about    *document.Document // the document that the fields below belong to
	view     int                // index into views
	question int                // index into the questions of the scenario
	turned   string             // the knob that was selected when the screen was shown
	row      int                // selected theorem or entry
	method   int                // index into methods, for dividing and margins
	top      int                // first entry shown
	tight    bool
	place    string // which entries are shown, if not all
	plot     *plot.Plot

	last   *scenarios.Scenario // whose entries the next two are about
	locked map[int]bool        // by entry, from 1
	wishes map[int]float64     // 95 % errors to aim at

	solve    jobs.Query[solveWant, solution]
	selected solveWant // the question whose best answer was selected when it came
	plotted  plotted
	divide   jobs.Query[divideWant, division]
	margin   jobs.Query[divideWant, *plan.Margins] // what each entry adds
}

// The views of the screen, in the order of tab: one unknown, the division of a budget, and what each entry adds.
const (
	solveView = iota
	divideView
	entriesView
)

// views are their names.
var views = []string{solveView: "Solve", divideView: "Divide", entriesView: "Each entry"}

// methods are the theorems that a division and margins can go by; the first
// stands for the one that gives the answer of the screen.
var methods = []accounting.Method{
	"", accounting.Basic, accounting.Advanced, accounting.RDP, accounting.ZCDP, accounting.GDP, accounting.Numerical,
}

// New returns the screen, asking for the first unknown of the selected entry.
func New(s *kit.Shell) *Screen {
	p := &Screen{Base: kit.Base{Shell: s}, plot: plot.New()}
	p.solve.Taken = p.showSolution
	p.reset()
	return p
}

// OnShow solves for the knob that was selected since.
func (p *Screen) OnShow() tea.Cmd {
	if p.about != p.Doc {
		p.reset()
	}
	if p.turned != p.Knob {
		p.turned = p.Knob
		turned := func(q question) bool { return q.solve == cmp.Or(unknownOfKnob[p.Knob], p.Knob) }
		if i := slices.IndexFunc(p.questions(), turned); i >= 0 {
			p.question = i
		}
	}
	return nil
}

// reset forgets what belongs to another document.
func (p *Screen) reset() {
	p.about, p.question, p.row, p.top, p.method, p.turned = p.Doc, 0, 0, 0, 0, ""
	p.selected = solveWant{}
	p.unlock()
	p.solve.Forget()
	p.divide.Forget()
	p.margin.Forget()
}

var errStillComputing = errors.New("still computing; try again in a moment")

func (p *Screen) Keys() kit.Table {
	move := func(by int) func() tea.Cmd { return kit.NoCmd(func() { p.move(by) }) }
	turn := func(by int) func() tea.Cmd { return kit.NoCmd(func() { p.turn(by) }) }
	return kit.NewTable("Plan screen",
		kit.Action("plan.apply", "enter", "apply", "Put the answer into the stack", p.Try(p.apply)),
		kit.Action("plan.next-view", "tab", "view", "Next: solve, divide, each entry", kit.NoCmd(func() { p.switchView(+1) })),
		kit.Action("plan.previous-view", "shift+tab", "", "Previous view", kit.NoCmd(func() { p.switchView(-1) })),
		kit.Action("plan.previous-unknown", "left h", "", "Previous unknown, or theorem", turn(-1)),
		kit.Action("plan.next-unknown", "right l", "unknown", "Next unknown, or theorem", turn(+1)),
		kit.Action("plan.up", "up k", "", "Row above", move(-1)),
		kit.Action("plan.down", "down j", "", "Row below", move(+1)),
		kit.Action("plan.next-entry", "J shift+down", "", "Solve for the next entry", kit.NoCmd(func() { p.entry(+1) })),
		kit.Action("plan.previous-entry", "K shift+up", "", "Solve for the previous entry", kit.NoCmd(func() { p.entry(-1) })),
		kit.Action("plan.lock", "space", "lock", "Lock the entry, or let it go, and go on to the next", kit.NoCmd(func() { p.lock() })),
		kit.Action("plan.weight", "*", "weight", "Type the weight of the entry: twice the weight, half the error",
			p.openShare("weight", "Weight of", "twice the weight, half the error; 0 for none of its own, which is 1", func(e *scenarios.Entry) *float64 { return &e.Weight })),
		kit.Action("plan.size", "g", "size", "Type the typical size of the entry's answer",
			p.openShare("typical", "Typical size of an answer of", "errors become equal parts of it; 0 if it is not known", func(e *scenarios.Entry) *float64 { return &e.Typical })),
		kit.Action("plan.error", "r", "error", "Type the 95 % error to aim at", p.openError),
	)
}

// HandleMouse moves with the wheel and takes clicks on the names of the views and on the list of entries.
func (p *Screen) HandleMouse(x, y int, m tea.MouseMsg) tea.Cmd {
	p.move(kit.Wheel(m))
	if p.view == divideView {
		if at, ok := p.ClickedItem(p.divideList(), x, y, m); ok {
			p.row = at
		}
	}
	for i, at := 0, 2; kit.Click(m) && y == 1 && i < len(views); i++ {
		if end := at + tabWidth(i); at <= x && x < end {
			p.switchView(i - p.view)
		}
		at += tabWidth(i) + tabGap
	}
	return nil
}

func (p *Screen) switchView(by int) {
	p.view = (p.view + by + len(views)) % len(views)
	p.row, p.top = 0, 0
}

// rows returns how many lines of the view can be selected.
func (p *Screen) rows() int {
	switch {
	case p.view == solveView && p.stuck():
		return len(p.solve.Answer.changes)
	case p.view == solveView:
		return len(p.solve.Answer.all)
	}
	return len(p.Doc.Scenario().Stack)
}

func (p *Screen) move(by int) { p.row = max(0, min(p.row+by, p.rows()-1)) }

// turn changes what is asked.
func (p *Screen) turn(by int) {
	if p.view == solveView {
		n := len(p.questions())
		if n > 0 {
			p.question = (p.question + by + n) % n
		}
		return
	}
	p.method = (p.method + by + len(methods)) % len(methods)
}

// entry selects another entry of the stack, not one inside a block.
func (p *Screen) entry(by int) {
	rows := p.Doc.Rows()
	for at := p.Doc.Cursor() + by; at >= 0 && at < len(rows); at += by {
		if rows[at].Depth() == 0 {
			p.Doc.Select(at)
			return
		}
	}
}

// Refresh starts what the view needs.
func (p *Screen) Refresh() tea.Cmd {
	if p.about != p.Doc {
		p.reset()
	}
	if s := p.Doc.Scenario(); s != p.last && isStackChanged(p.last.Stack, s.Stack) { // a lock must not fall to another
		p.unlock()
	} else {
		p.last = s
	}
	return []func() tea.Cmd{p.refreshSolve, p.refreshDivide, p.refreshMargins}[p.view]()
}

// apply puts the answer of the view into the stack, as one change to undo.
func (p *Screen) apply() error {
	return []func() error{p.applySolve, p.applyDivide, func() error { return nil }}[p.view]()
}
