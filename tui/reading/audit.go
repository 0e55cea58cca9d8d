package reading

import (
	"context"
	"fmt"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/accounting/audit"
	"epsiloscope/report"
	"epsiloscope/scenarios"
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
	early bool   // the attack, or its size, is being computed
}

// Audit is the screen of attacks on the scenario.
type Audit struct {
	*page[auditing]
	attacks []dialogs.AuditCounts // the first has no counts: how large an attack must be
	shown   map[dialogs.AuditCounts]shown
}

// shown is the result of an attack on a scenario.
type shown struct {
	scenario *scenarios.Scenario
	found    *report.Audit
}

// NewAudit holds the counts of attacks against the scenario: lower bound, proven bounds and certified interval on one
// axis.
func NewAudit(s *kit.Shell) kit.Pane {
	a := &Audit{page: newPage[auditing](s, "Audit screen", "What an attack shows"),
		attacks: []dialogs.AuditCounts{{Confidence: 0.95}}, shown: map[dialogs.AuditCounts]shown{}}
	a.list = &list{title: "Attacks", items: a.items, pick: func(at int) { a.ask = a.attacks[at] }}
	a.list.choose(0)
	a.keys = append([]kit.Binding{kit.Action("audit.enter-counts", "e", "enter counts", "Enter the counts of an attack on this scenario", kit.NoCmd(func() {
		dialogs.Audit(s, a.attacks[a.list.at], a.add)
	}))}, a.list.keys("attack")...)
	a.work, a.write, a.working = holdAudit, a.writeText, a.computes
	a.first = func() auditing { return auditing{early: true} } // the bounds are known
	a.picture, a.asideTitle = writeAxis, "On one axis"
	a.query.Taken = func(says auditing) {
		if counts, ok := a.query.Of.ask.(dialogs.AuditCounts); ok && says.found != nil {
			a.shown[counts] = shown{a.query.Of.scenario, says.found}
		}
	}
	return a
}

// add puts an attack on the list and shows it.
func (a *Audit) add(c dialogs.AuditCounts) {
	at := slices.Index(a.attacks, c)
	if at < 0 {
		a.attacks = append(a.attacks, c)
		at = len(a.attacks) - 1
	}
	a.list.choose(at)
}

// items lists the attacks, each with the lower bound that it shows, and a cross if that refutes the claim.
func (a *Audit) items() []kit.Item {
	list := []kit.Item{{Text: "how large one must be"}}
	for _, c := range a.attacks[1:] {
		item := kit.Item{Text: fmt.Sprintf("one run, %d of %d right", c.OneRun.Correct, c.OneRun.Guesses)}
		if c.Runs != (audit.TwoSample{}) {
			item.Text = fmt.Sprintf("%d + %d runs", c.Runs.Members, c.Runs.NonMembers)
		}
		if s := a.shown[c]; s.found != nil && s.scenario == a.Doc.Scenario() {
			item.Right = "ε ≥ " + report.Lower(s.found.EpsilonLower)
			if s.found.Verdict == report.AuditRefuted {
				item.Mark, item.Ink = a.Pen.Glyphs.Cross, a.Pen.Over
			}
		}
		list = append(list, item)
	}
	return list
}

// computes says what the screen waits for.
func (a *Audit) computes() string {
	if a.list.at > 0 {
		return "the p-value of the scenario's certified curve under this attack"
	}
	return "how large an attack must be to refute the certified curve: for each fault that the code may have, its curve " +
		"and the smallest audit that finds it with power " + report.StatedPercent(auditPower)
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

func writeAxis(out *kit.Writer, of about, says auditing) {
	out.Heading(out.Pen.Title, "At δ = "+report.FormatGiven(of.result.Target.Delta))
	axis(out, of, says.found)
}

func (a *Audit) writeText(out *kit.Writer, of about, says auditing) {
	pen := out.Pen
	if says.found != nil {
		ink := pen.Text
		if says.found.Verdict == report.AuditRefuted {
			ink = pen.Over
		}
		out.Prose(ink, report.UpperFirst(says.found.Sentence())+".")
		out.Gap()
	}
	a.inline(out, of, says)
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
	counts, _ := of.ask.(dialogs.AuditCounts)
	if counts.Confidence > 0 {
		confidence = counts.Confidence
	}
	if b := of.result.BestBound(); b.Finite() && counts.Attack() == nil {
		out.Prose(pen.Text, report.UpperFirst(report.RequiredTrials(b.Epsilon, b.Delta, confidence))+".")
		out.Gap()
	}
	switch {
	case says.early:
		out.Prose(pen.Muted, "computing "+a.computes()+" …")
		return
	case says.note != "":
		out.Prose(pen.Muted, says.note)
		return
	}
	for _, s := range report.AuditSizes(says.sizes, auditPower, confidence) {
		out.Inset(2, pen.Muted, report.UpperFirst(s))
	}
}

// axis draws the proven bounds, the certified interval and the audit as bars from the same zero: a bound from above up
// to its ε, one from below from its ε on.
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
		rest := fill(pen.Glyphs.SliderFill, max(0, w-2-cell(epsilon)))
		out.Add(l.Put(ink, string(pen.Glyphs.RuleV)+rest+pen.Glyphs.Right))
	}
	for _, b := range of.result.Bounds {
		t, _ := accounting.TheoremOf(b.Method)
		if b.Finite() && b.Status == accounting.Valid && (t.FormOf == "" || b.Method == best.Method) {
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
	most := row("most it could show").Put(pen.Muted, "ε = ").Number(pen.Muted, report.Lower(found.MostShown), 9)
	out.Add(most.Skip(1+cell(found.MostShown)).Put(pen.Muted, string(pen.Glyphs.RuleV)))
}

func fill(glyph string, n int) string {
	text := ""
	for range n {
		text += glyph
	}
	return text
}
