package cli

import (
	"context"
	"errors"
	"fmt"

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
	format := addOutput(cmd, asTable, asJSON, asCSV, asMarkdown, asLaTeX)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 2 && check {
			return wrongf("--check is about one scenario; compare takes two without it")
		}
		if others && (len(args) == 2 || format.value == asCSV || format.value == asLaTeX) {
			return wrongf("--peers is about one scenario, as table, json or markdown: elsewhere figures of others could be taken for bounds")
		}
		if len(args) == 2 && format.value == asLaTeX {
			return wrongf("-o latex is about one scenario; of two, compare writes table, json, csv and markdown")
		}
		if len(args) == 2 {
			return a.versus(cmd, args, &target, format.value)
		}
		s, r, err := a.evaluated(cmd, args[0], &target)
		if err != nil {
			return err
		}
		if check && !s.Releases() {
			return wrong(scenarios.FieldError{File: printable(args[0]), Field: "stack", Problem: "is empty; nothing is released, so there is nothing to check"})
		}
		if check && r.Target.Epsilon <= 0 {
			return wrongf("--check needs a budget: give --epsilon, or budget in the scenario")
		}
		write := func() error { return writeResult(a.stdout, format.value, r) }
		if others {
			write = func() error { return a.beside(cmd.Context(), format.value, s, r) }
		}
		if err := write(); err != nil {
			return err
		}
		if check {
			return overBudget(r)
		}
		return nil
	}
	return cmd
}

// beside prints a result and under it what other tools print.
func (a *app) beside(ctx context.Context, format string, s *scenarios.Scenario, r *scenarios.Result) error {
	figures, err := peers.Print(ctx, s)
	if err != nil {
		return wrong(err)
	}
	others := sheet.Peers(figures, r)
	if format == asJSON {
		return others.Write(a.stdout, format)
	}
	if err := writeResult(a.stdout, format, r); err != nil {
		return err
	}
	fmt.Fprintln(a.stdout)
	return others.Write(a.stdout, format)
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
