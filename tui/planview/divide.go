package planview

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
)

// division is the budget that locked entries leave, divided anew.
type division struct {
	result    plan.RebalanceResult
	was, will []portion // of every entry, before and after
}

// portion is the part of an entry in a division.
type portion struct {
	error float64 // its 95 % error; NaN where there is none
	share float64 // of the cost of the whole
}

type divideWant struct {
	scenario *scenarios.Scenario
	method   accounting.Method
	rest     string // locks and wishes
}

func (p *Screen) refreshDivide() tea.Cmd {
	s := p.Doc.Scenario()
	if !s.Budget.IsSet() || len(s.Stack) == 0 {
		return nil
	}
	if p.Pending && methods[p.method] == "" { // which is best is not known yet
		return nil
	}
	req := plan.RebalanceRequest{
		Method: p.asks(), Locked: slices.Sorted(maps.Keys(p.locked)), Errors: maps.Clone(p.wishes),
		Digits: report.PlanDigits,
	}
	want := divideWant{s, req.Method, fmt.Sprint(req.Locked, req.Errors)}
	return p.divide.Ask(p.Jobs, jobs.PauseLeft, want, func(ctx context.Context, tell func(division, error)) {
		r, err := plan.New().Rebalance(ctx, s, req)
		was := portions(ctx, s)
		will := was
		if err == nil && r.Feasible {
			will = portions(ctx, r.Scenario)
		}
		tell(division{r, was, will}, err)
	})
}

// best returns the theorem that gives the answer of the screen; Rényi where nothing has been computed yet.
func (p *Screen) best() accounting.Method {
	if r := p.Full; r != nil && r.Best >= 0 {
		return r.BestBound().Method
	}
	return accounting.RDP
}

// asks returns the theorem to go by: the one chosen, or the best.
func (p *Screen) asks() accounting.Method {
	if m := methods[p.method]; m != "" {
		return m
	}
	return p.best()
}

// portions returns what the entries of a stack have.
func portions(ctx context.Context, s *scenarios.Scenario) []portion {
	list := make([]portion, len(s.Stack))
	for i := range s.Stack {
		list[i].error = math.NaN()
		if a, err := s.WithSensitivity(&s.Stack[i]).Accuracy(s.Rounds); err == nil {
			list[i].error = a.Each
		}
	}
	if r, err := scenarios.Evaluate(ctx, s, scenarios.Options{ClosedFormsOnly: true}); err == nil {
		for i, e := range r.Entries {
			list[i].share = e.Share
		}
	}
	return list
}

// scroll keeps the selected entry in sight.
func (p *Screen) scroll(n, room int) {
	p.row = max(0, min(p.row, n-1))
	p.top = kit.Window(p.top, p.row, n, max(1, room))
	if last := p.top + max(1, room); n > last-p.top {
		p.place = fmt.Sprintf(", entries %d–%d of %d", p.top+1, last, n)
	}
}

func (p *Screen) applyDivide() error {
	d := p.divide.Answer
	if !p.divide.Fresh() || p.divide.Busy || p.divide.Of.scenario != p.Doc.Scenario() {
		return errStillComputing
	}
	if p.divide.Err != nil {
		return p.divide.Err
	}
	if !d.result.Feasible {
		return errors.New(report.Plain(d.result.Note) + "; there is nothing to apply")
	}
	c := p.Doc.Scenario().Clone()
	for i := range c.Stack {
		c.Stack[i].Values, c.Stack[i].Parallel = d.result.Scenario.Stack[i].Values, d.result.Scenario.Stack[i].Parallel
	}
	p.Doc.Replace(c, "divided budget", false)
	p.Say("the budget is divided anew; u takes it back")
	return nil
}

// openError asks for the error an answer may have at 95 %. On the solving view it
// sets the entry's noise, and the other unknowns can be solved from there; on the
// dividing view it is a wish that decides the proportions.
func (p *Screen) openError() tea.Cmd {
	s := p.Doc.Scenario()
	entry := p.row + 1
	if p.view == solveView {
		q, _ := p.currentQuestion()
		entry = q.entry
	}
	if row, ok := p.Doc.SelectedRow(); entry == 0 && ok {
		entry = row.Top() + 1
	}
	if p.view == entriesView || entry < 1 || entry > len(s.Stack) {
		return nil
	}
	limits := param.Param{Name: "error", OpenMin: p.view == solveView, Max: 1e300}
	help := "in units of the answer; the noise becomes the largest that stays within it"
	if p.view == divideView {
		help = "in units of the answer; 0 clears it"
	}
	title := "Error at 95 % for “" + report.EntryName(s.Stack[entry-1]) + "”"
	return dialogs.AskValue(p.Shell, title, help, limits, func(v param.Value) tea.Cmd {
		x := v.Number
		if p.view == solveView {
			return p.aimAt(s, entry, x)
		}
		if p.wishes[entry] = x; x == 0 {
			delete(p.wishes, entry)
		} else {
			delete(p.locked, entry)
		}
		return nil
	})
}

// openShare asks for a number of the selected entry that decides its part of the budget: its weight, or the
// typical size of its answer. It is saved with the scenario.
func (p *Screen) openShare(field, title, help string, at func(*scenarios.Entry) *float64) func() tea.Cmd {
	return func() tea.Cmd {
		s, i := p.Doc.Scenario(), p.row
		if p.view != divideView || i >= len(s.Stack) {
			return nil
		}
		if s.Stack[i].Parallel != nil {
			return p.Say("a block keeps its proportions: its branches have no " + field + " here")
		}
		limits := scenarios.EntryField(field)
		limits.OpenMin = false // 0 takes it away
		title += " “" + report.EntryName(s.Stack[i]) + "”"
		return dialogs.AskValue(p.Shell, title, help, limits, func(v param.Value) tea.Cmd {
			if p.Doc.Scenario() != s {
				return p.Complain(dialogs.ErrMeanwhile)
			}
			p.Doc.Change(field, func(c *scenarios.Scenario) { *at(&c.Stack[i]) = v.Number })
			p.wishes = map[int]float64{} // which would decide instead
			return nil
		})
	}
}

// aimAt searches the noise by command, as an error may take long to compute.
func (p *Screen) aimAt(s *scenarios.Scenario, entry int, most float64) tea.Cmd {
	return p.Jobs.Do(func() (func() tea.Cmd, error) {
		with, err := plan.WithError(context.Background(), s, entry, most)
		return kit.NoCmd(func() {
			if p.Doc.Scenario() != s {
				p.Complain(errors.New("the scenario changed meanwhile; nothing was set"))
				return
			}
			p.Doc.Replace(with, "error", false)
			p.Say(fmt.Sprintf("%s, for an error of at most %s; u takes it back", noiseText(with.Stack[entry-1]), report.FormatGiven(most)))
		}), err
	})
}
