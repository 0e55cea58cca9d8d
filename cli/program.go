package cli

import (
	"fmt"
	"math"
	"os"

	"github.com/spf13/cobra"

	"epsiloscope/accounting/numeral"
	"epsiloscope/cli/selfcheck"
	"epsiloscope/scenarios"
	"epsiloscope/tui/store"
)

func (a *app) pathsCommand() *cobra.Command {
	return a.outputCommand(&cobra.Command{Use: "paths", Short: "where configuration, state and recovery files are"}, nil, func(*call) (output, error) {
		at := store.Locate(os.Getenv)
		return printed("config    "+at.Config, "recent    "+at.Recent, "recovery  "+at.Recovery, "log       "+at.Log), nil
	})
}

func (a *app) schemaCommand() *cobra.Command {
	return a.outputCommand(&cobra.Command{
		Use:   "schema",
		Short: "JSON Schema of the scenario file, for editors",
		Long: `JSON Schema (draft 2020-12) of the scenario file. An editor that speaks to
yaml-language-server completes and checks a scenario that begins with

  # yaml-language-server: $schema=epsiloscope.schema.json

where that file lies beside it.`,
		Example: "  epsiloscope schema > epsiloscope.schema.json",
	}, nil, func(*call) (output, error) { return text(scenarios.Schema()), nil })
}

func (a *app) selfcheckCommand() *cobra.Command {
	return a.outputCommand(&cobra.Command{
		Use:   "selfcheck",
		Short: "recompute the built-in reference figures and report",
		Long: `Recompute reference figures that were derived independently (at fifty digits, by
quadrature, by brute force) and compare. Exit status 3 if any is off.`,
	}, nil, func(c *call) (output, error) {
		outcomes, err := selfcheck.Run(c)
		if err != nil {
			return nil, systemFailure(err)
		}
		var lines []string
		failed := 0
		for _, o := range outcomes {
			word, got, problem := "pass", "-", ""
			if !o.Pass {
				word, failed = "FAIL", failed+1
			}
			if !math.IsNaN(o.Got) {
				got = fmt.Sprintf("%.15g", o.Got)
			}
			if o.Err != nil {
				problem = "  " + o.Err.Error()
			}
			lines = append(lines, fmt.Sprintf("%s  %-36s  %-20s  expected %-20.15g  within %.0e%s", word, o.ID, got, o.Expected, o.Tolerance, problem))
		}
		lines = append(lines, fmt.Sprintf("%d of %d reference figures agree", len(outcomes)-failed, len(outcomes)))
		if failed > 0 {
			err = systemFailure(fmt.Errorf("%s off", numeral.Plural(failed, "reference figure is", "reference figures are")))
		}
		return printed(lines...), err
	})
}
