package plan

import (
	"context"
	"math"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// marging is what each entry adds.
type marging struct {
	job     jobs.Job
	want    divideWant
	margins *scenarios.Margins
	err     error
}

// mostMargins bounds the work: every entry takes three evaluations.
const mostMargins = 200

func (p *Screen) refreshMargins() tea.Cmd {
	s := p.Doc.Scenario()
	want := divideWant{scenario: s, method: p.method}
	if len(s.Stack) == 0 || want == p.margin.want {
		return nil
	}
	p.margin.want = want
	method := methods[p.method]
	if method == "" {
		method = p.bestClosed()
	}
	return p.Jobs.Start(&p.margin.job, jobs.PauseLeft, func(ctx context.Context, emit func(tea.Msg)) {
		part := *s
		part.Stack = part.Stack[:min(len(part.Stack), mostMargins)]
		m, err := scenarios.NewEvaluator().Margins(ctx, &part, method, scenarios.Options{Closed: true})
		if ctx.Err() != nil {
			return
		}
		emit(jobs.Found(func() { p.margin.margins, p.margin.err = m, err }))
	})
}

func (p *Screen) viewMargins(out *kit.Writer, room int) {
	pen, s, m := out.Pen, p.Doc.Scenario(), p.margin.margins
	out.Add(pen.Line(out.W).Put(pen.Muted, "What each entry adds, by ").Put(pen.Key, "‹ ").Put(pen.Strong, p.methodWord()).Put(pen.Key, " ›"))
	out.Gap()
	if p.margin.err != nil {
		out.Prose(pen.Warn, p.margin.err.Error())
		return
	}
	if m == nil || len(m.Entries) != min(len(s.Stack), mostMargins) {
		out.Prose(pen.Muted, "Being worked out …")
		return
	}
	out.Add(pen.Line(out.W).Put(pen.Muted, "the whole ").Put(pen.Strong, "ε = "+report.Upper(m.Epsilon)).Put(pen.Muted, " by "+kit.MethodName(accounting.Bound{Method: m.Method})+
		"; one more round adds ").Put(pen.Strong, report.Upper(m.Round)))
	out.Gap()
	name, copies, alone := 24, 8, 10
	if out.W < 75 { // the counts stand on home, too
		name, copies, alone = 15, 0, 8
	}
	out.Add(pen.Line(out.W).Skip(2).Left(pen.Muted, "entry", name).Right(pen.Muted, kit.Widest(copies, "copies", ""), copies).Right(pen.Muted, "alone", alone).Right(pen.Muted, "dropping saves", 16).
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
		out.Add(pen.Line(out.W).Put(pen.Accent, mark).Left(pen.Text, text.Clean(report.EntryName(s.Stack[i])), name).Right(pen.Muted, kit.Widest(copies, report.Short(s.Stack[i].Count), ""), copies).
			Right(pen.Text, finiteText(e.Alone), alone).Right(pen.Strong, saves, 16).Right(pen.Text, finiteText(e.OneMore), 15))
	}
	if len(s.Stack) > mostMargins {
		out.Prose(pen.Muted, "Only the first 200 entries are priced.")
	}
}

func finiteText(x float64) string {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return "–"
	}
	return report.Upper(x)
}
