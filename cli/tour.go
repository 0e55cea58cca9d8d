package cli

import (
	"errors"
	"fmt"

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
