package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/teach/guide"
	"epsiloscope/teach/lectures"
)

func (a *app) planCommand() *cobra.Command {
	var entry int
	var all bool
	most := numberFlag{check: func(x float64) string { return unless(x > 0, "must be greater than 0") }}
	solve := &choiceFlag{choices: plan.Solvable, also: map[string]string{"noise_multiplier": "sigma"}, word: "UNKNOWN"}
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
		Example: `  epsiloscope plan plan.yaml --solve count --entry 1
  epsiloscope plan plan.yaml --solve sigma --method zcdp --epsilon 1
  epsiloscope plan bob-10000 --solve epsilon --all
  epsiloscope plan plan.yaml --error 100 --solve count --entry 1`,
	}
	addChoice(cmd, solve, "solve", "", "the unknown")
	method := addMethod(cmd, "the theorem to plan with")
	f := cmd.Flags()
	f.IntVar(&entry, "entry", 0, "the entry `N` to change, from 1 (default: the only one that has the field)")
	f.BoolVar(&all, "all", false, "solve by every theorem, side by side, with the lectures' closed forms")
	f.Var(&most, "error", "first set the entry's noise so that an answer errs by at most `E` at 95 %")
	a.scenarioCommand(cmd, tables, func(q *question) (output, error) {
		if slices.Contains([]string{"scale", "delta", "rounds"}, solve.value) && f.Changed("entry") {
			return nil, fmt.Errorf("--entry: --solve %s is about the whole stack; leave --entry out", solve.value)
		}
		for _, unknown := range []string{"delta", "rounds"} {
			if solve.value == unknown && f.Changed(unknown) {
				return nil, fmt.Errorf("--%s is what --solve %s finds; leave it out", unknown, unknown)
			}
		}
		if all && method.value != "" {
			return nil, errors.New("--all solves by every theorem, --method by one: give one of them")
		}
		if solve.value == "" {
			return nil, fmt.Errorf("plan needs --solve: one of %s", strings.Join(plan.Solvable, ", "))
		}
		if entry < 0 || entry == 0 && f.Changed("entry") {
			return nil, fmt.Errorf("--entry: %d is not an entry; they count from 1", entry)
		}
		s, err := withError(q, entry, most)
		if err != nil {
			return nil, err
		}
		req := plan.Request{
			Solve: solve.value, Entry: entry, Method: accounting.Method(method.value),
			Precision: q.target.options().Precision,
		}
		if f.Changed("epsilon") && s.Budget.Epsilon == 0 {
			if solve.value != "delta" || all {
				return nil, errors.New("--epsilon: \"0\" must be greater than 0, but for --solve delta")
			}
			req.Distance = true
		}
		if all {
			return planAll(q, s, req)
		}
		plan, err := plan.New().Plan(q, s, req)
		if err != nil {
			return nil, err
		}
		if !plan.Feasible && !req.Distance {
			if words := wayOut(q, s, req.Method); words != "" {
				plan.Note += "; " + words
			}
		}
		for _, open := range s.OpenSensitivities() {
			plan.Note = strings.TrimPrefix(plan.Note+"; "+open.Error(), "; ")
		}
		return sheet.Plan(plan), statusOfSearch(plan.Feasible)
	})
	epsilon, _ := f.Lookup("epsilon").Value.(*numberFlag)
	epsilon.check = func(x float64) string { return unless(x >= 0, "must be at least 0") } // 0 is a distance
	return cmd
}

// statusOfSearch returns the failure of a search that found nothing, which is status 1, beside the output that says
// why; nil if it found something.
func statusOfSearch(found bool) error {
	if found {
		return nil
	}
	return &failure{statusExceeded, errors.New("nothing was found that meets the budget")}
}

// wayOut says what would make a plan fit that does not; "" if nothing would.
func wayOut(ctx context.Context, s *scenarios.Scenario, m accounting.Method) string {
	changes, err := guide.Changes(ctx, plan.New(), s, m)
	if err != nil {
		return "" // the plan has said what is wrong
	}
	return guide.ChangesText(changes)
}

// planAll returns the answers of every theorem side by side.
func planAll(ctx context.Context, s *scenarios.Scenario, req plan.Request) (output, error) {
	ev := plan.New()
	all, err := ev.All(ctx, s, req)
	if err != nil {
		return nil, err
	}
	answers := sheet.Plans(s, s.Budget, all)
	// Without an error there is a closed form of a lecture for this.
	if table, err := lectures.Corollaries(ctx, ev, s); err == nil && table.Field == req.Solve {
		answers.Append("corollaries", table.Sheet())
	}
	found := plan.Best(all) >= 0
	if !found {
		answers.AddWarning(wayOut(ctx, s, ""))
	}
	for _, open := range s.OpenSensitivities() {
		answers.AddWarning(open.Error())
	}
	return answers, statusOfSearch(found)
}

// withError puts an accuracy target in before solving: the noise of the entry is
// the largest whose error at 95 % stays within it.
func withError(q *question, entry int, most numberFlag) (*scenarios.Scenario, error) {
	if !most.given {
		return q.Scenario, nil
	}
	if entry == 0 {
		if len(q.Stack) != 1 {
			return nil, fmt.Errorf("--error: the stack has %s; say which with --entry N", numeral.Plural(len(q.Stack), "entry", "entries"))
		}
		entry = 1
	}
	return plan.WithError(q, q.Scenario, entry, most.value)
}
