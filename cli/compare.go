package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/peers"
	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/sheet"
)

func (a *app) compareCommand() *cobra.Command {
	var target targetFlags
	var check, others bool
	cmd := &cobra.Command{
		Use:   "compare FILE|NAME [FILE|NAME]",
		Short: "every bound for the stack, or what changed between two scenarios",
		Args:  arguments(1, 2, "one FILE or NAME, or two"),
		Example: `  epsiloscope compare welcome
  epsiloscope compare last-year.yaml this-year.yaml
  epsiloscope compare plan.yaml --delta 1e-6 --set 1.count=50
  epsiloscope compare plan.yaml --check --epsilon 1    # exit status 1 if over
  epsiloscope compare dp-sgd --peers                   # what do others print?`,
		ValidArgsFunction: completeScenarios,
	}
	target.add(cmd)
	cmd.Flags().BoolVar(&check, "check", false, "exit with status 1 if the budget is exceeded")
	cmd.Flags().BoolVar(&others, "peers", false, "of a training, add what Opacus, dp_accounting and TF-Privacy print by their own defaults, and why")
	format := addOutput(cmd, tables...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 2 && check {
			return wrongf("--check is about one scenario; compare takes two without it")
		}
		if others && (len(args) == 2 || format.value == asCSV || format.value == asLaTeX) {
			return wrongf("--peers is about one scenario, as table, json or markdown: elsewhere figures of others could be taken for bounds")
		}
		s, err := a.open(args[0], &target)
		if err != nil {
			return err
		}
		if len(args) == 2 {
			return a.versus(cmd, s, args[1], &target, format.value)
		}
		r, err := scenarios.Evaluate(cmd.Context(), s, target.options())
		if err != nil {
			return wrong(err)
		}
		if check && !s.Releases() {
			return wrong(scenarios.FieldError{File: printable(args[0]), Field: "stack", Problem: "is empty; nothing is released, so there is nothing to check"})
		}
		if check && r.Target.Epsilon <= 0 {
			return wrongf("--check needs a budget: give --epsilon, or budget in the scenario")
		}
		out := sheet.Result(r)
		if others {
			figures, err := peers.Print(cmd.Context(), s)
			if err != nil {
				return wrong(err)
			}
			out.Beside(sheet.Peers(figures, r))
		}
		if err := out.Write(a.stdout, format.value); err != nil || !check {
			return err
		}
		return overBudget(r)
	}
	return cmd
}

// overBudget is the error of --check: what is not known to fit does not pass.
func overBudget(r *scenarios.Result) error {
	if r.Best >= 0 && report.Fits(r.Bounds[r.Best], r.Target.Epsilon) {
		return nil
	}
	return &failure{statusExceeded, errors.New(report.Verdict(r))}
}

// versus compares two scenarios: what changed from the first to the second, and
// what that costs by every method.
func (a *app) versus(cmd *cobra.Command, first *scenarios.Scenario, name string, target *targetFlags, format string) error {
	second, err := a.open(name, target)
	if err != nil {
		return err
	}
	v, err := scenarios.NewEvaluator().Versus(cmd.Context(), first, second, target.options())
	if err != nil {
		return wrong(err)
	}
	return sheet.Versus(v).Write(a.stdout, format)
}
