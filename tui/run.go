package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/term"
	"github.com/muesli/termenv"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/lectures/exercises"
	"epsiloscope/scenarios/ledger"
	"epsiloscope/tui/document"
	"epsiloscope/tui/home"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/store"
	"epsiloscope/tui/theme"
)

// Options steer the explorer.
type Options struct {
	Open    string    // a path, "-" or the name of a bundled scenario; "" opens welcome
	Ledger  string    // a ledger to begin with; the scenario is an empty draft for it
	Stdin   io.Reader // what "-" reads; nil means os.Stdin
	Theme   string    // see theme.Names; "" means the configured one, else auto
	ASCII   bool      // no box drawing, no braille, no Greek
	NoMouse bool      // leave the mouse to the terminal
	Tour    bool      // begin with the tour
	// Exercises is a file of questions to begin with.
	Exercises string
	Projector bool // one pane, high contrast, nothing else

	In  *os.File // nil means os.Stdin
	Out *os.File // nil means os.Stdout

	// Set by Run, and by tests.
	theme      theme.Theme
	renderer   *lipgloss.Renderer
	store      *store.Store
	accountant kit.Accountant
	charts     []home.ChartKind
	clock      func() time.Time // tests stop it
	questions  []exercises.Exercise
	notice     error // to say once the screen stands
	eager      bool  // no pauses before computing
	watch      bool  // look at the file now and then
}

// welcome is the scenario the explorer opens by itself.
const welcome = "welcome"

// ErrNoKeys says that there is a screen but no terminal to read keys from.
var ErrNoKeys = errors.New("there is no terminal to read keys from")

// Ended says that a signal ended the explorer. The screen is restored and unsaved work kept.
type Ended struct {
	Signal syscall.Signal
	Kept   bool // there was unsaved work
}

func (e Ended) Error() string {
	if e.Kept {
		return "ended by a signal (" + e.Signal.String() + "); the next start offers the unsaved work"
	}
	return "ended by a signal (" + e.Signal.String() + ")"
}

// ending are the signals that end the explorer in good order.
var ending = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT}

// Run shows the explorer until the user quits, the context ends or a signal does, which
// is [Ended]. An error from opening the scenario comes before anything is drawn.
func Run(ctx context.Context, opt Options) error {
	if opt.In == nil {
		opt.In = os.Stdin
	}
	if !term.IsTerminal(opt.In.Fd()) { // what is piped in is no keys
		tty, err := os.Open(terminalName)
		if err != nil {
			return ErrNoKeys
		}
		defer tty.Close()
		opt.In = tty
	}
	if opt.Out == nil {
		opt.Out = os.Stdout
	}
	if opt.Stdin == nil {
		opt.Stdin = os.Stdin
	}
	opt.store, opt.watch = store.Open(store.Locate(os.Getenv)), true
	if err := opt.configure(os.Getenv); err != nil {
		return err
	}
	doc, err := load(opt.Open, opt.Stdin)
	if opt.Ledger != "" {
		doc, err = draft(opt.Ledger)
	}
	if err == nil && opt.Exercises != "" {
		opt.questions, err = exercises.Load(opt.Exercises)
	}
	if err != nil {
		return err
	}
	a := newApp(ctx, opt, doc)
	defer a.Jobs.Close()
	switch {
	case opt.Tour:
		a.beginTour()
	case opt.Open == "" && len(a.Store.Recent()) == 0 && opt.notice == nil:
		a.Say("new here? ctrl+n plans your own release; : tour shows the ideas")
	}
	program := a.program(ctx, opt.In)
	received := quitOnSignals(program)
	_, err = program.Run()
	sig, kept := received(), a.keep()
	switch {
	case sig != nil:
		return Ended{sig.(syscall.Signal), kept}
	case ctx.Err() != nil:
		return nil
	case err != nil:
		return fmt.Errorf("the explorer stopped: %w", err)
	}
	return nil
}

// quitOnSignals quits the program on a signal; the function it returns ends that and tells
// which one came, nil if none did.
func quitOnSignals(p *tea.Program) (received func() os.Signal) {
	signals, ended := make(chan os.Signal, 1), make(chan struct{})
	var got os.Signal
	signal.Notify(signals, ending...)
	go func() {
		defer close(ended)
		if sig, ok := <-signals; ok {
			got = sig
			p.Quit()
		}
	}()
	return func() os.Signal {
		signal.Stop(signals)
		close(signals)
		<-ended
		return got
	}
}

// program is the explorer with a terminal around it.
func (a *App) program(ctx context.Context, in io.Reader) *tea.Program {
	options := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(a.opt.Out), tea.WithAltScreen(), tea.WithReportFocus(),
		tea.WithoutSignalHandler(), // quitOnSignals tells which one came
	}
	if a.mouse {
		options = append(options, tea.WithMouseCellMotion())
	}
	return tea.NewProgram(a, options...)
}

// configure fills in what flags left open from the configuration, and chooses the
// theme for this terminal.
func (opt *Options) configure(getenv func(string) string) error {
	c, err := opt.store.Config()
	if err != nil { // of no use, and no reason to stop
		opt.notice = fmt.Errorf("started without the configuration: %w", err)
	}
	if opt.Theme == "" && (c.Theme == "" || slices.Contains(theme.Names(), c.Theme)) {
		opt.Theme = c.Theme
	} else if opt.Theme == "" {
		opt.notice = fmt.Errorf("%s: there is no theme %q; known: %v", opt.store.At.Config, c.Theme, theme.Names())
	}
	opt.ASCII = opt.ASCII || c.ASCII
	opt.NoMouse = opt.NoMouse || c.Mouse != nil && !*c.Mouse
	t, known := theme.Auto(opt.Theme, getenv, opt.In, opt.Out)
	if !known {
		return fmt.Errorf("there is no theme %q; known: %v", opt.Theme, theme.Names())
	}
	opt.theme = t
	opt.renderer = lipgloss.NewRenderer(opt.Out)
	opt.renderer.SetHasDarkBackground(t.Dark) // keeps Lip Gloss from asking the terminal
	if getenv("NO_COLOR") != "" {
		opt.renderer.SetColorProfile(termenv.Ascii)
	}
	return nil
}

// load opens what the command line named.
func load(name string, stdin io.Reader) (*document.Document, error) {
	if name == "" {
		s, err := scenarios.LoadBundled(welcome)
		if err != nil {
			return nil, err
		}
		d := document.New(s)
		d.Bundle = welcome
		return d, nil
	}
	s, err := scenarios.LoadNamed(name, stdin)
	if err != nil {
		return nil, err
	}
	d := document.New(s)
	if d.Path = s.Path(); d.Path == "" && name != "-" {
		d.Bundle = name
	}
	return d, nil
}

// draft is an empty scenario on the data of a ledger, to be asked of it.
func draft(path string) (*document.Document, error) {
	open, err := ledger.Opening(path)
	if err != nil {
		return nil, err
	}
	s := scenarios.New()
	s.Name, s.Unit, s.Adjacency = "draft for "+filepath.Base(path), open.Unit, mechanisms.Adjacency(open.Adjacency)
	s.Budget.Epsilon, _ = strconv.ParseFloat(open.Promise.Epsilon, 64) // checked on reading
	s.Budget.Delta, _ = strconv.ParseFloat(open.Promise.Delta, 64)
	return document.New(s), nil
}

// openLedger shows the ledger that the command line named.
func (a *App) openLedger() tea.Cmd {
	if a.opt.Ledger == "" {
		return nil
	}
	return tea.Batch(a.ledger.Open(a.opt.Ledger), host{a}.Go("ledger"))
}
