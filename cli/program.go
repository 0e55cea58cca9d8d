package cli

import (
	"bufio"
	"fmt"
	"math"
	"os"

	"github.com/spf13/cobra"

	"epsiloscope/cli/selfcheck"
	"epsiloscope/mechanisms/numeral"
	"epsiloscope/scenarios"
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

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "JSON Schema of the scenario file, for editors",
		Long: `JSON Schema (draft 2020-12) of the scenario file. An editor that speaks to
yaml-language-server completes and checks a scenario that begins with

  # yaml-language-server: $schema=epsiloscope.schema.json

where that file lies beside it.`,
		Example: "  epsiloscope schema > epsiloscope.schema.json",
		Args:    arguments(0, 0, "no argument"),
		RunE: func(*cobra.Command, []string) error {
			_, err := a.stdout.Write(scenarios.Schema())
			return err
		},
	}
}

func (a *app) selfcheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "selfcheck",
		Short: "recompute the built-in reference figures and report",
		Long: `Recompute reference figures that were derived independently (at fifty digits, by
quadrature, by brute force) and compare. Exit status 3 if any is off.`,
		Args: arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.selfcheck(cmd) },
	}
}

func (a *app) selfcheck(cmd *cobra.Command) error {
	outcomes, err := selfcheck.Run(cmd.Context())
	if err != nil {
		return err
	}
	out := bufio.NewWriter(a.stdout)
	failed := 0
	for _, o := range outcomes {
		word := "pass"
		if !o.Pass {
			word, failed = "FAIL", failed+1
		}
		got := "-"
		if !math.IsNaN(o.Got) {
			got = fmt.Sprintf("%.15g", o.Got)
		}
		fmt.Fprintf(out, "%s  %-36s  %-20s  expected %-20.15g  within %.0e", word, o.ID, got, o.Expected, o.Tolerance)
		if o.Err != nil {
			fmt.Fprintf(out, "  %s", o.Err)
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "%d of %d reference figures agree\n", len(outcomes)-failed, len(outcomes))
	if err := out.Flush(); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%s off", numeral.Plural(failed, "reference figure is", "reference figures are"))
	}
	return nil
}
