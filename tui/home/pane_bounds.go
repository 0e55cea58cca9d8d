package home

import (
	"math"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/report"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
)

// A result comes in; the lines of the pane of bounds go out.

// boundsPane is the answer: the best ε large, then what every theorem says.
type boundsPane struct {
	part
	row int // selected theorem
}

func (b *boundsPane) Keys() kit.Table {
	return kit.NewTable("Bounds pane",
		kit.Bind("up k", "↑↓|theorem", "Theorem above", kit.NoCmd(func() { b.move(-1) })),
		kit.Bind("down j", "", "Theorem below", kit.NoCmd(func() { b.move(+1) })),
		kit.Bind("enter", "why this one", "Why this theorem gives this ε", func() tea.Cmd { return b.Explorer.Show("why") }),
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
	default:
		head := b.headline(inner)
		if h < briefBelow {
			head = b.brief(inner)
		}
		proof := b.proofLine(inner)
		if len(head) == 4 && h-len(head)-len(proof)-2 < len(b.visibleRows()) { // a theorem is worth more than the blank line
			head = head[:3]
		}
		lines = append(head, append(proof, b.table(inner, h-len(head)-len(proof), focused)...)...)
	}
	foot := b.remark(inner, h-1-len(lines), focused)
	if foot == nil {
		foot = []string{b.footLine(inner)}
	}
	return b.DrawFrame(draw.Frame{Title: title, Focus: focused, Exact: true}, lines, foot...)
}

// refusalLines says what would make the scenario valid.
func (b *boundsPane) refusalLines(inner int) []string {
	p := b.Pen
	out := kit.NewWriter(p, inner)
	out.Prose(p.Over, "This stack cannot be evaluated as it stands:")
	out.Prose(p.Text, b.Refusal.Error())
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
	switch most := max(1, min(3, room)); {
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
	l := p.Line(inner).Raw(b.Hints(inner, b.home.Feet...))
	if b.Result == nil || len(b.Result.Notes) == 0 || len(b.Doc.Scenario().Stack) == 0 {
		return l.String()
	}
	note := numeral.Plural(len(b.Result.Notes), "note", "notes") + " under w"
	if l.Room() > len(note)+2 {
		l.FillTo(inner-len(note)).Put(p.Muted, note)
	}
	return l.String()
}

// fullBar returns the ε that fills a bar: the largest, but no more than five times the best or
// twice the budget, so that one loose theorem does not flatten the rest.
func (b *boundsPane) fullBar() float64 {
	largest, best := 0.0, math.Inf(1)
	for _, x := range b.Result.Bounds {
		if x.Finite() {
			largest, best = math.Max(largest, x.Epsilon), math.Min(best, x.Epsilon)
		}
	}
	return math.Min(largest, math.Max(5*best, 2*b.Result.Target.Epsilon))
}

// bar draws a bar, with a rule where the budget is; one that leaves the scale ends
// in an arrow.
func (b *boundsPane) bar(l *draw.Line, ink draw.Ink, x, full float64, w int) {
	p := b.Pen
	part, arrow := x/full, 0
	if x > full*(1+1e-9) {
		part, arrow = 1, 1
	}
	if at := b.budgetCell(full, w); at > 0 {
		filled, beyond := part*float64(w), 0.0
		if x > accounting.BudgetLimit(b.Result.Target.Epsilon) { // any excess shows, however small
			beyond = math.Max(1e-9, (filled-float64(at+1))/float64(w-at-1-arrow))
		}
		l.Bar(ink, filled/float64(at), at).Put(p.Over, string(p.Glyphs.RuleV)).Bar(ink, beyond, w-at-1-arrow)
	} else {
		l.Bar(ink, part, w-arrow)
	}
	if arrow > 0 {
		l.Put(ink, p.Glyphs.Right)
	}
}

// budgetCell returns the cell of a bar where the budget lies; 0 if it is off the scale.
func (b *boundsPane) budgetCell(full float64, w int) int {
	at := int(math.Round(b.Result.Target.Epsilon / full * float64(w)))
	if at >= w-1 || !(full > 0) {
		return 0
	}
	return at
}

// barHead names the rule in the bars.
func (b *boundsPane) barHead(l *draw.Line, full float64, w int) *draw.Line {
	const name = "budget"
	at, end := b.budgetCell(full, w), l.Column()+w
	if at > 0 && w >= len(name) {
		l.Skip(min(at, w-len(name))).Put(b.Pen.Muted, name)
	}
	return l.FillTo(end)
}
