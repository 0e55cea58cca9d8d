package plan

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/guide"
	"epsiloscope/scenarios/lectures"
	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/chart"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
)

// solving is one unknown under every theorem.
type solving struct {
	job   jobs.Job
	want  solveWant
	all   []plan.Result
	error []float64 // 95 % error with each answer; NaN where there is none
	forms *lectures.CorollaryTable
	err   error
	curve chart.Chart // ε against the unknown
	drawn solveWant   // what the curve is about
	whole bool        // every theorem has answered; the curve may be under way
	// Where no theorem has an answer: what would make the plan fit.
	changes []guide.Change
}

// stuck reports that no value of the unknown meets the budget.
func (s *solving) stuck() bool { return s.whole && plan.Best(s.all) < 0 }

type solveWant struct {
	scenario *scenarios.Scenario
	question question
}

// refreshSolve solves anew when the scenario or the question changed; answers
// appear one by one, the old ones stay until the first has come.
func (p *Screen) refreshSolve() tea.Cmd {
	q, ok := p.asked()
	s := p.Doc.Scenario()
	want := solveWant{s, q}
	if !ok || s.Budget.Epsilon <= 0 || want == p.solve.want {
		return nil
	}
	p.solve.want, p.solve.err, p.solve.whole, p.solve.changes = want, nil, false, nil
	account := p.Accountant
	return p.Jobs.Start(&p.solve.job, jobs.PauseLeft, func(ctx context.Context, tell func(func())) {
		var all []plan.Result
		var forms *lectures.CorollaryTable
		var wrong []float64
		var curve chart.Chart
		var changes []guide.Change
		send := func(err error, last bool) {
			sent := append([]plan.Result(nil), all...)
			errs := append([]float64(nil), wrong...)
			table, chart, ways := forms, curve, changes
			tell(func() {
				p.solve.all, p.solve.error, p.solve.forms, p.solve.err, p.solve.whole = sent, errs, table, err, last
				p.solve.changes = ways
				if len(chart.Series) > 0 {
					p.solve.curve, p.solve.drawn = chart, want
					p.plot.SetChart(chart)
				}
				if p.view > 0 { // the rows of another view stay where they are
					return
				}
				if best := plan.Best(sent); best >= 0 {
					p.row = best
				}
				p.row = max(0, min(p.row, len(sent)-1))
			})
		}
		if t, err := lectures.Corollaries(ctx, plan.New(), s); err == nil && t.Field == q.solve {
			forms = t
		}
		err := plan.Each(ctx, account, s, plan.Request{Solve: q.solve, Entry: q.entry, Digits: report.PlanDigits}, func(r plan.Result) bool {
			all = append(all, r)
			wrong = append(wrong, report.PlanError(s, r))
			if len(all) == len(plan.Methods(s))-1 { // the closed ones come together, so that rows do not jump
				send(nil, false)
			}
			return ctx.Err() == nil
		})
		if ctx.Err() != nil {
			return
		}
		send(err, true)
		best := plan.Best(all)
		if best < 0 && err == nil {
			if changes, err = guide.Changes(ctx, account, s, ""); err == nil {
				send(nil, true)
			}
			return
		}
		if err == nil {
			if curve = newCurve(ctx, account, s, q, all[best]); len(curve.Series) > 0 {
				send(nil, true)
			}
		}
	})
}

// unknown is what can be solved for, in words.
type unknown struct {
	words  string // what is asked
	symbol string // on an axis
	answer string // before the answer; "" where a word follows it
	none   string // no value of it
	whole  bool   // only whole numbers answer
}

var unknowns = map[string]unknown{
	"count":     {"how many copies", "K", "", "not even one copy", true},
	"epsilon":   {"ε", "ε₀", "ε = ", "no ε", false},
	"sigma":     {"σ", "σ", "σ = ", "no σ", false},
	"steps":     {"steps", "steps", "", "not even one step", true},
	"n":         {"records n", "n", "n = ", "no number of records", true},
	"max_batch": {"the smallest harmless max_batch", "max_batch", "max_batch = ", "no max_batch", true},
	"scale":     {"one factor on all the noise", "noise factor", "noise × ", "no factor on the noise", false},
	"rounds":    {"rounds of the whole stack", "rounds", "", "not even one round", true},
	"delta":     {"the smallest δ", "δ", "δ = ", "no δ", false},
}

// unknown is what is solved for in this scenario: the noise of a training is z, not σ.
func (q question) unknown(s *scenarios.Scenario) unknown {
	u := unknowns[q.solve]
	if symbol := report.Unknown(s, q.solve, q.entry); q.solve == "sigma" {
		u = unknown{symbol, symbol, symbol + " = ", "no " + symbol, false}
	}
	return u
}

