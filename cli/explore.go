package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/lectures/exercises"
	"epsiloscope/scenarios/ledger"
	"epsiloscope/scenarios/report/sheet"
	"epsiloscope/tui"
	"epsiloscope/tui/theme"
)

// exploreFlags are how the explorer looks.
type exploreFlags struct {
	theme   choiceFlag
	ascii   bool
	noMouse bool

	projector bool
	exercises string
}

func (f *exploreFlags) add(cmd *cobra.Command) {
	f.theme.choices = theme.Names()
	addChoice(cmd, &f.theme, "theme", "", "colours of the explorer")
	cmd.Flags().BoolVar(&f.ascii, "ascii", false, "draw the explorer in ASCII")
	cmd.Flags().BoolVar(&f.noMouse, "no-mouse", false, "leave the mouse to the terminal")
	cmd.Flags().BoolVar(&f.projector, "projector", false, "one pane in high contrast, for a room that looks on")
}

func (f *exploreFlags) options(screen *os.File) tui.Options {
	return tui.Options{Out: screen, Theme: f.theme.value, ASCII: f.ascii, NoMouse: f.noMouse, Projector: f.projector, Exercises: f.exercises}
}

// screen is the terminal that results go to, if they go to one that can be drawn on.
func (a *app) screen() (*os.File, bool) {
	f, ok := a.stdout.(*os.File)
	return f, ok && term.IsTerminal(f.Fd()) && os.Getenv("TERM") != "dumb"
}

// explore is the bare command: the explorer or, where nobody looks at a screen, the
// comparison.
func (a *app) explore(cmd *cobra.Command, args []string, look *exploreFlags) error {
	if look.exercises != "" {
		if list, err := exercises.Load(look.exercises); err != nil {
			return wrong(err)
		} else if _, ok := a.screen(); !ok {
			return a.listExercises(list)
		}
	}
	if len(args) == 1 && strings.HasSuffix(args[0], ledgerEnding) {
		return a.exploreLedger(cmd, args[0], look)
	}
	// A wrong file is told before the screen changes. Standard input can be read
	// once only, so what was read is kept for the explorer.
	var kept bytes.Buffer
	var name string
	s, err := scenarios.LoadBundled("welcome")
	if len(args) == 1 {
		name = args[0]
		s, err = scenarios.LoadNamed(name, io.TeeReader(a.stdin, &kept))
	}
	if err != nil {
		return wrong(err)
	}
	if screen, ok := a.screen(); ok {
		opt := look.options(screen)
		opt.Open, opt.Stdin = name, &kept
		if err := tui.Run(cmd.Context(), opt); !errors.Is(err, tui.ErrNoKeys) {
			return err
		}
	}
	r, err := scenarios.Evaluate(cmd.Context(), s, scenarios.Options{})
	if err != nil {
		return wrong(err)
	}
	return sheet.Result(r).Write(a.stdout, asTable)
}

// ledgerEnding is how the name of a file ends that is a ledger.
const ledgerEnding = ".ledger"

// exploreLedger opens the explorer on a ledger or, where nobody looks at a screen, shows
// how it stands.
func (a *app) exploreLedger(cmd *cobra.Command, path string, look *exploreFlags) error {
	if screen, ok := a.screen(); ok {
		if _, err := ledger.Opening(path); err != nil {
			return ledgerError(err)
		}
		opt := look.options(screen)
		opt.Ledger = path
		return tui.Run(cmd.Context(), opt)
	}
	status, err := statusOf(cmd.Context(), path)
	if err != nil {
		return ledgerError(err)
	}
	return status.Write(a.stdout, asTable)
}

func (a *app) tourCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tour",
		Short: "ten short steps through the ideas, in the explorer",
		Long: `Opens the explorer with the tour: one query, noise, composition, advanced
composition, Rényi, zCDP, numerical accounting, planning, person, saving. Each
step is a live scenario. Where standard output is not a terminal, the steps are
printed.`,
		Args: arguments(0, 0, "no argument"),
	}
	var look exploreFlags
	look.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if screen, ok := a.screen(); ok {
			opt := look.options(screen)
			opt.Tour, opt.Stdin = true, a.stdin
			if err := tui.Run(cmd.Context(), opt); !errors.Is(err, tui.ErrNoKeys) {
				return err
			}
		}
		_, err := fmt.Fprint(a.stdout, tui.TourText())
		return err
	}
	return cmd
}
