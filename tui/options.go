package tui

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"epsiloscope/ledger"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/teach/exercises"
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
	Projector bool // the answer and the chart, nothing else

	In  *os.File // nil means os.Stdin
	Out *os.File // nil means os.Stdout

	// Set by Run, and by tests.
	theme      theme.Theme
	renderer   *lipgloss.Renderer
	noColour   bool // NO_COLOR is set: no theme may have colours
	store      *store.Store
	accountant kit.Evaluator
	charts     []home.ChartKind
	clock      func() time.Time // tests stop it
	questions  []exercises.Exercise
	notice     error             // to say once the screen stands
	keys       map[string]string // of the configuration
	eager      bool              // no pauses before computing
	watch      bool              // look at the file now and then
}

// configure fills in what flags left open from the configuration, and chooses the
// theme for this terminal.
func (opt *Options) configure(getenv func(string) string) error {
	c, wrong := opt.store.Config()
	if opt.Theme == "" && (c.Theme == "" || slices.Contains(theme.Names(), c.Theme)) {
		opt.Theme = c.Theme
	} else if opt.Theme == "" {
		wrong = joinProblems(wrong, fmt.Errorf("%s: theme: there is no theme %q; known: %s", opt.store.At.Config, c.Theme, strings.Join(theme.Names(), ", ")))
	}
	opt.ASCII = opt.ASCII || c.ASCII
	opt.NoMouse = opt.NoMouse || c.Mouse != nil && !*c.Mouse
	t, known := theme.Auto(opt.Theme, getenv, opt.In, opt.Out)
	if !known {
		return fmt.Errorf("there is no theme %q; known: %s", opt.Theme, strings.Join(theme.Names(), ", "))
	}
	var err error
	if opt.theme, err = t.WithColours(c.Colours); err != nil {
		opt.theme, wrong = t, joinProblems(wrong, fmt.Errorf("%s: %w", opt.store.At.Config, err))
	}
	if wrong != nil { // no reason to stop
		rest := "the rest of the configuration holds"
		if list, ok := errors.AsType[scenarios.Errors](wrong); ok && list[0].Field == "" {
			rest = "nothing of the configuration holds"
		}
		opt.notice = fmt.Errorf("%s; %s", nameOnce(strings.ReplaceAll(wrong.Error(), "\n", "; "), opt.store.At.Config), rest)
	}
	opt.keys = c.Keys
	opt.renderer = lipgloss.NewRenderer(opt.Out)
	opt.renderer.SetHasDarkBackground(t.Dark) // keeps Lip Gloss from asking the terminal
	if opt.noColour = getenv("NO_COLOR") != ""; opt.noColour {
		opt.theme, _ = theme.ByName(theme.Mono)
		opt.renderer.SetColorProfile(boldOnly(getenv("TERM")))
	}
	return nil
}

// nameOnce shortens a path to its last part wherever it stands again: several mistakes must fit a few lines.
func nameOnce(text, path string) string {
	before, rest, found := strings.Cut(text, path)
	if !found || path == "" {
		return text
	}
	return before + path + strings.ReplaceAll(rest, path, filepath.Base(path))
}

// joinProblems puts what is wrong into one line.
func joinProblems(a, b error) error {
	if a == nil {
		return b
	}
	return fmt.Errorf("%w; %w", a, b)
}

// boldOnly returns the profile of a terminal on which nothing has a colour. Lip Gloss leaves out
// bold with the colours, by which keys are distinguished from their labels: so it may write
// both, and the theme has no colours.
func boldOnly(term string) termenv.Profile {
	if term == "" || term == "dumb" {
		return termenv.Ascii
	}
	return termenv.ANSI
}

// welcome is the scenario the explorer opens by itself.
const welcome = "welcome"

// load opens what the command line named.
func load(name string, stdin io.Reader) (*document.Document, error) {
	var s *scenarios.Scenario
	var err error
	if name == "" {
		name = welcome
		s, err = scenarios.LoadBundled(name)
	} else {
		s, err = scenarios.LoadNamed(name, stdin)
	}
	if err != nil {
		return nil, err
	}
	d := document.New(s)
	if d.Path = s.Path(); d.Path == "" && name != "-" {
		d.Bundle = name
	}
	return d, nil
}

// draft returns an empty scenario on the data of a ledger, to be asked of it.
func draft(path string) (*document.Document, error) {
	open, err := ledger.FirstRecord(path)
	if err != nil {
		return nil, err
	}
	s := scenarios.New()
	s.Name, s.Unit, s.Adjacency = "draft for "+ledger.BaseName(path), open.Unit, mechanisms.Adjacency(open.Adjacency)
	s.Budget.Epsilon, _ = strconv.ParseFloat(open.Promise.Epsilon, 64) // checked on reading
	s.Budget.Delta, _ = strconv.ParseFloat(open.Promise.Delta, 64)
	return document.New(s), nil
}

// openLedger shows a ledger; "" for none.
func (a *App) openLedger(path string) tea.Cmd {
	if path == "" {
		return nil
	}
	return tea.Batch(a.ledger.Open(path), a.Show("ledger"))
}
