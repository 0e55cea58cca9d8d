package tui

import (
	"context"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/home"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
)

func TestStaleAnswersAreDropped(t *testing.T) {
	a := start(t, 120, 36, setup{})
	old := hit(a, "knob.up") // its commands are not run yet
	press(a, "knob.up")
	now := a.Result
	drain(a, old)
	if a.Result != now {
		t.Error("an answer of an earlier state replaced the newer one")
	}
	old = hit(a, "knob.up")
	a.adopt(document.New(city()))
	send(a, nil)
	now = a.Result
	drain(a, old)
	if a.Result != now || a.Pending {
		t.Error("the result of another document was taken")
	}
}

// While a narrower interval is computed the old figure stays, dimmed.
func TestOldFigureStaysWhilePending(t *testing.T) {
	a := start(t, 120, 36, setup{})
	before, _ := a.Full.Bound(accounting.Numerical)
	hit(a, "knob.ten-times") // nothing computed yet
	if !a.Pending {
		t.Fatal("not pending after a change")
	}
	exact(t, a, "pending")
	rows := len(a.Result.Bounds)
	r, _ := a.Accountant.Evaluate(context.Background(), a.Doc.Scenario(), scenarios.Options{ClosedFormsOnly: true})
	a.showResult(a.withNumerical(r), nil)
	if len(a.Result.Bounds) != rows {
		t.Errorf("%d rows became %d while the numerical bound is computed", rows, len(a.Result.Bounds))
	}
	shown, _ := a.Full.Bound(accounting.Numerical)
	if shown.Epsilon != before.Epsilon {
		t.Error("the old figure is gone")
	}
	fresh := a.Pen.Winner.Render("x")
	if strings.Contains(strings.Join(a.home.Pane(layout.Bounds).View(false)[:4], "\n"), strings.TrimSuffix(fresh, "x\x1b[0m")) {
		t.Error("the headline is not dimmed")
	}
}

func TestPanicInACommandIsAMessage(t *testing.T) {
	a := start(t, 120, 36, setup{})
	var logged string
	a.Jobs.Log = func(s string) { logged = s }
	a.Accountant = &fake{panics: true}
	press(a, "knob.up")
	if !a.Status.Bad || !strings.Contains(a.Status.Text, "internal error") {
		t.Errorf("status %+v", a.Status)
	}
	if strings.Contains(a.Status.Text, "goroutine") || !strings.Contains(logged, "goroutine") {
		t.Error("the stack belongs into the log, not on the screen")
	}
	exact(t, a, "after a panic")
}

// A fault of the accountant is told in red, on the status line and in place of the chart, even where the work went on
// without it: it is no reason why there is no chart, and nothing that an entry would need.
func TestFaultOfTheAccountantIsShownAsOne(t *testing.T) {
	charts := fakeCharts()
	build := func(ctx context.Context, _ home.ChartAsk) (chart.Chart, error) {
		return chart.Chart{}, accounting.Recover(ctx, func(context.Context) error { panic("a bug") })
	}
	for i := range charts {
		charts[i].Build, charts[i].Needs = build, "a training"
	}
	a := start(t, 120, 36, setup{charts: charts})
	var logged string
	a.Jobs.Log = func(s string) { logged = s }
	press(a, "knob.up")
	pane := strings.Join(a.home.Pane(layout.Chart).View(false), "\n")
	red := strings.TrimSuffix(a.Pen.Over.Render("x"), "x\x1b[0m")
	if !strings.Contains(pane, red+"internal error: a bug") || strings.Contains(pane, "It needs") {
		t.Errorf("the pane of the chart:\n%s", pane)
	}
	if !a.Status.Bad || !strings.Contains(a.Status.Text, "internal error: a bug") || !strings.Contains(logged, "goroutine") {
		t.Errorf("status %+v, logged %.40q", a.Status, logged)
	}

	var j jobs.Job
	a.Status = kit.Status{}
	drain(a, a.Jobs.Start(&j, 0, func(ctx context.Context, _ func(func())) {
		_ = accounting.Recover(ctx, func(context.Context) error { panic("passed over") })
	}))
	if !a.Status.Bad || !strings.Contains(a.Status.Text, "internal error: passed over") {
		t.Errorf("status %+v", a.Status)
	}
}

func TestClosedPoolRunsNothing(t *testing.T) {
	p := jobs.New(context.Background())
	p.Close()
	ran := false
	p.Do(func() (func() tea.Cmd, error) { ran = true; return nil, nil })()
	if ran {
		t.Error("a closed pool ran a command")
	}
}

// A computation that never ends by itself ends with the program.
func TestCloseEndsBlockedWork(t *testing.T) {
	a := start(t, 120, 36, setup{})
	a.Accountant = &fake{block: true}
	cmd := hit(a, "knob.up")
	done := make(chan struct{})
	go func() { runAll(cmd); close(done) }()
	a.Jobs.Close()
	<-done
}

// runAll runs commands at the same time, as Bubble Tea does, and drops what they say.
func runAll(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	batch, ok := cmd().(tea.BatchMsg)
	if !ok {
		return
	}
	ends := make(chan struct{})
	for _, c := range batch {
		go func() { runAll(c); ends <- struct{}{} }()
	}
	for range batch {
		<-ends
	}
}
