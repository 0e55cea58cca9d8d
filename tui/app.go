package tui

import (
	"context"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/home"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
	"epsiloscope/tui/lecturesview"
	"epsiloscope/tui/ledgerview"
	guided "epsiloscope/tui/start"
	"epsiloscope/tui/theme"
	"epsiloscope/tui/variants"
)

// App is the explorer: the only Bubble Tea model. It routes; the work is in the
// panes, the dialogs and the jobs.
type App struct {
	*kit.Shell
	opt      Options
	home     *home.Home
	ledger   *ledgerview.Screen
	w, h     int
	screen   int // index into screens
	trail    []trace
	arrived  string // the chart that stood when home came up last
	screens  []screen
	general  []kit.Table
	variants *variants.Screen

	exercises      *lecturesview.Exercises
	mouse          bool
	quiet          bool // quitting: draw nothing more
	evaluationTime string

	tour    *tour          // nil unless one is under way
	newPlan *guided.Dialog // the guided start as it was left; nil before the first

	unreviewed *document.Document // opened, and not yet looked at for faults

	aside     []*document.Document // changed library scenarios that others replaced, newest first
	asideNote string               // what the next message says of that

	lost []lostWork // of earlier runs

	asideBacked []*document.Document // what of them is kept for the next start after a crash

	evalJob, backupJob, asideJob, changesJob jobs.Job

	// overBudget is a message about an added entry to which the ways out are to be added.
	overBudget string

	evaluated    *scenarios.Scenario // being evaluated, or evaluated last
	lastComplete *scenarios.Result   // the last that was final
	backed       int                 // version in the recovery file
	waiting      time.Time           // since when a change waits to get there; zero if none does
	saving       bool
	told         string // state of the file the user was last told about
}

// newApp builds the explorer around an open document.
func newApp(ctx context.Context, opt Options, doc *document.Document) *App {
	sh := &kit.Shell{
		Doc: doc, Jobs: jobs.New(scenarios.NewEvaluator().Context(ctx)), Accountant: opt.accountant,
		Store: opt.store, Out: io.Discard,
	}
	a := &App{Shell: sh, opt: opt, mouse: !opt.NoMouse}
	a.Explorer = a
	if opt.Out != nil {
		a.Out = opt.Out
	}
	if a.Accountant == nil {
		a.Accountant = plan.New()
	}
	if opt.charts == nil {
		opt.charts = home.ChartKinds()
	}
	if a.opt.clock == nil {
		a.opt.clock = time.Now
	}
	a.Jobs.Log, a.Jobs.Complain, a.Jobs.Eager = a.Store.Log, a.Complain, opt.eager
	a.setTheme(opt.theme)
	a.home = home.New(sh, opt.charts)
	a.screens = makeScreens(a)
	a.general = a.generalTables()
	sh.Tables = a.activeTables
	a.backed, a.unreviewed = doc.Version(), doc
	if opt.Exercises != "" {
		a.exercises.Set(opt.Exercises, opt.questions)
		a.Show("exercises")
	}
	if opt.Projector {
		a.project()
	}
	if opt.notice != nil {
		a.Complain(opt.notice)
	}
	if len(opt.keys) > 0 {
		a.useKeys(opt.keys, opt.store.At.Config)
	}
	return a
}

// setTheme changes the look of everything.
func (a *App) setTheme(t theme.Theme) {
	if a.opt.noColour {
		t, _ = theme.ByName(theme.Mono)
	}
	a.Pen = draw.NewPen(t, a.opt.renderer, a.opt.ASCII)
	a.Themes++
}

// Init asks for the first numbers.
func (a *App) Init() tea.Cmd {
	return tea.Batch(a.refresh(), a.findLostWork(), a.watch(), a.openLedger(a.opt.Ledger))
}

// Update routes one message and then starts whatever computation the new state
// needs.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := a.route(msg)
	if a.quiet {
		return a, cmd
	}
	return a, tea.Batch(cmd, a.refresh())
}

func (a *App) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		first := a.w == 0
		a.w, a.h = msg.Width, msg.Height
		a.Arrange()
		if first && a.home.Lay.Mode == layout.Single { // where only one pane fits, show the answer
			a.home.FocusOn(layout.Bounds)
		}
	case tea.KeyMsg:
		return a.handleKeys(msg)
	case tea.MouseMsg:
		return a.handleMouse(msg)
	case tea.FocusMsg:
		return a.checkDisk()
	case tea.ResumeMsg:
		return tea.Batch(a.checkDisk(), a.mouseAgain())
	case jobs.Found:
		return msg()
	}
	return nil
}

// handleKeys takes keys one by one: over a slow line several arrive in one message, above all
// those of a key that is held. A paste stays whole.
func (a *App) handleKeys(msg tea.KeyMsg) tea.Cmd {
	if a.home.Lay.Mode != layout.TooSmall {
		a.Status.CountKey() // once: what the first key of several has to say was not drawn yet
	}
	if len(msg.Runes) < 2 || msg.Paste {
		return a.handleKey(msg)
	}
	var all []tea.Cmd
	for _, r := range msg.Runes {
		all = append(all, a.handleKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}))
	}
	return tea.Batch(all...)
}

// handleKey gives a key to the topmost dialog, else to the focused pane, else to
// the tables of the screen.
func (a *App) handleKey(msg tea.KeyMsg) tea.Cmd {
	if a.w > 0 && a.home.Lay.Mode == layout.TooSmall { // keys act on what is visible
		return a.keyWhenTooSmall(msg)
	}
	if msg.String() == "ctrl+c" {
		return a.quit()
	}
	if n := len(a.Dialogs); n > 0 {
		return a.Dialogs[n-1].HandleKey(msg)
	}
	if msg.Paste { // a paste is text: no binding has its name
		if cmd, ok := kit.Press(a.screens[a.screen].pane, msg); ok {
			return cmd
		}
		return a.Say("there is no field to paste into; o opens a file")
	}
	if action, mapped := a.MappedAction(msg); mapped {
		if cmd, ok := kit.Take(a.screens[a.screen].pane, msg); ok { // it is text of a field
			return cmd
		}
		return action.Do()
	}
	if a.screen == 0 { // there they go before those of the panes
		if cmd, ok := kit.Dispatch(msg, a.tourTables()...); ok {
			return cmd
		}
	}
	if cmd, ok := kit.Press(a.screens[a.screen].pane, msg); ok {
		return cmd
	}
	cmd, _ := kit.Dispatch(msg, a.tables()...)
	return cmd
}

// keyWhenTooSmall takes keys while the terminal is too small: suspend, or quit if nothing would be lost.
func (a *App) keyWhenTooSmall(msg tea.KeyMsg) tea.Cmd {
	key := msg.String()
	switch {
	case key == "ctrl+z":
		return tea.Suspend
	case (key == "q" || key == "ctrl+c") && !a.wouldLoseChanges() && len(a.Dialogs) == 0:
		return a.leave()
	}
	return nil
}

// tables returns the bindings of the current screen, its own first.
func (a *App) tables() []kit.Table {
	return append(append(a.tourTables(), a.screens[a.screen].tables...), a.general...)
}

// Arrange lays everything out anew.
func (a *App) Arrange() {
	a.home.Arrange(a.w, a.h, a.tourRows(), a.screen != 0)
	a.screens[a.screen].pane.SetSize(a.home.Lay.Body.W, a.home.Lay.Body.H)
}
