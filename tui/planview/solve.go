package planview

import (
	"context"
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/report"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/teach/guide"
	"epsiloscope/teach/lectures"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/jobs"
)

// solution is an unknown under every theorem.
type solution struct {
	all    []plan.Result
	errors []float64 // 95 % error with each answer; NaN where there is none
	forms  *lectures.CorollaryTable
	whole  bool // every theorem has answered; the curve may be under way
	// Where no theorem has an answer: what would make the plan fit.
	changes []guide.Change
	curve   chart.Chart // ε against an unknown; an older one until it is known whether there is a new one
	drawn   solveWant   // what that curve is of
}

type solveWant struct {
	scenario *scenarios.Scenario
	question question
}

// isAnswered reports that every theorem has answered the question on the screen, for the scenario on the screen:
// before, no answer is the best.
func (p *Screen) isAnswered() bool {
	q, ok := p.currentQuestion()
	return ok && p.solve.Known && p.solve.Answer.whole && p.solve.Of == (solveWant{p.Doc.Scenario(), q})
}

// stuck reports that no value of the unknown meets the budget.
func (p *Screen) stuck() bool {
	return p.solve.Fresh() && p.solve.Err == nil && p.solve.Answer.whole && plan.Best(p.solve.Answer.all) < 0
}

// refreshSolve solves anew when the scenario or the question changed; answers
// appear one by one, the old ones stay until the first has come.
func (p *Screen) refreshSolve() tea.Cmd {
	q, ok := p.currentQuestion()
	s, old, account := p.Doc.Scenario(), p.solve.Answer, p.Accountant
	if !ok || !s.Budget.IsSet() {
		return nil
	}
	return p.solve.Ask(p.Jobs, jobs.PauseLeft, solveWant{s, q}, func(ctx context.Context, tell func(solution, error)) {
		now := solution{curve: old.curve, drawn: old.drawn}
		if t, err := lectures.Corollaries(ctx, plan.New(), s); err == nil && t.Field == q.solve {
			now.forms = t
		}
		req := plan.Request{Solve: q.solve, Entry: q.entry, Digits: report.PlanDigits}
		err := plan.SolveEach(ctx, account, s, req, func(r plan.Result) bool {
			now.all, now.errors = append(now.all, r), append(now.errors, report.PlanError(s, r))
			if len(now.all) == len(plan.Methods(s))-1 { // the closed ones come together, so that rows do not jump
				tell(now, nil)
			}
			return ctx.Err() == nil
		})
		if ctx.Err() != nil {
			return
		}
		now.whole = true
		if err != nil {
			now.curve = chart.Chart{}
		}
		if tell(now, err); err != nil {
			return
		}
		now.curve, now.drawn = chart.Chart{}, solveWant{s, q}
		if best := plan.Best(now.all); best >= 0 {
			now.curve = newCurve(ctx, account, s, q, now.all[best])
		} else {
			changes, err := guide.Changes(ctx, account, s, "")
			if err == nil {
				now.changes = changes
			}
		}
		tell(now, nil)
	})
}

// showSolution selects the best answer, once: a row that was selected while the curve was computed stays.
func (p *Screen) showSolution(a solution) {
	if p.view != solveView { // the rows of another view stay where they are
		return
	}
	if best := plan.Best(a.all); best >= 0 && a.whole && p.selected != p.solve.Of {
		p.row, p.selected = best, p.solve.Of
	}
	p.row = max(0, min(p.row, len(a.all)-1))
}

// applySolve puts the selected answer into the stack.
func (p *Screen) applySolve() error {
	q, _ := p.currentQuestion()
	now, c := p.solve.Answer, p.Doc.Scenario().Clone()
	if !p.isAnswered() || p.row >= len(now.all) {
		return errStillComputing
	}
	if list := now.changes; p.stuck() && p.row < len(list) {
		if err := list[p.row].Apply(c); err != nil {
			return err
		}
		p.Doc.Replace(c, "what makes the scenario fit", false)
		p.Say(list[p.row].Says + "; u takes it back")
		return nil
	}
	r := now.all[p.row]
	if !r.Feasible {
		return errors.New("this theorem has no answer to apply")
	}
	if err := r.Apply(c); err != nil {
		return err
	}
	p.Doc.Replace(c, "planned "+q.solve, false)
	p.Say(fmt.Sprintf("%s = %s, by %s; u takes it back", q.solve, report.PlanValue(r), report.TheoremPhrase(r.Method)))
	return nil
}

