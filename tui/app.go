package tui

import (
	"context"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/layout"
	"epsiloscope/tui/store"
	"epsiloscope/tui/theme"
)

// Accountant is what the explorer asks for figures; *scenarios.Evaluator is one.
type Accountant interface {
	Evaluate(ctx context.Context, s *scenarios.Scenario, opt scenarios.Options) (*scenarios.Result, error)
	Refine(ctx context.Context, s *scenarios.Scenario, opt scenarios.Options, yield func(*scenarios.Result) bool) error
	QueriesLeft(ctx context.Context, s *scenarios.Scenario, entry int, method accounting.Method) (float64, error)
	Plan(ctx context.Context, s *scenarios.Scenario, req scenarios.PlanRequest) (scenarios.PlanResult, error)
}

// App is the explorer: the only Bubble Tea model. It routes; the work is in the
// panes, the dialogs and the jobs.
type App struct {
	opt     Options
	pen     *draw.Pen
	themes  int // grows when the look of everything changes
	store   *store.Store
	pool    *pool
	account Accountant
	charts  []chartKind

	doc       *document.Document
	w, h      int
	lay       layout.Layout
	focus     layout.Slot
	screen    int // index into screens
	screens   []screen
	panes     [layout.Slots]Pane
	general   []Table
	dialogs   []Dialog
	status    status
	lastError status
	mouse     bool
	quiet     bool // quitting: draw nothing more

	knob      string // name of the active knob
	chart     int    // index into charts
	chartOn   bool   // the chart has the place it shares with the bounds
	chartFull bool

	// What was computed, and for what.
	result  *scenarios.Result // the newest, perhaps without its numerical column
	full    *scenarios.Result // the newest with one
	refusal error             // why the scenario cannot be evaluated
	pending bool              // result is not final for the document
	took    string
	arrived int
	left    map[accounting.Method]leftCount
	drawn   chartData
	detail  detail
	fits    fits
	tour    *tour // nil unless one is under way

	evalJob, refineJob, leftJob, chartJob, detailJob job
	previewJob, planJob, backupJob, fitsJob          job

	// What the newest start of each was for.
	evaluated *scenarios.Scenario
	counted   leftWant
	charted   chartWant
	inspected detailWant
	fitted    *scenarios.Scenario
	backed    int // version in the recovery file
	saving    bool
	told      string // state of the file the user was last told about
}

// newApp builds the explorer around an open document.
func newApp(ctx context.Context, opt Options, doc *document.Document) *App {
	a := &App{
		opt: opt, doc: doc, pool: newPool(ctx), account: opt.accountant, charts: opt.charts,
		store: opt.store, mouse: !opt.NoMouse, focus: layout.Stack,
	}
	if a.account == nil {
		a.account = scenarios.NewEvaluator()
	}
	if a.charts == nil {
		a.charts = chartKinds()
	}
	a.pool.log = a.store.Log
	a.setTheme(opt.theme)
	a.panes = [layout.Slots]Pane{
		layout.Stack:  &stackPane{base: base{a: a}},
		layout.Knobs:  &knobsPane{base: base{a: a}},
		layout.Bounds: &boundsPane{base: base{a: a}},
		layout.Chart:  newChartPane(a),
		layout.Detail: newDetailPane(a),
	}
	a.screens = makeScreens(a)
	a.general = generalTables()
	a.backed = doc.Version()
	return a
}

// setTheme changes the look of everything.
func (a *App) setTheme(t theme.Theme) {
	s := theme.NewStyles(t, a.opt.renderer, a.opt.ASCII)
	a.pen = draw.NewPen(&s)
	a.themes++
}

// Init asks for the first figures.
func (a *App) Init() tea.Cmd { return tea.Batch(a.refresh(), a.greet(), a.watch()) }

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
		a.arrange()
		if first && a.lay.Mode == layout.Single { // where one pane fits, the answer is it
			a.focusOn(layout.Bounds)
		}
	case tea.KeyMsg:
		return a.handleKey(msg)
	case tea.MouseMsg:
		return a.handleMouse(msg)
	case tea.FocusMsg:
		return a.checkDisk()
	case tea.ResumeMsg:
		return a.checkDisk()
	case watchMsg:
		return tea.Batch(a.checkDisk(), a.watch())
	case answerMsg:
		return a.answer(msg)
	case failedMsg:
		a.complain(msg.err)
	default:
		return a.receive(msg)
	}
	return nil
}

// handleKey gives a key to the topmost dialog, else to the focused pane, else to
// the tables of the screen.
func (a *App) handleKey(msg tea.KeyMsg) tea.Cmd {
	if msg.String() == "ctrl+c" {
		return a.quit()
	}
	if n := len(a.dialogs); n > 0 {
		return a.dialogs[n-1].HandleKey(msg)
	}
	if msg.Paste { // a paste is text; outside a field it must not run commands
		return nil
	}
	a.status.seen()
	if cmd, ok := a.tourKey(msg); ok {
		return cmd
	}
	if p := a.focused(); p != nil {
		if cmd, ok := p.HandleKey(msg); ok {
			return cmd
		}
	}
	cmd, _ := a.dispatch(msg, a.tables()...)
	return cmd
}

// focused is the pane that has the keys.
func (a *App) focused() Pane {
	if s := a.screens[a.screen]; s.pane != nil {
		return s.pane
	}
	return a.panes[a.focus]
}

// tables are the bindings of the screen that stands, its own first.
func (a *App) tables() []Table {
	return append(append(a.tourTables(), a.screens[a.screen].tables...), a.general...)
}

// arrange lays everything out anew.
func (a *App) arrange() {
	a.lay = layout.Arrange(a.w, a.h, layout.Want{
		Focus: a.focus, Chart: a.chartOn, Full: a.chartFull,
		Single: a.screens[a.screen].pane != nil, Entries: a.stackRows(), Notice: a.tourRows(),
	})
	if s := a.screens[a.screen]; s.pane != nil {
		s.pane.SetSize(a.lay.Slots[layout.Bounds].W, a.lay.Slots[layout.Bounds].H)
		return
	}
	for i, p := range a.panes {
		p.SetSize(a.lay.Slots[i].W, a.lay.Slots[i].H)
	}
}

// stackRows is how many lines the stack would like: an empty one teaches.
func (a *App) stackRows() int {
	if n := len(a.doc.Rows()); n > 0 {
		return n
	}
	return 6
}

// out is where escape sequences of the explorer's own go (the clipboard).
func (a *App) out() io.Writer {
	if a.opt.Out != nil {
		return a.opt.Out
	}
	return io.Discard
}

// now is the clock; tests stop it.
func (a *App) now() time.Time {
	if a.opt.clock != nil {
		return a.opt.clock()
	}
	return time.Now()
}
