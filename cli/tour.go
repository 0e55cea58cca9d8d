package cli

import (
	"fmt"
	"os"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"epsiloscope/tui"
)

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
		if screen, ok := a.stdout.(*os.File); ok && term.IsTerminal(screen.Fd()) {
			return tui.Run(cmd.Context(), tui.Options{
				Tour: true, Stdin: a.stdin, Out: screen,
				Theme: look.theme.value, ASCII: look.ascii, NoMouse: look.noMouse,
			})
		}
		_, err := fmt.Fprint(a.stdout, tui.TourText())
		return err
	}
	return cmd
}
