package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/numeral"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/guide"
	"epsiloscope/scenarios/lectures"
	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/report/sheet"
)

func (a *app) planCommand() *cobra.Command {
	var target targetFlags
	var entry int
	var all bool
	most := numberFlag{check: func(x float64) string { return unless(x > 0, "must be greater than 0") }}
	solve := choiceFlag{choices: plan.Solvable, also: map[string]string{"noise_multiplier": "sigma"}, word: "UNKNOWN"}
	method := choiceFlag{choices: methodNames()}
	cmd := &cobra.Command{
		Use:   "plan FILE|NAME --solve UNKNOWN",
		Short: "solve for one unknown under the budget",
		Long: `Solve for the one unknown that just meets the budget: the answer is on the safe
side, and a whole number stays whole.

  count, steps, rounds   the largest number that fits
  epsilon                the largest ε of one entry
  sigma                  the least noise of one entry (the multiplier of dp-sgd)
  scale                  one factor on all noise
  delta                  the smallest δ at the target ε, which may be 0
  n                      the smallest number of records
  max_batch              the smallest size to which Poisson batches may be cut
                         at less than 0.1 % of ε, whatever the budget`,
		Args: arguments(1, 1, "one FILE or NAME"),
		Example: `  epsiloscope plan plan.yaml --solve count --entry 1
  epsiloscope plan plan.yaml --solve sigma --method zcdp --epsilon 1
  epsiloscope plan bob-10000 --solve epsilon --all
  epsiloscope plan plan.yaml --error 100 --solve count --entry 1`,
		ValidArgsFunction: completeScenarios,
	}
	target.add(cmd)
	target.epsilon.check = func(x float64) string { return unless(x >= 0, "must be at least 0") }
	addChoice(cmd, &solve, "solve", "", "the unknown")
	addChoice(cmd, &method, "method", "", "the theorem to plan with (default: the best)")
	cmd.Flags().IntVar(&entry, "entry", 0, "the entry `N` to change, from 1 (default: the only one that has the field)")
	cmd.Flags().BoolVar(&all, "all", false, "solve by every theorem, side by side, with the lectures' closed forms")
	cmd.Flags().Var(&most, "error", "first set the entry's noise so that an answer errs by at most `E` at 95 %")
	format := addOutput(cmd, asTable, asJSON, asCSV, asMarkdown)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if solve.value == "" {
			return wrongf("plan needs --solve: one of %s", strings.Join(plan.Solvable, ", "))
		}
		if entry < 0 || entry == 0 && cmd.Flags().Changed("entry") {
			return wrongf("--entry: %d is not an entry; they count from 1", entry)
		}
		s, err := a.open(args[0], &target)
		if err != nil {
			return err
		}
		if s, err = withError(cmd, s, entry, most.value); err != nil {
			return err
		}
		req := plan.Request{
			Solve: solve.value, Entry: entry, Method: accounting.Method(method.value),
			Epsilon: s.Budget.Epsilon, Delta: s.Budget.Delta, Precision: target.options().Precision,
		}
		if given := target.epsilon.value; given != nil && *given == 0 {
			if solve.value != "delta" || all {
				return wrongf("--epsilon: \"0\" must be greater than 0, but for --solve delta")
			}
			req.Distance = true
		}
		if all {
			return a.planAll(cmd, s, req, format.value)
		}
		plan, err := plan.New().Plan(cmd.Context(), s, req)
		if err != nil {
			return wrong(err)
		}
		if !plan.Feasible && !req.Distance {
			if words := wayOut(cmd.Context(), s, req.Method); words != "" {
				plan.Note += "; " + words
			}
		}
		return sheet.Plan(a.stdout, plan, format.value)
	}
	return cmd
}

// wayOut says what would make a plan fit that does not; "" if nothing would.
func wayOut(ctx context.Context, s *scenarios.Scenario, m accounting.Method) string {
	changes, err := guide.Changes(ctx, plan.New(), s, m)
	if err != nil {
		return "" // the plan has said what is wrong
	}
	return guide.InWords(changes)
}

// methodNames are the words of --method.
func methodNames() []string {
	return each(accounting.Methods(), func(t accounting.Theorem) string { return string(t.Method) })
}

// planAll prints the answers of every theorem side by side.
func (a *app) planAll(cmd *cobra.Command, s *scenarios.Scenario, req plan.Request, format string) error {
	ev := plan.New()
	all, err := ev.All(cmd.Context(), s, req)
	if err != nil {
		return wrong(err)
	}
	table, err := lectures.Corollaries(cmd.Context(), ev, s)
	if err != nil || table.Field != req.Solve {
		table = nil // no closed form of a lecture speaks of this
	}
	answers := sheet.Plans(s, s.Budget, all, table)
	if plan.Best(all) < 0 {
		if words := wayOut(cmd.Context(), s, ""); words != "" {
			answers.Notes = append(answers.Notes, words)
		}
	}
	return answers.Write(a.stdout, format)
}

// withError puts an accuracy target in before solving: the noise of the entry is
// the largest whose error at 95 % stays within it.
func withError(cmd *cobra.Command, s *scenarios.Scenario, entry int, most *float64) (*scenarios.Scenario, error) {
	if most == nil {
		return s, nil
	}
	if entry == 0 {
		if len(s.Stack) != 1 {
			return nil, wrongf("--error: the stack has %s; say which with --entry N", numeral.Plural(len(s.Stack), "entry", "entries"))
		}
		entry = 1
	}
	with, err := plan.WithError(cmd.Context(), s, entry, *most, false)
	if err != nil {
		return nil, wrong(err)
	}
	return with, nil
}