// of says whose unknown is meant.
func (q question) of(s *scenarios.Scenario, words string) string {
	if q.entry < 1 || q.entry > len(s.Stack) {
		return words
	}
	return words + " of “" + report.EntryName(s.Stack[q.entry-1]) + "”"
}

// name says what is asked.
func (q question) name(s *scenarios.Scenario) string { return q.of(s, q.unknown(s).words) }

func (p *Screen) viewSolve(out *kit.Writer, inner, h int) {
	pen, s := out.Pen, p.Doc.Scenario()
	q, _ := p.asked()
	out.Add(pen.Line(out.W).Put(pen.Muted, "Solve for ").Put(pen.Key, "‹ ").Put(pen.Strong, q.name(s)).Put(pen.Key, " ›").Put(pen.Muted, nowText(s, q)))
	p.gap(out)
	if p.solve.err != nil {
		out.Prose(pen.Warn, p.solve.err.Error())
		return
	}
	if len(p.solve.all) == 0 || p.solve.all[0].Solve != q.solve {
		out.Prose(pen.Muted, "Solving …")
		return
	}
	best := plan.Best(p.solve.all)
	switch {
	case best >= 0:
		p.answer(out, q, p.solve.all[best])
		p.gap(out)
	case p.solve.whole:
		p.wayOut(out, q, s)
		p.gap(out)
	}
	fraction, lost := 13, 15
	if out.W < 76 {
		fraction, lost = 0, 0
	}
	out.Add(pen.Line(out.W).Skip(4).Left(pen.Muted, "theorem", 14).Right(pen.Muted, "answer", 12).Skip(fraction).
		Right(pen.Muted, "ε", 8).Right(pen.Muted, "±95 %", 10).Right(pen.Muted, kit.Widest(lost, "accuracy lost", ""), lost))
	room := max(1, min(len(p.solve.all), h-len(out.Lines)))
	first := kit.Window(0, p.row, len(p.solve.all), room)
	for i := first; i < first+room; i++ {
		r := p.solve.all[i]
		star := "  "
		if i == best {
			star = pen.Glyphs.Star + " "
		}
		l, _ := pen.Row(out.W, i == p.row && !p.solve.stuck())
		l.Put(pen.Winner, star).Left(pen.Text, kit.MethodName(accounting.Bound{Method: r.Method}), 14)
		if !r.Feasible {
			l.Put(pen.Muted, "– ")
			out.Add(l.Put(pen.Muted, kit.Clause(pen.Spell(report.WhyNot(r)), l.Room())))
			continue
		}
		l.Right(pen.Strong, report.Answered(r), 12)
		if fraction > 0 {
			l.Skip(3).Left(pen.Muted, smallFraction(r), fraction-3)
		}
		l.Right(pen.Text, report.Upper(r.Achieved.Epsilon), 8)
		wrong := "–"
		if i < len(p.solve.error) && !math.IsNaN(p.solve.error[i]) {
			wrong = "±" + report.Upper(p.solve.error[i])
		}
		l.Right(pen.Text, wrong, 10)
		if w := r.Waste(p.solve.all[best]); w > 5e-4 {
			l.Right(pen.Muted, kit.Widest(lost, report.Percent(w), ""), lost)
		}
		out.Add(l)
	}
	p.forms(out)
	p.curve(out, inner, h-len(out.Lines))
}

// answer is the best of the answers in a sentence.
func (p *Screen) answer(out *kit.Writer, q question, r plan.Result) {
	pen := out.Pen
	l := pen.Line(out.W)
	before := q.unknown(p.Doc.Scenario()).answer
	number, does := before+report.Answered(r), " meets the budget"
	switch {
	case before != "":
	case q.solve == "count" && r.Value == 1:
		number += " copy"
	case q.solve == "count":
		number += " copies"
	case r.Value == 1: // rounds and steps
		number += " " + strings.TrimSuffix(q.solve, "s")
	default:
		number += " " + q.solve
	}
	if q.solve == "max_batch" { // its target is not the budget
		does = " adds less than 0.1 % to ε"
	}
	l.Put(pen.Winner, pen.Glyphs.Star+" "+number).Put(pen.Muted, does)
	l.Put(pen.Text, kit.Widest(l.Room(), ", by "+report.By(r.Method), ", "+r.Method.Name(), ""))
	if offer := " puts the selected row into the stack"; l.Room() >= len("; enter")+len(offer) {
		l.Put(pen.Muted, "; ").Put(pen.Key, "enter").Put(pen.Muted, offer)
	}
	out.Add(l)
}

