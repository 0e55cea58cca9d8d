package home

import (
	"cmp"
	"math"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/numeral"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// boundsPane is the answer: the best ε large, then what every theorem says.
type boundsPane struct {
	part
	row int // selected theorem
}

func (b *boundsPane) Keys() kit.Table {
	return kit.NewTable("Bounds pane",
		kit.Bind("up k", "", "Theorem above", kit.Just(func() { b.move(-1) })),
		kit.Bind("down j", "", "Theorem below", kit.Just(func() { b.move(+1) })),
		kit.Bind("enter", "", "Why this theorem gives this figure", func() tea.Cmd { return b.home.host.Show("why") }),
	)
}

func (b *boundsPane) HandleMouse(_, _ int, m tea.MouseMsg) tea.Cmd { b.move(kit.Wheel(m)); return nil }

func (b *boundsPane) move(by int) {
	if r := b.Result; r != nil {
		b.row = max(0, min(b.row+by, len(r.Bounds)-1))
	}
}

func (b *boundsPane) View(focused bool) []string {
	return b.Drawn(focused, b.draw, b.row, b.Pending, b.home.left.Serial)
}

func (b *boundsPane) draw(focused bool) []string {
	p := b.Pen
	inner, h := draw.Inner(b.W, b.H)
	s := b.Doc.Scenario()
	title := "What it costs at δ = " + report.Short(s.Budget.Delta)
	frame := draw.Frame{Title: title, Focus: focused}
	var lines []string
	switch {
	case b.Refusal != nil:
		lines = b.refused(inner)
	case b.Result == nil:
		lines = []string{p.Line(inner).Put(p.Muted, "computing").String()}
	case len(s.Stack) == 0:
		lines = append(b.headline(inner), p.Line(inner).Put(p.Muted, "Every theorem’s bound will appear here.").String())
	default:
		head := b.headline(inner)
		if h < briefBelow {
			head = b.brief(inner)
		}
		lines = append(head, b.table(inner, h-len(head), focused)...)
	}
	foot := b.remark(inner, h-1-len(lines), focused)
	if foot == nil {
		foot = []string{b.footLine(inner)}
	}
	return p.Frame(frame, append(text.Fill(lines, inner, h-len(foot)), foot...), b.W, b.H)
}

// refused says what would make the scenario valid.
func (b *boundsPane) refused(inner int) []string {
	p := b.Pen
	out := kit.NewWriter(p, inner)
	out.Prose(p.Over, "This stack cannot be evaluated as it stands:")
	out.Prose(p.Text, b.Refusal.Error())
	out.Gap()
	return append(out.Lines, b.Foot(inner, kit.Hint("enter", "edit the entry"), kit.Hint("t", "target"), kit.Hint("u", "undo")))
}

// headline is the best ε in large digits, the theorem that gives it, whether it
// fits, and what would still fit.
func (b *boundsPane) headline(inner int) []string {
	p, r := b.Pen, cmp.Or(b.Full, b.Result)
	figure, ink := "-", p.Muted
	notes := [3]string{"no theorem gives a finite ε here", "the rows below say why", ""}
	if r.Target.Delta == 0 {
		notes[2] = "most need a δ above 0: d, then ="
	}
	inks := [3]draw.Ink{p.Text, p.Muted, p.Muted}
	if r.Best >= 0 {
		best := r.Bounds[r.Best]
		figure = report.Upper(best.Epsilon)
		ink = p.Winner
		if r.Target.Epsilon > 0 && !report.Fits(best, r.Target.Epsilon) {
			ink = p.Over
		}
	}
	if b.Pending {
		ink = p.Stale
	}
	big, w := p.Large(ink, "ε "+figure)
	if r.Best >= 0 {
		notes[0] = byLine(r.Bounds[r.Best], inner-w-2)
		notes[1], inks[1] = b.verdict(r, r.Bounds[r.Best], inner-w-2)
		notes[2] = b.leftLine(r.Bounds[r.Best], inner-w-2)
		if _, stale, _ := b.home.LeftOf(r.Bounds[r.Best].Method); stale {
			inks[2] = p.Stale
		}
	}
	if b.Pending { // whether the old figure fits is old, too
		inks = [3]draw.Ink{p.Stale, p.Stale, p.Stale}
	}
	out := make([]string, 4)
	for i := range big {
		l := p.Line(inner).Raw(big[i], w).Skip(2)
		out[i] = l.Put(inks[i], notes[i]).String()
	}
	out[3] = text.Space(inner)
	return out
}

// byLine names the theorem behind the best figure, as fully as the room allows:
// a figure is never cut.
func byLine(b accounting.Bound, room int) string {
	upper, lower := report.Upper(b.Epsilon), report.Lower(b.Lower)
	if b.Method == accounting.Numerical && b.Lower > 0 {
		return kit.Widest(room, "ε = "+upper+" numerical, certified "+lower+" – "+upper,
			"numerical, certified "+lower+" – "+upper, "certified "+lower+" – "+upper, "numerical")
	}
	pure := ""
	if b.Delta == 0 {
		pure = ", with δ = 0"
	}
	return kit.Widest(room, "ε = "+upper+" by "+kit.MethodName(b)+pure, "by "+kit.MethodName(b)+pure, "by "+kit.MethodName(b), kit.MethodName(b))
}

// verdict says whether the best figure fits, as fully as the room allows.
func (b *boundsPane) verdict(r *scenarios.Result, best accounting.Bound, room int) (string, draw.Ink) {
	p := b.Pen
	budget := r.Target.Epsilon
	switch {
	case budget <= 0:
		return "no budget set: t sets one", p.Muted
	case report.Fits(best, budget):
		return p.Glyphs.Tick + " fits the budget of " + report.Short(budget), p.Good
	}
	over := p.Glyphs.Over + " the budget of " + report.Short(budget)
	by := " by " + report.Upper(best.Epsilon-budget)
	return kit.Widest(room, over+by, p.Glyphs.Over+" budget "+report.Short(budget)+by, over, p.Glyphs.Over+" budget"), p.Over
}

// leftLine says how many more of the selected entry fit, by whichever theorem allows
// most: with more of them another may win than wins now.
func (b *boundsPane) leftLine(best accounting.Bound, room int) string {
	n, ok := b.home.mostLeft(best.Method)
	row, selected := b.Doc.Selected()
	switch {
	case !ok || !selected:
		return ""
	case math.IsInf(n, 1):
		return kit.Widest(room, "it costs nothing: any number of copies fits", "any number of copies fits")
	}
	more := "no more"
	if n > 0 {
		more = numeral.Format(n) + " more"
	}
	label := "“" + text.Cut(text.Clean(row.Entry.Label), 30) + "”"
	this, short := more+" of this entry would fit", more+" would fit"
	switch {
	case label == "“”":
		return kit.Widest(room, this, short)
	case n == 0:
		return kit.Widest(room, more+" of "+label+" would fit", short)
	}
	return kit.Widest(room, more+" of "+label+" would fit", more+" "+label+" fit", this, short)
}

// remark is the note of the selected row, on two lines where it needs them.
func (b *boundsPane) remark(inner, room int, focused bool) []string {
	r := b.Result
	if !focused || r == nil || b.Refusal != nil || b.row >= len(r.Bounds) || r.Bounds[b.row].Note == "" {
		return nil
	}
	note := b.Pen.Spell(text.Clean(r.Bounds[b.row].Note))
	lines := text.Wrap(note, inner)
	switch most := max(1, min(3, room)); {
	case len(lines) <= most:
	case most == 1:
		const more = "; w says more"
		if lines = []string{kit.Clause(note, inner-len(more)) + more}; strings.Contains(lines[0], "…") {
			lines[0] = kit.GoesOn(text.Wrap(note, inner)[0], inner)
		}
	default:
		lines = kit.AtMost(lines, most, inner)
	}
	for i, l := range lines {
		lines[i] = b.Pen.Line(inner).Put(b.Pen.Muted, l).String()
	}
	return lines
}

func (b *boundsPane) footLine(inner int) string {
	p := b.Pen
	l := p.Line(inner).Raw(b.Hints(inner, b.home.host.Feet()...))
	if b.Result == nil || len(b.Result.Lints) == 0 || len(b.Doc.Scenario().Stack) == 0 {
		return l.String()
	}
	note := numeral.Plural(len(b.Result.Lints), "remark", "remarks") + " under w"
	if l.Room() > len(note)+2 {
		l.To(inner-len(note)).Put(p.Warn, note)
	}
	return l.String()
}
