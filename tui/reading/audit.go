package reading

import (
	"context"
	"math"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/scenarios/plan"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// auditPower is the power for which the screen plans an audit.
const auditPower = 0.8

// auditing holds an attack beside the bounds, or how large one must be.
type auditing struct {
	found *report.Audit // nil before the counts of an attack are entered
	sizes []plan.AuditPlan
	note  string // why there are no sizes
}

// NewAudit holds the counts of an attack against the scenario: lower bound, proven bounds and certified interval on one axis.
func NewAudit(s *kit.Shell) kit.Pane {
	p := newPage[auditing](s, "Audit screen", "What an attack shows")
	counts := dialogs.AuditCounts{Confidence: 0.95}
	p.ask = counts
	p.keys = []kit.Binding{kit.Bind("e", "enter counts", "Enter the counts of an attack on this scenario", func() tea.Cmd {
		counts, _ := p.ask.(dialogs.AuditCounts)
		dialogs.Audit(s, counts, func(c dialogs.AuditCounts) { p.ask = c })
		return nil
	})}
	p.work = holdAudit
	p.write = writeAudit
	return p
}

func holdAudit(ctx context.Context, of about) (auditing, error) {
	counts, _ := of.ask.(dialogs.AuditCounts)
	attack := counts.Attack()
	if attack == nil {
		sizes, err := plan.PlanAudits(ctx, of.scenario, auditPower, counts.Confidence)
		if err != nil && ctx.Err() == nil {
			return auditing{note: err.Error()}, nil
		}
		return auditing{sizes: sizes}, err
	}
	found, err := report.NewAudit(attack, of.result.Target.Delta, counts.Confidence)
	if err != nil {
		return auditing{}, err
	}
	return auditing{found: found}, found.TestScenario(ctx, of.scenario, of.result)
}

func writeAudit(out *kit.Writer, of about, says auditing) {
	pen := out.Pen
	if says.found != nil {
		ink := pen.Text
		if says.found.Verdict == report.AuditRefuted {
			ink = pen.Over
		}
		out.Prose(ink, report.UpperFirst(says.found.Sentence())+".")
		out.Gap()
	}
	out.Heading(pen.Title, "On one axis, at δ = "+report.FormatGiven(of.result.Target.Delta))
	axis(out, of, says.found)
	out.Gap()
	if f := says.found; f != nil {
		lines := f.Lines()
		for _, s := range lines {
			if s != f.Sentence() {
				out.Inset(2, pen.Muted, report.UpperFirst(s)+".")
			}
		}
		if f.Claim != nil && of.result.BestBound().Lower < f.EpsilonLower && f.EpsilonLower <= f.Claim.Epsilon {
			out.Inset(2, pen.Muted, "The audit exceeds what the analysed attack certainly reaches; that is no contradiction.")
		}
		return
	}
	confidence := 0.95
	if counts, ok := of.ask.(dialogs.AuditCounts); ok {
		confidence = counts.Confidence
	}
	if b := of.result.BestBound(); b.Finite() {
		out.Prose(pen.Text, report.UpperFirst(report.RequiredTrials(b.Epsilon, b.Delta, confidence))+".")
		out.Gap()
	}
	if says.note != "" {
		out.Prose(pen.Muted, says.note)
		return
	}
	for _, s := range report.AuditSizes(says.sizes, auditPower, confidence) {
		out.Inset(2, pen.Muted, report.UpperFirst(s))
	}
}

// axis draws the proven bounds, the certified interval and the audit as bars from the same zero: a bound from above up to its ε, one from
// below from its ε on.
func axis(out *kit.Writer, of about, found *report.Audit) {
	pen := out.Pen
	best := of.result.BestBound()
	far := 0.0
	for _, b := range of.result.Bounds {
		if b.Finite() && b.Status == accounting.Valid && best.Finite() && b.Epsilon <= 5*best.Epsilon {
			far = math.Max(far, b.Epsilon)
		}
	}
	if found != nil {
		far = math.Max(far, math.Max(found.EpsilonLower, found.MostShown))
	}
	name, sign := 22, draw.Width(pen.Spell("ε ≤ "))
	if pen.Glyphs.ASCII {
		name += 3 // α is a word
	}
	w := max(10, min(60, out.W-name-sign-14))
	cell := func(epsilon float64) int {
		if !(far > 0) {
			return 0
		}
		return max(0, min(w-1, int(math.Round(epsilon/far*float64(w-1)))))
	}
	row := func(what string) *draw.Line { return pen.Line(out.W).Skip(2).Left(pen.Text, what, name) }
	above := func(name string, epsilon float64) {
		l := row(name).Put(pen.Muted, "ε ≤ ").Number(pen.Text, report.Upper(epsilon), 9).Skip(1)
		if epsilon > far {
			out.Add(l.Put(pen.Muted, fill(pen.Glyphs.SliderRest, w-1)+pen.Glyphs.Right))
			return
		}
		out.Add(l.Put(pen.Muted, fill(pen.Glyphs.SliderRest, cell(epsilon))).Put(pen.Text, string(pen.Glyphs.RuleV)))
	}
	below := func(name string, epsilon float64, ink draw.Ink) {
		l := row(name).Put(pen.Muted, "ε ≥ ").Number(ink, report.Lower(epsilon), 9).Skip(1 + cell(epsilon))
		out.Add(l.Put(ink, string(pen.Glyphs.RuleV)+fill(pen.Glyphs.SliderFill, max(0, w-2-cell(epsilon)))+pen.Glyphs.Right))
	}
	for _, b := range of.result.Bounds {
		if t, _ := accounting.TheoremOf(b.Method); b.Finite() && b.Status == accounting.Valid && (t.FormOf == "" || b.Method == best.Method) {
			above("proven, "+kit.MethodName(b), b.Epsilon)
		}
	}
	if b, ok := of.result.Bound(accounting.Numerical); ok && b.Lower > 0 {
		below("analysed mechanism", b.Lower, pen.Text)
	}
	if found == nil {
		return
	}
	ink := pen.Accent
	if found.Verdict == report.AuditRefuted {
		ink = pen.Over
	}
	below("audit, "+report.StatedPercent(found.Confidence), found.EpsilonLower, ink)
	out.Add(row("most it could show").Put(pen.Muted, "ε = ").Number(pen.Muted, report.Lower(found.MostShown), 9).Skip(1+cell(found.MostShown)).Put(pen.Muted, string(pen.Glyphs.RuleV)))
}

func fill(glyph string, n int) string {
	text := ""
	for range n {
		text += glyph
	}
	return text
}