// wayOut names the changes that would make the plan fit, where no value of the unknown does.
func (p *Screen) wayOut(out *kit.Writer, q question, s *scenarios.Scenario) {
	pen := out.Pen
	out.Add(pen.Line(out.W).Put(pen.Over, pen.Glyphs.Cross+" "+q.of(s, q.unknown(s).none)+" meets the budget"))
	switch list := p.solve.changes; {
	case p.solve.job.Busy && list == nil:
		out.Prose(pen.Muted, "Looking for changes that would make it fit …")
	case len(list) > 0:
		out.Add(pen.Line(out.W).Put(pen.Text, "Any one of these would make the plan fit; ").Put(pen.Key, "enter").Put(pen.Text, " makes the selected one:"))
		for i, c := range list {
			l, ink := pen.Row(out.W, i == p.row)
			out.Add(l.Put(ink, c.Says))
		}
	}
}

// forms are the lectures' closed forms, each with what it really costs.
func (p *Screen) forms(out *kit.Writer) {
	t := p.solve.forms
	if t == nil {
		return
	}
	pen := out.Pen
	p.gap(out)
	out.Add(pen.Line(out.W).Left(pen.Title, "Closed forms of the lectures", 41).Put(pen.Muted, "they cost, by their own theorem"))
	for _, c := range t.Rows {
		formula, _, _ := strings.Cut(c.Formula, ",")
		mark, ink := pen.Glyphs.Tick, pen.Good
		if c.Cost > t.Target.Epsilon*(1+1e-9) {
			mark, ink = pen.Glyphs.OverMark, pen.Over
		}
		l := pen.Line(out.W).Skip(2).Put(ink, mark+" ").Left(pen.Text, formula, 26).Left(pen.Strong, report.Fraction(c.Value), 11).
			Left(ink, report.Upper(c.Cost), 8)
		switch {
		case c.Waste > 5e-4:
			l.Put(pen.Muted, report.Percent(c.Waste)+" of "+report.AtMost(c.Allowed)+" lost")
		case c.Waste < -5e-4:
			l.Put(pen.Over, "over; "+report.AtMost(c.Allowed)+" is allowed")
		}
		if c.Cost > t.Target.Epsilon*(1+1e-9) && c.Least <= t.Target.Epsilon {
			l.Put(pen.Muted, fmt.Sprintf("; safe by %s: %s", c.By, report.Upper(c.Least)))
		}
		out.Add(l)
	}
}

// nowText is what the unknown is at present.
func nowText(s *scenarios.Scenario, q question) string {
	switch q.solve {
	case "rounds":
		return ", now " + report.Short(s.Rounds)
	case "delta":
		return ", now " + report.Short(s.Budget.Delta)
	case "scale":
		return ", now 1"
	}
	if q.entry < 1 || q.entry > len(s.Stack) {
		return ""
	}
	e := s.Stack[q.entry-1]
	if q.solve == "count" {
		return ", now " + report.Short(e.Count)
	}
	for _, name := range []string{q.solve, "noise_multiplier"} {
		if v, ok := e.Values[name]; ok && (name == q.solve || q.solve == "sigma") {
			return ", now " + report.Short(v.Number)
		}
	}
	return ""
}

// smallFraction is a small ε as people quote it, not above it.
func smallFraction(r plan.Result) string {
	if r.Solve == "epsilon" && r.Value < 0.05 {
		return "or " + report.AtMost(r.Value)
	}
	return ""
}

// applySolve puts the selected answer into the stack.
func (p *Screen) applySolve() error {
	q, ok := p.asked()
	if !ok || p.row >= len(p.solve.all) || !p.solve.whole || p.solve.want.scenario != p.Doc.Scenario() || p.solve.all[p.row].Solve != q.solve {
		return errors.New("still computing; try again in a moment")
	}
	if list := p.solve.changes; p.solve.stuck() && p.row < len(list) {
		c := p.Doc.Scenario().Clone()
		if err := list[p.row].Apply(c); err != nil {
			return err
		}
		p.Doc.Replace(c, "what makes the plan fit", false)
		p.Say(list[p.row].Says + "; u takes it back")
		return nil
	}
	r := p.solve.all[p.row]
	if !r.Feasible {
		return errors.New("this theorem has no answer to apply")
	}
	c := p.Doc.Scenario().Clone()
	if err := r.Apply(c); err != nil {
		return err
	}
	p.Doc.Replace(c, "planned "+q.solve, false)
	p.Say(fmt.Sprintf("%s = %s, by %s; u takes it back", q.solve, report.Answered(r), report.By(r.Method)))
	return nil
}
