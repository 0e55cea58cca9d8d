package tui

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/layout"
)

// The pauses before work that is not instant, so that a held key does not start it
// again and again. Closed forms do not wait.
const (
	pauseRefine = 40 * time.Millisecond
	pauseChart  = 60 * time.Millisecond
	pauseLeft   = 120 * time.Millisecond
)

// chartWant names one chart of one state of the document.
type chartWant struct {
	version, kind, row int
}

// chartData is the newest chart that arrived.
type chartData struct {
	want   chartWant
	chart  report.Chart
	err    error
	serial int
}

// refresh starts what the state of the screen needs and nobody computes yet. It is
// called after every message, so that no action has to remember to ask.
func (a *App) refresh() tea.Cmd {
	var cmds []tea.Cmd
	s := a.doc.Scenario()
	if s != a.evaluated {
		a.arrange() // the stack may have grown
		a.evaluated = s
		cmds = append(cmds, a.evaluate(s))
	}
	cmds = append(cmds, a.backup())
	if want := (leftWant{a.doc.Version(), a.entryIndex()}); want != a.counted {
		a.counted = want
		cmds = append(cmds, a.countLeft(s, want))
	}
	if want, ok := a.chartWanted(); ok && want != a.charted {
		a.charted = want
		cmds = append(cmds, a.draw(s, want))
	}
	cmds = append(cmds, a.inspect())
	if p, ok := a.screens[a.screen].pane.(refresher); ok {
		cmds = append(cmds, p.Refresh())
	}
	return tea.Batch(cmds...)
}

// refresher is the pane of a screen that has something computed of its own; it is
// asked after every message, as long as it is shown.
type refresher interface{ Refresh() tea.Cmd }

// pause shortens to nothing in tests.
func (a *App) pause(d time.Duration) time.Duration {
	if a.opt.eager {
		return 0
	}
	return d
}

