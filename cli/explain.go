package cli

import (
	"github.com/spf13/cobra"

	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/sheet"
)

func (a *app) explainCommand() *cobra.Command {
	var target targetFlags
	var methods []string
	cmd := &cobra.Command{
		Use:               "explain FILE|NAME",
		Short:             "each bound's theorem, with the scenario's numbers put in",
		Args:              arguments(1, 1, "one FILE or NAME"),
		Example:           "  epsiloscope explain welcome --method advanced",
		ValidArgsFunction: completeScenarios,
	}
	target.add(cmd)
	cmd.Flags().StringSliceVar(&methods, "method", nil, "only these methods (repeatable)")
	format := addOutput(cmd, asTable, asJSON, asCSV, asMarkdown)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		only, err := methodsNamed(methods)
		if err != nil {
			return err
		}
		s, r, err := a.evaluated(cmd, args[0], &target)
		if err != nil {
			return err
		}
		return sheet.Explain(a.stdout, s, r, report.Explain(r, only...), format.value)
	}
	return cmd
}
