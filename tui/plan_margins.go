package tui

import (
	"context"
	"math"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/text"
)

// marging is what each entry adds.
type marging struct {
	job     job
	want    divideWant
	margins *scenarios.Margins
	err     error
}

// mostMargins bounds the work: every entry takes three evaluations.
const mostMargins = 200

func (p *planPane) refreshMargins() tea.Cmd {
	s := p.doc.Scenario()
	want := divideWant{scenario: s, method: p.method}
	if len(s.Stack) == 0 || want == p.margin.want {
		return nil
	}
	p.margin.want = want
	method := planMethods[p.method]
	if method == "" {
		method = p.bestClosed()
	}
	return p.pool.start(&p.margin.job, pauseLeft, func(ctx context.Context, emit func(tea.Msg)) {
		part := *s
		part.Stack = part.Stack[:min(len(part.Stack), mostMargins)]
		m, err := scenarios.NewEvaluator().Margins(ctx, &part, method, scenarios.Options{Closed: true})
		if ctx.Err() != nil {
			return
		}
		emit(found(func() { p.margin.margins, p.margin.err = m, err }))
	})
}

func (p *planPane) viewMargins(out *writer, room int) {
	pen, s, m := out.pen, p.doc.Scenario(), p.margin.margins
	out.add(pen.Line(out.w).Put(pen.Muted, "What each entry adds, by ").Put(pen.Key, "‹ ").Put(pen.Strong, p.methodWord()).Put(pen.Key, " ›"))
	out.gap()
	if p.margin.err != nil {
		out.prose(pen.Warn, p.margin.err.Error())
		return
	}
	if m == nil || len(m.Entries) != min(len(s.Stack), mostMargins) {
		out.prose(pen.Muted, "Being worked out …")
		return
	}
	out.add(pen.Line(out.w).Put(pen.Muted, "the whole ").Put(pen.Strong, "ε = "+report.Upper(m.Epsilon)).Put(pen.Muted, " by "+methodName(accounting.Bound{Method: m.Method})+
		"; one more round adds ").Put(pen.Strong, report.Upper(m.Round)))
	out.gap()
	name, copies, alone := 24, 8, 10
	if out.w < 75 { // the counts stand on home, too
		name, copies, alone = 15, 0, 8
	}
	out.add(pen.Line(out.w).Skip(2).Left(pen.Muted, "entry", name).Right(pen.Muted, widest(copies, "copies", ""), copies).Right(pen.Muted, "alone", alone).Right(pen.Muted, "dropping saves", 16).
		Right(pen.Muted, "one more adds", 15))
	p.scroll(len(m.Entries), room-6)
	for i := p.top; i < min(len(m.Entries), p.top+max(1, room-6)); i++ {
		e, mark := m.Entries[i], "  "
		if i == p.row {
			mark = pen.Glyphs.Select + " "
		}
		saves := report.Figure(e.Saves)
		if s.Stack[i].Disabled {
			saves = "off"
		}
		out.add(pen.Line(out.w).Put(pen.Accent, mark).Left(pen.Text, text.Clean(report.EntryName(s.Stack[i])), name).Right(pen.Muted, widest(copies, short(s.Stack[i].Count), ""), copies).
			Right(pen.Text, finiteText(e.Alone), alone).Right(pen.Strong, saves, 16).Right(pen.Text, finiteText(e.OneMore), 15))
	}
	if len(s.Stack) > mostMargins {
		out.prose(pen.Muted, "Only the first 200 entries are priced.")
	}
}

func finiteText(x float64) string {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return "–"
	}
	return report.Upper(x)
}
