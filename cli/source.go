package cli

import (
	"github.com/spf13/cobra"

	"epsiloscope/scenarios"
)

// open loads what the user named, a path, "-" or a bundled scenario, and makes the
// changes that the flags ask for.
func (a *app) open(fileOrName string, target *targetFlags) (*scenarios.Scenario, error) {
	s, err := scenarios.LoadNamed(fileOrName, a.stdin)
	if err != nil {
		return nil, wrong(err)
	}
	if err := target.apply(s); err != nil {
		return nil, err
	}
	return s, nil
}

// evaluated opens a scenario and evaluates it.
func (a *app) evaluated(cmd *cobra.Command, name string, target *targetFlags) (*scenarios.Scenario, *scenarios.Result, error) {
	s, err := a.open(name, target)
	if err != nil {
		return nil, nil, err
	}
	r, err := scenarios.Evaluate(cmd.Context(), s, target.options())
	if err != nil {
		return nil, nil, wrong(err)
	}
	return s, r, nil
}

// completeScenarios offers the bundled scenarios and, beside them, files.
func completeScenarios(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return bundledNames(), cobra.ShellCompDirectiveDefault
}

func bundledNames() []string {
	var names []string
	for _, info := range scenarios.Bundled() {
		names = append(names, info.Name)
	}
	return names
}
