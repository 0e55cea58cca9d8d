package tui

import (
	"context"
	"math"
	"slices"
	"strconv"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/jobs"
)

// refresh starts what the state of the screen needs and nobody computes yet. It is
// called after every message, so that no action has to remember to ask.
func (a *App) refresh() tea.Cmd {
	var cmds []tea.Cmd
	s := a.Doc.Scenario()
	if s != a.evaluated {
		a.arrange() // the stack may have grown
		a.evaluated = s
		cmds = append(cmds, a.evaluate(s))
	}
	cmds = append(cmds, a.backup())
	cmds = append(cmds, a.home.Refresh())
	if p, ok := a.screens[a.screen].pane.(refresher); ok {
		cmds = append(cmds, p.Refresh())
	}
	return tea.Batch(cmds...)
}

// refresher is the pane of a screen that has something computed of its own; it is
// asked after every message, as long as it is shown.
type refresher interface{ Refresh() tea.Cmd }

// evaluate asks for the closed forms at once and for the numerical bound after a
// pause, first coarse, then narrower.
func (a *App) evaluate(s *scenarios.Scenario) tea.Cmd {
	a.Pending = true
	version := a.Doc.Version()
	account := a.Accountant
	closed := a.Jobs.Start(&a.evalJob, 0, func(ctx context.Context, tell func(func())) {
		r, err := account.Evaluate(ctx, s, scenarios.Options{Closed: true})
		if err != nil {
			tell(func() { a.refuse(version, err) })
			return
		}
		tell(func() { a.takeResult(evaluation{version: version, result: r, closed: true}) })
	})
	now := a.now
	refine := a.Jobs.Start(&a.refineJob, jobs.PauseRefine, func(ctx context.Context, tell func(func())) {
		start := now()
		var last *scenarios.Result
		err := account.Refine(ctx, s, scenarios.Options{}, func(r *scenarios.Result) bool {
			if coarse := last; coarse != nil {
				tell(func() { a.takeResult(evaluation{version: version, result: coarse}) })
			}
			last = r
			return ctx.Err() == nil
		})
		switch needed := took(now().Sub(start)); {
		case err != nil:
			tell(func() { a.refuse(version, err) })
		case last != nil:
			tell(func() { a.takeResult(evaluation{version: version, result: last, last: true, took: needed}) })
		}
	})
	return tea.Batch(closed, refine)
}

func took(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return "under 1 ms"
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
}

// evaluation is an evaluated scenario, with or without its numerical column.
type evaluation struct {
	version int // of the document
	result  *scenarios.Result
	closed  bool // the numerical column is still to come
	last    bool // no narrower one will follow
	took    string
}

// refuse takes the reason why a scenario cannot be evaluated.
func (a *App) refuse(version int, err error) {
	if version == a.Doc.Version() {
		a.Refusal, a.Pending = err, false
		a.Arrived++
	}
}

func (a *App) takeResult(msg evaluation) {
	if msg.version != a.Doc.Version() {
		return
	}
	if msg.closed && !a.Pending { // the full answer overtook it
		return
	}
	if msg.last {
		a.offerDivide(msg.result)
	}
	a.Result, a.Refusal = msg.result, nil
	a.Arrived++
	if _, ok := msg.result.Bound(accounting.Numerical); msg.closed && !ok {
		a.Result = a.withNumerical(msg.result)
	}
	if !msg.closed {
		if b, ok := msg.result.Bound(accounting.Numerical); ok && (b.Finite() || msg.last) {
			a.Full = msg.result
		}
	}
	if msg.last {
		a.Pending, a.took, a.Full = false, msg.took, msg.result
	}
}

// offerDivide names the way out where an entry was added to a budget that was met.
func (a *App) offerDivide(now *scenarios.Result) {
	within := func(r *scenarios.Result) bool { return r.Best >= 0 && report.Fits(r.Bounds[r.Best], r.Target.Epsilon) }
	before := a.settled
	a.settled = now
	if before == nil || now.Target.Epsilon <= 0 || len(before.Entries) == 0 || len(now.Entries) <= len(before.Entries) || !within(before) || within(now) {
		return
	}
	a.Say("over the budget now: p, then tab, divides it among the entries")
}

// withNumerical keeps a row for the numerical bound while it is computed, so that
// nothing on the screen jumps: the figure it had, or none yet.
func (a *App) withNumerical(r *scenarios.Result) *scenarios.Result {
	old, ok := a.Full.Bound(accounting.Numerical)
	if !ok {
		old = accounting.Bound{Method: accounting.Numerical, Status: accounting.NotApplicable, Epsilon: math.Inf(1), Note: "computing"}
	}
	kept := *r
	kept.Bounds = append(slices.Clone(r.Bounds), old)
	return &kept
}
