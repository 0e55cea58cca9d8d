package cli

import (
	"github.com/spf13/cobra"

	"epsiloscope/accounting"
	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/report/sheet"
)

func (a *app) marginCommand() *cobra.Command {
	var target targetFlags
	method := choiceFlag{choices: methodNames()}
	cmd := &cobra.Command{
		Use:               "margin FILE|NAME",
		Short:             "what each entry adds, what dropping it saves, what one more costs",
		Args:              arguments(1, 1, "one FILE or NAME"),
		Example:           "  epsiloscope margin welcome --method rdp",
		ValidArgsFunction: completeScenarios,
	}
	target.add(cmd)
	addChoice(cmd, &method, "method", "", "the theorem to count by (default: the best)")
	format := addOutput(cmd, asTable, asJSON, asCSV, asMarkdown)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := a.open(args[0], &target)
		if err != nil {
			return err
		}
		m, err := plan.New().Margins(cmd.Context(), s, accounting.Method(method.value), target.options())
		if err != nil {
			return wrong(err)
		}
		return sheet.Margins(s, m).Write(a.stdout, format.value)
	}
	return cmd
}
