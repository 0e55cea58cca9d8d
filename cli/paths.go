package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"epsiloscope/tui/store"
)

func (a *app) pathsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "paths",
		Short: "where configuration, state and recovery files are",
		Args:  arguments(0, 0, "no argument"),
		RunE: func(*cobra.Command, []string) error {
			at := store.Locate(os.Getenv)
			for _, p := range []struct{ name, path string }{
				{"config", at.Config}, {"recent", at.Recent}, {"recovery", at.Recovery}, {"log", at.Log},
			} {
				if _, err := fmt.Fprintf(a.stdout, "%-8s  %s\n", p.name, p.path); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
