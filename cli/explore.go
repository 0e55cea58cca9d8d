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
	tui.Options
	theme choiceFlag
}

func (f *exploreFlags) add(cmd *cobra.Command) {
	f.theme.choices = theme.Names()
	addChoice(cmd, &f.theme, "theme", "", "colours of the explorer")
	cmd.Flags().BoolVar(&f.ASCII, "ascii", false, "draw the explorer in ASCII")
	cmd.Flags().BoolVar(&f.NoMouse, "no-mouse", false, "leave the mouse to the terminal")
	cmd.Flags().BoolVar(&f.Projector, "projector", false, "one pane in high contrast, for a room that looks on")
}

// run opens the explorer, if there is a terminal to draw it on and to read keys from.
func (f *exploreFlags) run(a *app, cmd *cobra.Command) (ran bool, err error) {
	screen, ok := a.screen()
	if !ok {
		return false, nil
	}
	f.Theme, f.Out = f.theme.value, screen
	err = tui.Run(cmd.Context(), f.Options)
	return !errors.Is(err, tui.ErrNoKeys), err
}

// screen is the terminal that results go to, if they go to one that can be drawn on.
func (a *app) screen() (*os.File, bool) {
	f, ok := a.stdout.(*os.File)
	return f, ok && term.IsTerminal(f.Fd()) && os.Getenv("TERM") != "dumb"
}

// progress shows how far a run is, on a terminal alone, and wipes that away.
func (a *app) progress(name string) (show func(float64), clear func()) {
	screen, ok := a.stderr.(*os.File)
	if !ok || !term.IsTerminal(screen.Fd()) {
		return nil, func() {}
	}
	shown := -1
	show = func(fraction float64) {
		if percent := int(100 * fraction); percent != shown {
			shown = percent
			fmt.Fprintf(screen, "\r%s %3d %%", name, percent)
		}
	}
	return show, func() {
		if shown >= 0 {
			fmt.Fprintf(screen, "\r%s\r", strings.Repeat(" ", len(name)+6))
		}
	}
}

// explore is the bare command: the explorer or, where nobody looks at a screen, the
// comparison.
func (a *app) explore(cmd *cobra.Command, args []string, look *exploreFlags) error {
	if look.Exercises != "" {
		if list, err := exercises.Load(look.Exercises); err != nil {
			return wrong(err)
		} else if _, ok := a.screen(); !ok {
			return listed(list).Write(a.stdout, asTable)
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
	look.Open, look.Stdin = name, &kept
	if ran, err := look.run(a, cmd); ran {
		return err
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
	if _, ok := a.screen(); ok {
		if _, err := ledger.Opening(path); err != nil {
			return blamed(err)
		}
		look.Ledger = path
		_, err := look.run(a, cmd)
		return err
	}
	status, err := statusOf(cmd.Context(), path)
	if err != nil {
		return blamed(err)
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
		look.Tour, look.Stdin = true, a.stdin
		if ran, err := look.run(a, cmd); ran {
			return err
		}
		_, err := fmt.Fprint(a.stdout, tui.TourText())
		return err
	}
	return cmd
}
