package planview

import (
	"context"
	"fmt"
	"math"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
)

// maxMarginEntries bounds the work: every entry that is listed takes three evaluations.
const maxMarginEntries = 200

func (p *Screen) refreshMargins() tea.Cmd {
	s := p.Doc.Scenario()
	if p.Pending && methods[p.method] == "" { // which is best is not known yet
		return nil
	}
	if len(s.Stack) == 0 {
		return nil
	}
	method := p.asks()
	want := divideWant{scenario: s, method: method}
	return p.margin.Ask(p.Jobs, jobs.PauseLeft, want, func(ctx context.Context, tell func(*plan.Margins, error)) {
		tell(plan.New().Margins(ctx, s, method, scenarios.Options{}, maxMarginEntries))
	})
}

func (p *Screen) viewMargins(out *kit.Writer, inner, room int) {
	from := len(out.Lines)
	pen, s, m := out.Pen, p.Doc.Scenario(), p.margin.Answer
	out.Add(pen.Line(out.W).Put(pen.Muted, "What each entry adds, by ").Put(pen.Key, "‹ ").Put(pen.Strong, p.methodWord()).Put(pen.Key, " ›"))
	out.Gap()
	if p.Refusal != nil {
		out.Refusal(p.Shell)
		return
	}
	if p.margin.Err != nil {
		out.Prose(pen.Warn, p.margin.Err.Error())
		return
	}
	if m == nil || len(m.Entries) != min(len(s.Stack), maxMarginEntries) {
		out.Prose(pen.Muted, "Computing …")
		return
	}
	defer out.Old(!p.margin.Fresh() || p.margin.Of.scenario != s)()
	whole := m.Epsilon
	if b, ok := p.Full.Bound(m.Method); ok && b.Finite() && !p.Pending {
		whole = b.Epsilon // the number in the header, not the other end of the interval
	}
	p.writeWhole(out, whole)
	out.Gap()
	p.writeMargins(out, room-6)
	if m.Refusal != "" {
		out.Prose(pen.Muted, "– stands for runs that are refused: "+m.Refusal)
	}
	if len(s.Stack) > maxMarginEntries {
		out.Prose(pen.Muted, fmt.Sprintf("Only the first %d entries are listed.", maxMarginEntries))
	}
	cost := m.HarmWhole
	if m.Harm.Kind() == "" {
		cost = whole
	}
	p.writeParts(out, inner, room-(len(out.Lines)-from), cost)
}

// writeWhole writes what the whole costs, by which theorem, and what one more round adds.
func (p *Screen) writeWhole(out *kit.Writer, epsilon float64) {
	pen, m := out.Pen, p.margin.Answer
	round := "; one more round adds "
	more, what := finiteText(m.Round), "ε = "+report.Upper(epsilon)
	if m.Harm.Kind() != "" {
		most := " ≤ " + report.Upper(m.HarmWhole)
		free := out.W - draw.Width("the whole "+round+more)
		what = kit.Widest(free, report.HarmName(m.Harm)+most, kit.HarmHeads[m.Harm.Kind()][0]+most)
	}
	left := out.W - draw.Width("the whole "+what+round+more)
	by := kit.Widest(left, " by "+report.TheoremPhrase(m.Method), " by "+m.Method.Name(), "")
	out.Add(pen.Line(out.W).Put(pen.Muted, "the whole ").Put(pen.Strong, what).Put(pen.Muted, by+round).Put(pen.Strong, more))
}

// writeMargins writes the table of the entries, the selected one among as many as there are rows for.
func (p *Screen) writeMargins(out *kit.Writer, rows int) {
	pen, s, m := out.Pen, p.Doc.Scenario(), p.margin.Answer
	name, copies, alone := 24, 8, 10
	if out.W < 75 { // home shows the counts, too
		name, copies, alone = 15, 0, 8
	}
	const differences = 16 + 15 // the last two columns
	for i := range m.Entries {  // as wide as the longest name, if there is room
		width := draw.Width(draw.Clean(report.EntryName(s.Stack[i]))) + 1
		name = max(name, min(width, out.W-2-copies-alone-differences))
	}
	head := pen.Line(out.W).Skip(2).Left(pen.Muted, "entry", name)
	head.Right(pen.Muted, kit.Widest(copies, "copies", ""), copies)
	out.Add(head.Right(pen.Muted, "alone", alone).Right(pen.Muted, "dropping saves", 16).
		Right(pen.Muted, "one more adds", 15))
	p.scroll(len(m.Entries), rows)
	for i := p.top; i < min(len(m.Entries), p.top+max(1, rows)); i++ {
		e := m.Entries[i]
		l, _ := pen.Row(out.W, i == p.row)
		saves := differenceText(e.Saves, m.Width, report.Lower)
		if s.Stack[i].Disabled {
			saves = "off"
		}
		l.Left(pen.Text, draw.Clean(report.EntryName(s.Stack[i])), name)
		l.Right(pen.Muted, kit.Widest(copies, report.FormatGiven(s.Stack[i].Count), ""), copies)
		out.Add(l.Right(pen.Text, finiteText(e.Alone), alone).Right(pen.Strong, saves, 16).
			Right(pen.Text, differenceText(e.OneMore, m.Width, finiteText), 15))
	}
}

// differenceText returns a difference, or that it is lost in the width of the interval.
func differenceText(x, blur float64, write func(float64) string) string {
	if blur > 0 && x <= blur {
		return "≤ " + report.Upper(2*blur)
	}
	return write(x)
}

func finiteText(x float64) string {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return "–"
	}
	return report.Upper(x)
}
