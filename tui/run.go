package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
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

	In  *os.File // nil means os.Stdin
	Out *os.File // nil means os.Stdout

	// Set by Run, and by tests.
	theme      theme.Theme
	renderer   *lipgloss.Renderer
	store      *store.Store
	accountant kit.Accountant
	charts     []home.ChartKind
	clock      func() time.Time
	eager      bool // no pauses before computing
	watch      bool // look at the file now and then
}

// welcome is the scenario the explorer opens by itself.
const welcome = "welcome"

// Run shows the explorer until the user quits or the context ends. An error from
// opening the scenario or the configuration comes before anything is drawn.
func Run(ctx context.Context, opt Options) error {
	if opt.In == nil {
		opt.In = os.Stdin
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
	if err != nil {
		return err
	}
	a := newApp(ctx, opt, doc)
	defer a.Jobs.Close()
	switch {
	case opt.Tour:
		a.beginTour()
	case opt.Open == "" && len(a.Store.Recent()) == 0:
		a.Say("new here? ctrl+n plans your own release; : tour shows the ideas")
	}
	in := io.Reader(opt.In)
	if opt.Open == "-" { // standard input was the scenario: keys come from the terminal
		tty, err := os.Open(terminalName)
		if err != nil {
			return fmt.Errorf("no terminal to read keys from: %w", err)
		}
		defer tty.Close()
		in = tty
	}
	_, err = a.program(ctx, in).Run()
	switch {
	case errors.Is(err, tea.ErrInterrupted), ctx.Err() != nil:
		return nil
	case err != nil:
		return fmt.Errorf("the explorer stopped: %w", err)
	}
	return nil
}

// program is the explorer with a terminal around it.
func (a *App) program(ctx context.Context, in io.Reader) *tea.Program {
	options := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(a.opt.Out), tea.WithAltScreen(), tea.WithReportFocus(),
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
	if err != nil {
		return err
	}
	if opt.Theme == "" {
		opt.Theme = c.Theme
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
	return tea.Batch(a.ledger.Open(a.opt.Ledger), host{a}.Show("ledger"))
}

// Paths lists where the explorer keeps its own files, for the paths command.
func Paths(getenv func(string) string) store.Locations { return store.Locate(getenv) }
