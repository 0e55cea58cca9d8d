package tui

import (
	"context"
	"math"
	"slices"
	"strconv"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/review"
	"epsiloscope/teach/guide"
	"epsiloscope/tui/jobs"
)

// A change on the screen comes in; the evaluation it needs is started, and results go out to the panes when they
// arrive.

// refresh starts the computations that the state of the screen needs and that are not running yet. It is
// called after every message, so that no action has to start them.
func (a *App) refresh() tea.Cmd {
	var cmds []tea.Cmd
	s := a.Doc.Scenario()
	if s != a.evaluated {
		a.Arrange() // the stack may have grown
		a.evaluated = s
		a.changesJob.Stop()
		cmds = append(cmds, a.evaluate(s))
	}
	cmds = append(cmds, a.suggestChanges())
	cmds = append(cmds, a.backup(), a.backupAside())
	cmds = append(cmds, a.home.Refresh(), a.showFaults())
	if p, ok := a.screens[a.screen].pane.(refresher); ok {
		cmds = append(cmds, p.Refresh())
	}
	return tea.Batch(cmds...)
}

// showFaults puts the review up for a file that was opened by its path and in which something is wrong, once that is
// known.
func (a *App) showFaults() tea.Cmd {
	opened := a.Doc.Path != "" && a.unreviewed == a.Doc
	found, known := a.home.Review()
	if !opened || !known {
		return nil
	}
	a.unreviewed = nil
	if found.Count(review.Wrong) == 0 || a.screen != 0 || len(a.Dialogs) > 0 || a.Doc.Dirty() || a.tour != nil {
		return nil
	}
	return a.Show("review")
}

// refresher is a pane with its own computations. It is refreshed after every message while it is shown.
type refresher interface{ Refresh() tea.Cmd }

// evaluate asks for the closed forms at once and for the numerical bound after a
// pause, first coarse, then narrower. Late answers to an earlier scenario are dropped by the job.
func (a *App) evaluate(s *scenarios.Scenario) tea.Cmd {
	a.Pending = true
	now := a.opt.clock
	return a.Jobs.Start(&a.evalJob, 0, func(ctx context.Context, tell func(func())) {
		start := now()
		var last *scenarios.Result
		err := a.Accountant.Refine(ctx, s, scenarios.Options{}, func(r *scenarios.Result) bool {
			before := last
			if last = r; before == nil { // the closed forms
				tell(func() { a.showResult(a.withNumerical(r), nil) })
				paused := now()
				defer func() { start = start.Add(now().Sub(paused)) }()
				return a.Jobs.Wait(ctx, jobs.PauseRefine)
			}
			if b, _ := before.Bound(accounting.Numerical); b.Finite() {
				tell(func() { a.showResult(before, nil); a.Full = before })
			}
			return ctx.Err() == nil
		})
		if needed := formatDuration(now().Sub(start)); err != nil || last != nil {
			tell(func() {
				if a.showResult(last, err); err == nil {
					a.offerDivide(last)
					a.Pending, a.evaluationTime, a.Full = false, needed, last
				}
			})
		}
	})
}

// showResult shows an evaluation of the scenario, or why there is none.
func (a *App) showResult(r *scenarios.Result, err error) {
	a.Arrived++
	if a.Result, a.Refusal = r, err; err != nil { // what was computed is of another scenario
		a.Result, a.Full, a.Pending = nil, nil, false
	}
}

func formatDuration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return "under 1 ms"
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
}

// offerDivide suggests dividing the budget if an added entry exceeds it.
func (a *App) offerDivide(now *scenarios.Result) {
	within := func(r *scenarios.Result) bool { return report.Fits(r.BestBound(), r.Target.Epsilon) }
	before := a.lastComplete
	a.lastComplete = now
	if before == nil || now.Target.Epsilon <= 0 {
		return
	}
	added := len(before.Entries) > 0 && len(now.Entries) > len(before.Entries)
	if !added || !within(before) || within(now) {
		return
	}
	b := now.BestBound()
	a.overBudget = "over the budget now: p, then tab, divides it among the entries"
	if b.Finite() {
		budget := now.Target.Epsilon
		a.overBudget = "over the budget of " + report.FormatGiven(budget) + " by " + report.Upper(b.Epsilon-budget) +
			": p, then tab, divides it among the entries"
	}
	a.Say(a.overBudget)
}

// suggestChanges adds to the message about an exceeded budget the single changes that would meet it, once they are
// computed and if nothing has changed meanwhile.
func (a *App) suggestChanges() tea.Cmd {
	said := a.overBudget
	if a.overBudget = ""; said == "" || a.Status.Text != said {
		return nil
	}
	s, version, account := a.Doc.Scenario(), a.Doc.Version(), a.Accountant
	return a.Jobs.Start(&a.changesJob, 0, func(ctx context.Context, tell func(func())) {
		list, err := guide.Changes(ctx, account, s, "")
		if ways := guide.ChangesText(list[:min(3, len(list))]); err == nil && ways != "" {
			tell(func() {
				if a.Doc.Version() == version && a.Status.Text == said {
					a.Say(said + "; " + ways)
				}
			})
		}
	})
}

// withNumerical keeps a row for the numerical bound while it is being computed, with its last value or none,
// so that the rows do not move.
func (a *App) withNumerical(r *scenarios.Result) *scenarios.Result {
	if _, has := r.Bound(accounting.Numerical); r == nil || has {
		return r
	}
	old, ok := a.Full.Bound(accounting.Numerical)
	if !ok {
		old = accounting.Bound{
			Method: accounting.Numerical, Status: accounting.NotApplicable, Epsilon: math.Inf(1), Note: "computing",
		}
	}
	kept := *r
	kept.Bounds = append(slices.Clone(r.Bounds), old)
	return &kept
}
