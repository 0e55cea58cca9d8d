package cli

import (
	"github.com/spf13/cobra"

	"epsiloscope/mechanisms/numeral"
	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/sheet"
)

func (a *app) personCommand() *cobra.Command {
	var target targetFlags
	var priors []string
	cmd := &cobra.Command{
		Use:   "person FILE|NAME",
		Short: "what it means for a person: odds, attacks, real deployments",
		Long: `Say what the release means for one unit of the data: how far a suspicion can
grow, how often the best attacker is right, how many are recognised at a given
rate of false alarms, and where ε stands among deployments with the same unit.`,
		Args: arguments(1, 1, "one FILE or NAME"),
		Example: `  epsiloscope person welcome
  epsiloscope person welcome --prior 1/50`,
		ValidArgsFunction: completeScenarios,
	}
	target.add(cmd)
	cmd.Flags().StringSliceVar(&priors, "prior", nil, "suspicion `P` before the release (repeatable; default 1 %, 10 % and 50 %)")
	format := addOutput(cmd, asTable, asJSON, asCSV, asMarkdown)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var list []float64
		for _, text := range priors {
			x, err := numeral.Parse(text)
			if err != nil || !(x > 0 && x < 1) {
				return wrongf("--prior: %q must be a number between 0 and 1", text)
			}
			list = append(list, x)
		}
		s, r, err := a.evaluated(cmd, args[0], &target)
		if err != nil {
			return err
		}
		p, err := report.NewPerson(cmd.Context(), s, r, list...)
		if err != nil {
			return wrong(err)
		}
		return sheet.Person(p).Write(a.stdout, format.value)
	}
	return cmd
}
