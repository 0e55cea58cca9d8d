package cli

import (
	"github.com/spf13/cobra"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report/sheet"
)

// versus compares two scenarios: what changed from the first to the second, and
// what that costs by every method.
func (a *app) versus(cmd *cobra.Command, names []string, target *targetFlags, format string) error {
	first, err := a.open(names[0], target)
	if err != nil {
		return err
	}
	second, err := a.open(names[1], target)
	if err != nil {
		return err
	}
	v, err := scenarios.NewEvaluator().Versus(cmd.Context(), first, second, target.options())
	if err != nil {
		return wrong(err)
	}
	return sheet.Versus(v).Write(a.stdout, format)
}
