package home

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting/numeral"
	"epsiloscope/report"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
)

// boundsPane is the answer: the best ε large, then what every theorem says.
type boundsPane struct {
	part
	row       int // selected theorem
	labels    axisLabels
	labelLine string // of labels
}

func (b *boundsPane) Keys() kit.Table {
	return kit.NewTable("Bounds pane",
		kit.Action("bounds.up", "up k", "↑↓|theorem", "Theorem above", kit.NoCmd(func() { b.move(-1) })),
		kit.Action("bounds.down", "down j", "", "Theorem below", kit.NoCmd(func() { b.move(+1) })),
		kit.Action("bounds.why", "enter", "why this one", "Why this theorem gives this ε", func() tea.Cmd { return b.Explorer.Show("why") }),
	)
}

func (b *boundsPane) HandleMouse(_, _ int, m tea.MouseMsg) tea.Cmd { b.move(kit.Wheel(m)); return nil }

func (b *boundsPane) move(by int) {
	if b.Result == nil {
		return
	}
	rows := b.visibleRows()
	at, _ := slices.BinarySearch(rows, b.row)
	b.row = rows[max(0, min(at+by, len(rows)-1))]
}

func (b *boundsPane) View(focused bool) []string {
	p := b.Pen
	inner, h := draw.Inner(b.W, b.H)
	s := b.Doc.Scenario()
	title := "What it costs at δ = " + report.FormatGiven(s.DeltaOfEpsilon())
	var lines []string
	switch {
	case b.Refusal != nil:
		lines = b.refusalLines(inner)
	case b.Result == nil:
		lines = []string{p.Line(inner).Put(p.Muted, "computing").String()}
	case len(s.Stack) == 0:
		lines = append(b.headline(inner), p.Line(inner).Put(p.Muted, "Every theorem’s bound will appear here.").String())
	case b.Projector:
		if lines = b.headline(inner); h < 3 {
			lines = b.brief(inner)
		}
	default:
		head := b.headline(inner)
		if h < briefBelow {
			head = b.brief(inner)
		}
		proof := b.proofLine(inner)
		if b.isFolded() {
			proof = nil
		}
		// A theorem is worth more than the blank line.
		if len(head) == 4 && h-len(head)-len(proof)-2 < len(b.visibleRows()) {
			head = head[:3]
		}
		room := h - len(head) - len(proof)
		if b.isFolded() && !focused { // the keys are in the footer
			room++
		}
		lines = append(head, append(proof, b.table(inner, room, focused)...)...)
	}
	foot := b.remark(inner, h-1-len(lines), focused)
	if foot == nil && !b.isFolded() {
		foot = []string{b.footLine(inner)}
	}
	return b.DrawFrame(draw.Frame{Title: title, Focus: focused, Exact: true}, lines, foot...)
}

// isFolded reports whether the pane has the answer and a few theorems alone, for the sake of the chart below.
func (b *boundsPane) isFolded() bool { return b.H <= layout.FoldedBounds }

// refusalLines says what would make the scenario valid.
func (b *boundsPane) refusalLines(inner int) []string {
	p := b.Pen
	out := kit.NewWriter(p, inner)
	out.Prose(p.Over, "This stack cannot be evaluated as it stands:")
	out.Prose(p.Text, b.RefusalText())
	out.Gap()
	keys := []kit.Binding{kit.Hint("enter", "edit the entry"), kit.Hint("t", "target"), kit.Hint("u", "undo")}
	if b.home.focus == layout.Bounds { // there it leads to Why
		keys = keys[1:]
	}
	return append(out.Lines, b.Foot(inner, keys...))
}

// remark returns the note of the selected row, on two lines where it needs them.
func (b *boundsPane) remark(inner, room int, focused bool) []string {
	r := b.Result
	if !focused || r == nil || b.Refusal != nil || b.row >= len(r.Bounds) || r.Bounds[b.row].Note == "" {
		return nil
	}
	note := b.Pen.Spell(draw.Clean(r.Bounds[b.row].Note))
	lines := draw.Wrap(note, inner)
	most := max(1, min(3, room))
	switch {
	case len(lines) <= most:
	case most == 1:
		const more = "; w says more"
		if lines = []string{kit.Clause(note, inner-len(more)) + more}; strings.Contains(lines[0], "…") {
			lines[0] = kit.GoesOn(draw.Wrap(note, inner)[0], inner)
		}
	default:
		lines = kit.FirstLines(lines, most, inner)
	}
	for i, l := range lines {
		lines[i] = b.Pen.Line(inner).Put(b.Pen.Muted, l).String()
	}
	return lines
}

func (b *boundsPane) footLine(inner int) string {
	p := b.Pen
	l := p.Line(inner).Raw(b.Hints(inner, b.home.otherScreens()...))
	if b.Result == nil || len(b.Result.Notes) == 0 || len(b.Doc.Scenario().Stack) == 0 {
		return l.String()
	}
	note := numeral.Plural(len(b.Result.Notes), "note", "notes") + " under w"
	if l.Room() > len(note)+2 {
		l.FillTo(inner-len(note)).Put(p.Muted, note)
	}
	return l.String()
}
