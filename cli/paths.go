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
			_, err := fmt.Fprintf(a.stdout, "config    %s\nrecent    %s\nrecovery  %s\nlog       %s\n", at.Config, at.Recent, at.Recovery, at.Log)
			return err
		},
	}
}
