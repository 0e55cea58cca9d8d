package cli

import (
	"github.com/spf13/cobra"

	"epsiloscope/scenarios"
)

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
