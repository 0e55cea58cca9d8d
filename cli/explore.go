package cli

import (
	"bytes"
	"io"
	"os"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"epsiloscope/scenarios"
	"epsiloscope/tui"
	"epsiloscope/tui/theme"
)

// exploreFlags are how the explorer looks.
type exploreFlags struct {
	theme   choiceFlag
	ascii   bool
	noMouse bool
}

func (f *exploreFlags) add(cmd *cobra.Command) {
	f.theme.choices = theme.Names()
	addChoice(cmd, &f.theme, "theme", "", "colours of the explorer")
	cmd.Flags().BoolVar(&f.ascii, "ascii", false, "draw the explorer in ASCII")
	cmd.Flags().BoolVar(&f.noMouse, "no-mouse", false, "leave the mouse to the terminal")
}

// explore is the bare command: the explorer or, where nobody looks at a screen, the
// comparison.
func (a *app) explore(cmd *cobra.Command, args []string, look *exploreFlags) error {
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
	if screen, ok := a.stdout.(*os.File); ok && term.IsTerminal(screen.Fd()) {
		return tui.Run(cmd.Context(), tui.Options{
			Open: name, Stdin: &kept, Out: screen,
			Theme: look.theme.value, ASCII: look.ascii, NoMouse: look.noMouse,
		})
	}
	r, err := scenarios.Evaluate(cmd.Context(), s, scenarios.Options{})
	if err != nil {
		return wrong(err)
	}
	return writeResult(a.stdout, asTable, r)
}