// evaluate asks for the closed forms at once and for the numerical bound after a
// pause, first coarse, then narrower.
func (a *App) evaluate(s *scenarios.Scenario) tea.Cmd {
	a.pending = true
	version := a.doc.Version()
	account := a.account
	closed := a.pool.start(&a.evalJob, 0, func(ctx context.Context, emit func(tea.Msg)) {
		r, err := account.Evaluate(ctx, s, scenarios.Options{Closed: true})
		if err != nil {
			emit(refusedMsg{version, err})
			return
		}
		emit(resultMsg{version: version, result: r, closed: true})
	})
	now := a.now
	refine := a.pool.start(&a.refineJob, a.pause(pauseRefine), func(ctx context.Context, emit func(tea.Msg)) {
		start := now()
		var last *scenarios.Result
		err := account.Refine(ctx, s, scenarios.Options{}, func(r *scenarios.Result) bool {
			if last != nil {
				emit(resultMsg{version: version, result: last})
			}
			last = r
			return ctx.Err() == nil
		})
		switch {
		case ctx.Err() != nil:
		case err != nil:
			emit(refusedMsg{version, err})
		case last != nil:
			emit(resultMsg{version: version, result: last, last: true, took: took(now().Sub(start))})
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

// entryIndex is the selected row's place in the stack, from 1; 0 if it is empty.
func (a *App) entryIndex() int {
	row, ok := a.doc.Selected()
	if !ok {
		return 0
	}
	return row.Top() + 1
}

// chartWanted is the chart that stands on the screen, if any does.
func (a *App) chartWanted() (chartWant, bool) {
	if a.screens[a.screen].pane != nil || !a.lay.Slots[layout.Chart].Visible() {
		return chartWant{}, false
	}
	want := chartWant{version: a.doc.Version(), kind: a.chart}
	if a.charts[a.chart].entry {
		want.row = a.doc.Cursor()
	}
	return want, true
}

// draw builds a chart from closed forms, then once more with the numerical curve
// if nothing changed for a moment.
func (a *App) draw(s *scenarios.Scenario, want chartWant) tea.Cmd {
	pause := a.pause(pauseLeft)
	kind := a.charts[want.kind]
	ask := chartAsk{Scenario: s}
	if row, ok := a.doc.Selected(); ok {
		ask.Row = row.Entry
	}
	return a.pool.start(&a.chartJob, a.pause(pauseChart), func(ctx context.Context, emit func(tea.Msg)) {
		c, err := kind.build(ctx, ask)
		if ctx.Err() == nil {
			emit(chartMsg{want, c, err})
		}
		if ask.Fine = true; !kind.fine || err != nil || !sleep(ctx, pause) {
			return
		}
		if c, err := kind.build(ctx, ask); ctx.Err() == nil && err == nil {
			emit(chartMsg{want, c, nil})
		}
	})
}

// receive takes what was computed.
func (a *App) receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case resultMsg:
		a.takeResult(msg)
	case refusedMsg:
		if msg.version == a.doc.Version() && !errors.Is(msg.err, context.Canceled) {
			a.refusal, a.pending = msg.err, false
			a.arrived++
		}
	case leftMsg:
		if msg.all || a.left == nil {
			a.left = msg.left
		} else { // what is not counted anew yet stays, dimmed
			maps.Copy(a.left, msg.left)
		}
		a.arrived++
	case chartMsg:
		a.drawn = chartData{want: msg.want, chart: msg.chart, err: msg.err, serial: a.drawn.serial + 1}
	case fitsMsg:
		msg.serial = a.fits.serial + 1
		a.fits = msg.fits
	case detailMsg:
		msg.serial = a.detail.serial + 1
		a.detail = msg.detail
	case openedMsg:
		return a.opened(msg)
	case savedMsg:
		return a.saved(msg)
	case diskMsg:
		return a.changedOnDisk(msg)
	case lostMsg:
		a.offer(msg)
	case paneMsg:
		msg.take()
	case plannedMsg:
		return a.planned(msg)
	case labMsg:
		msg.pane.take(msg)
	default: // only a dialog asked for it
		if n := len(a.dialogs); n > 0 {
			if d, ok := a.dialogs[n-1].(receiver); ok {
				return d.Receive(msg)
			}
		}
	}
	return nil
}

func (a *App) takeResult(msg resultMsg) {
	if msg.version != a.doc.Version() {
		return
	}
	if msg.closed && !a.pending { // the full answer overtook it
		return
	}
	a.result, a.refusal = msg.result, nil
	a.arrived++
	if _, ok := find(msg.result, accounting.Numerical); msg.closed && !ok {
		a.result = a.withNumerical(msg.result)
	}
	if !msg.closed {
		if b, ok := find(msg.result, accounting.Numerical); ok && (b.Finite() || msg.last) {
			a.full = msg.result
		}
	}
	if msg.last {
		a.pending, a.took, a.full = false, msg.took, msg.result
	}
}

// withNumerical keeps a row for the numerical bound while it is computed, so that
// nothing on the screen jumps: the figure it had, or none yet.
func (a *App) withNumerical(r *scenarios.Result) *scenarios.Result {
	old, ok := find(a.full, accounting.Numerical)
	if !ok {
		old = accounting.Bound{Method: accounting.Numerical, Status: accounting.NotApplicable, Epsilon: math.Inf(1), Note: "computing"}
	}
	kept := *r
	kept.Bounds = append(slices.Clone(r.Bounds), old)
	return &kept
}

// find is the bound of one method.
func find(r *scenarios.Result, m accounting.Method) (accounting.Bound, bool) {
	if r != nil {
		for _, b := range r.Bounds {
			if b.Method == m {
				return b, true
			}
		}
	}
	return accounting.Bound{}, false
}

// slackOf is a bound against the certified lower end, as it was before while that
// is being computed anew.
func (a *App) slackOf(b accounting.Bound) float64 {
	if !a.pending || a.full == nil {
		return report.Slack(a.result, b)
	}
	old, ok := find(a.full, b.Method)
	if !ok {
		return 0
	}
	return report.Slack(a.full, old)
}
