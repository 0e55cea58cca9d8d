package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"epsiloscope/ledger"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/review"
	"epsiloscope/teach/exercises"
	"epsiloscope/tui"
	"epsiloscope/tui/plain"
	"epsiloscope/tui/store"
	"epsiloscope/tui/theme"
)

// exploreFlags are the flags for the look of the explorer.
type exploreFlags struct {
	tui.Options
	theme choiceFlag
	plain bool
}

func (f *exploreFlags) add(cmd *cobra.Command) {
	f.theme.choices = theme.Names()
	addChoice(cmd, &f.theme, "theme", "", "colours of the explorer")
	cmd.Flags().BoolVar(&f.ASCII, "ascii", false, "draw the explorer in ASCII")
	cmd.Flags().BoolVar(&f.NoMouse, "no-mouse", false, "leave the mouse to the terminal")
	cmd.Flags().BoolVar(&f.plain, "plain", false, "ask and answer line by line, for screen readers (also if ACCESSIBLE is set)")
	cmd.Flags().BoolVar(&f.Projector, "projector", false, "the answer and the chart, large, for an audience")
}

// run opens the explorer, if there is a terminal to draw it on and to read keys from.
func (f *exploreFlags) run(ctx context.Context, a *app) (ran bool, err error) {
	screen, ok := a.screen()
	if !ok {
		return false, nil
	}
	f.Theme, f.Out = f.theme.value, screen
	err = tui.Run(ctx, f.Options)
	switch {
	case errors.Is(err, tui.ErrNoKeys):
		return false, nil
	case err != nil:
		err = systemFailure(err)
	}
	return true, err
}

// wantsLines reports whether the explorer is to ask and answer line by line. The variable ACCESSIBLE, which many
// programs know, asks for that only where the screen would be drawn: a script's table stays a table.
func (a *app) wantsLines(look *exploreFlags) bool {
	_, screen := a.screen()
	set := os.Getenv("ACCESSIBLE")
	return look.plain || screen && set != "" && set != "0"
}

// explorePlainly asks and answers about a scenario line by line.
func (a *app) explorePlainly(ctx context.Context, name string, s *scenarios.Scenario) error {
	if name == "-" {
		return errors.New("--plain reads its answers from standard input, so the scenario cannot come from there: give a file or a name")
	}
	in, typed := a.stdin.(*os.File)
	err := plain.Run(ctx, plain.Options{
		Scenario: s, In: a.stdin, Out: a.stdout,
		Echo:  !typed || !term.IsTerminal(in.Fd()),
		Store: store.Open(store.Locate(os.Getenv)),
	})
	if err != nil && !errors.Is(err, plain.ErrUnsaved) {
		return systemFailure(err)
	}
	return err
}

// screen returns the terminal that results go to, if they go to one that can be drawn on.
func (a *app) screen() (*os.File, bool) {
	f, ok := a.stdout.(*os.File)
	return f, ok && term.IsTerminal(f.Fd()) && canDraw()
}

// canDraw reports whether the terminal may be sent escape sequences: TERM names it, and it is not "dumb". On Windows
// terminals draw and set no TERM.
func canDraw() bool {
	name := os.Getenv("TERM")
	return name != "dumb" && (name != "" || runtime.GOOS == "windows")
}

// explore runs the bare command: the explorer or, if the output is no terminal, the comparison.
func (a *app) explore(c *call, look *exploreFlags) (output, error) {
	if look.Exercises != "" {
		list, err := exercises.Load(look.Exercises)
		if err != nil {
			return nil, err
		}
		if _, ok := a.screen(); !ok {
			return listExercises(asTable, list), nil
		}
	}
	// A wrong file is told before the screen changes. Standard input can be read
	// once only, so what was read is kept for the explorer.
	var kept bytes.Buffer
	s, err := scenarios.LoadBundled("welcome")
	if len(c.args) == 1 {
		if strings.HasSuffix(c.args[0], ledgerEnding) || ledger.IsAddress(c.args[0]) {
			return a.exploreLedger(c, look)
		}
		look.Open = c.args[0]
		s, err = scenarios.LoadNamed(look.Open, io.TeeReader(a.stdin, &kept))
	}
	if err != nil {
		if _, found := os.Stat(look.Open); found != nil && nearCommand(c.cmd, look.Open) != "" {
			err = errors.Join(err, noCommand(c.cmd, look.Open))
		}
		return nil, err
	}
	if a.wantsLines(look) {
		return nil, a.explorePlainly(c, look.Open, s)
	}
	look.Stdin = &kept
	if ran, err := look.run(c, a); ran {
		return nil, err
	}
	r, err := scenarios.Evaluate(c, s, scenarios.Options{})
	if err != nil {
		return nil, err
	}
	found, err := review.Quick(c, s, r, review.Options{})
	if err != nil {
		return nil, err
	}
	return sheet.Result(r, found.Questions()), nil
}

// ledgerEnding is the ending of the name of a ledger file.
const ledgerEnding = ".ledger"

// exploreLedger opens the explorer on a ledger or, if the output is no terminal, shows its
// state.
func (a *app) exploreLedger(c *call, look *exploreFlags) (output, error) {
	look.Ledger = c.args[0]
	if _, err := ledger.FirstRecord(look.Ledger); err != nil {
		return nil, err
	}
	if !a.wantsLines(look) {
		if ran, err := look.run(c, a); ran {
			return nil, err
		}
	}
	file, err := ledger.Open(look.Ledger, a.lockWait(ledger.DefaultWait))
	if err != nil {
		return nil, err
	}
	return statusOf(c, file)
}

func (a *app) tourCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tour",
		Short: "ten short steps through the ideas, in the explorer",
		Long: `Opens the explorer with the tour: one query, noise, composition, advanced
composition, Rényi, zCDP, numerical accounting, planning, person, saving. Each
step is a live scenario. If standard output is not a terminal, the steps are
printed.`,
	}
	var look exploreFlags
	look.add(cmd)
	return a.outputCommand(cmd, nil, func(c *call) (output, error) {
		look.Tour, look.Stdin = true, a.stdin
		if !a.wantsLines(&look) {
			if ran, err := look.run(c, a); ran {
				return nil, err
			}
		}
		return textLines(strings.Split(strings.TrimSuffix(tui.TourText(), "\n"), "\n")), nil
	})
}