// question is an unknown of the scenario.
type question struct {
	solve string
	entry int // from 1; 0 for the whole scenario
}

// unknownOfKnob names the unknowns that have other names than the knobs which turn them.
var unknownOfKnob = map[string]string{"noise_multiplier": "sigma", document.KnobDelta: "delta"}

// questions returns what can be solved for: the selected entry's own, then those of the
// whole scenario.
func (p *Screen) questions() []question {
	var list []question
	if row, ok := p.Doc.SelectedRow(); ok {
		entry := row.Top() + 1
		for _, name := range plan.SolvableFor(p.Doc.Scenario().Stack[row.Top()]) {
			list = append(list, question{name, entry})
		}
		list = append(list, question{"scale", 0}, question{"rounds", 0})
		if p.Doc.Scenario().Budget.Harm.Kind() == "" { // a harm is limited whatever δ is
			list = append(list, question{"delta", 0})
		}
	}
	return list
}

// currentQuestion returns the question on the screen: the unknown and the entry it belongs to.
func (p *Screen) currentQuestion() (question, bool) {
	list := p.questions()
	if len(list) == 0 {
		return question{}, false
	}
	return list[min(p.question, len(list)-1)], true
}

// unknown describes in words what can be solved for.
type unknown struct {
	words  string // what is asked
	symbol string // on an axis
	answer string // the best answer, which stands for %
	none   string // no value of it
	whole  bool   // only whole numbers answer
}

var unknowns = map[string]unknown{
	"count":     {"how many copies", "K", "% copies", "not even one copy", true},
	"epsilon":   {"ε", "ε₀", "ε = %", "no ε", false},
	"sigma":     {"σ", "σ", "σ = %", "no σ", false},
	"steps":     {"steps", "steps", "% steps", "not even one step", true},
	"n":         {"records n", "n", "n = %", "no number of records", true},
	"max_batch": {"the smallest harmless max_batch", "max_batch", "max_batch = %", "no max_batch", true},
	"scale":     {"one factor on all the noise", "noise factor", "noise × %", "no factor on the noise", false},
	"rounds":    {"rounds of the whole stack", "rounds", "% rounds", "not even one round", true},
	"delta":     {"the smallest δ", "δ", "δ = %", "no δ", false},
}

// unknown returns what is solved for in this scenario: the noise of a training is z, not σ.
func (q question) unknown(s *scenarios.Scenario) unknown {
	u := unknowns[q.solve]
	if symbol := report.UnknownSymbol(s, q.solve, q.entry); q.solve == "sigma" {
		u = unknown{symbol, symbol, symbol + " = %", "no " + symbol, false}
	}
	return u
}

// withEntry adds the name of the entry whose unknown is meant. Where there is too little room the name is cut, so that
// what follows it stays.
func (q question) withEntry(p *draw.Pen, s *scenarios.Scenario, words string, room int) string {
	if q.entry < 1 || q.entry > len(s.Stack) {
		return words
	}
	const shortest = 6
	before, after := p.Spell(words+" of “"), p.Spell("”")
	name := p.Spell(draw.Clean(report.EntryName(s.Stack[q.entry-1])))
	return before + p.Cut(name, max(shortest, room-draw.Width(before)-draw.Width(after))) + after
}

// name returns the name of the unknown in a line with so much room.
func (q question) name(p *draw.Pen, s *scenarios.Scenario, room int) string {
	return q.withEntry(p, s, q.unknown(s).words, room)
}

// nowText returns what the unknown is at present.
func nowText(s *scenarios.Scenario, q question) string {
	if now, stated := plan.CurrentValue(s, q.solve, q.entry); stated {
		return ", now " + report.Short(now)
	}
	return ""
}
