package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"epsiloscope/accounting"
	"epsiloscope/exchange/peers"
	"epsiloscope/report"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/review"
)

func (a *app) compareCommand() *cobra.Command {
	var check, others, harm bool
	cmd := &cobra.Command{
		Use:   "compare FILE|NAME [FILE|NAME]",
		Short: "every bound for the stack, or what changed between two scenarios",
		Args:  arguments(1, 2, "one FILE or NAME, or two"),
		Example: `  epsiloscope compare welcome
  epsiloscope compare last-year.yaml this-year.yaml
  epsiloscope compare plan.yaml --delta 1e-6 --set 1.count=50
  epsiloscope compare plan.yaml --check --epsilon 1    # exit status 1 if over
  epsiloscope compare dp-sgd --peers                   # what do others print?`,
	}
	cmd.Flags().BoolVar(&check, "check", false, "exit with status 1 if the budget is exceeded or a review finds a fault, 2 if a sensitivity under replace is not stated")
	cmd.Flags().BoolVar(&others, "peers", false, "of a training, add what Opacus, dp_accounting and TF-Privacy print by their own defaults, and why")
	cmd.Flags().BoolVar(&harm, "harm", false, "with -o json, add what an attacker can do: advantage, true-positive rates, (μ, δ₀); a budget of harm adds it too")
	method := addChoice(cmd, &choiceFlag{choices: methodNames()}, "method", "", "only the bound of one theorem")
	return a.scenarioCommand(cmd, tables, func(q *question) (output, error) {
		two := len(q.args) == 2
		switch {
		case two && check:
			return nil, errors.New("--check is about one scenario; compare takes two without it")
		case others && (two || q.format == asCSV || q.format == asLaTeX):
			return nil, errors.New("--peers is about one scenario, as table, json or markdown: elsewhere values of other tools could be taken for bounds")
		case harm && (two || q.format != asJSON):
			return nil, errors.New("--harm adds to the JSON of one scenario: give -o json; person and explain word the same harm")
		case method.value != "" && (two || check || others || harm || q.Budget.Harm.Kind() != ""):
			return nil, errors.New("--method asks for one bound of one scenario: leave out the second scenario, --check, --peers, --harm and a budget of harm")
		case two:
			return a.versus(q)
		case method.value != "":
			return a.compareByOne(q, accounting.Method(method.value))
		}
		r, err := q.evaluate()
		switch {
		case err != nil:
			return nil, err
		case check && !q.Releases():
			return nil, scenarios.FieldError{File: printable(q.args[0]), Field: "stack", Problem: "is empty; nothing is released, so there is nothing to check"}
		case check && r.Target.Epsilon <= 0 && r.Harm == nil:
			return nil, errors.New("--check needs a budget: give --epsilon, or budget in the scenario")
		}
		if open := q.OpenSensitivities(); check && len(open) > 0 { // what it costs is not known yet
			return nil, scenarios.Errors(open)
		} else if q.format != asTable { // whose points are on the page
			a.noteOpen(q, open)
			if r.CostsAreAdaptive() {
				a.tell("note: %s", report.Verdict(r))
			}
		}
		var found *review.Review
		if check || q.format != asJSON && q.format != asCSV {
			if found, err = q.quickReview(r); err != nil {
				return nil, err
			}
		}
		out := sheet.Result(r, found.Questions())
		if q.format == asJSON && (harm || r.Harm != nil) {
			if err := sheet.AddRisk(q, out, q.Scenario, r); err != nil {
				return nil, err
			}
		}
		if others {
			figures, err := peers.AskTools(q, q.Scenario)
			if err != nil {
				return nil, err
			}
			out.Append("peers", peers.Sheet(figures, r))
		}
		if check {
			err = checkVerdict(r, found)
		}
		return out, err
	})
}

// compareByOne returns the bound of one theorem, for programs that need no other. People see the open points too, as of
// every comparison.
func (a *app) compareByOne(q *question, method accounting.Method) (output, error) {
	precision := q.target.options().Precision
	b, err := scenarios.NewEvaluator().Bound(q, q.Scenario, method, precision)
	if err != nil {
		return nil, err
	}
	// for its entries and notes
	r, err := scenarios.Evaluate(q, q.Scenario, scenarios.Options{Precision: precision, ClosedFormsOnly: true})
	if err != nil {
		return nil, err
	}
	if q.format != asTable {
		a.noteOpen(q, q.OpenSensitivities())
	}
	var found *review.Review
	if q.format != asJSON && q.format != asCSV { // those are for programs, and have no points
		whole, err := q.evaluate()
		if err != nil {
			return nil, err
		}
		if found, err = q.quickReview(whole); err != nil {
			return nil, err
		}
	}
	r.Bounds = []accounting.Bound{b}
	r.Best = accounting.Best(r.Bounds)
	return sheet.Result(r, found.Questions()), nil
}

// quickReview reviews the scenario for the points that are not settled. The budget of this call takes the place of the
// file's claim.
func (q *question) quickReview(r *scenarios.Result) (*review.Review, error) {
	var opt review.Options
	if q.target.epsilon.given || r.Harm != nil {
		opt.Claim = &review.Claim{Epsilon: q.Budget.Epsilon, Delta: q.DeltaOfEpsilon(), Harm: q.Budget.Harm, From: "budget"}
	}
	return review.Quick(q, q.Scenario, r, opt)
}

// checkVerdict returns an error with the status of an exceeded budget unless the budget is certainly kept and the
// review finds that the claim holds.
func checkVerdict(r *scenarios.Result, found *review.Review) error {
	if !report.WithinBudget(r) { // what is not known to fit does not pass
		return &failure{statusExceeded, errors.New(report.Verdict(r))}
	}
	if found.Verdict.Holds() {
		return nil
	}
	return &failure{statusExceeded, verdictError(found)}
}

// verdictError returns a verdict as an error: the headline, and what is wrong in a line each.
func verdictError(r *review.Review) error {
	errs := []error{fmt.Errorf("review: %s: %s", r.Claim, r.Headline())}
	for _, p := range r.Questions() {
		if p.Sign == review.Wrong || p.Name == scenarios.PointClaim {
			errs = append(errs, errors.New(report.PointLine(p)))
		}
	}
	return errors.Join(errs...)
}

// noteOpen says on standard error which sensitivities are not stated: a figure with a default may be half the truth.
func (a *app) noteOpen(q *question, open []scenarios.FieldError) {
	for _, o := range open {
		a.note(q.args[0], o.Field+": "+o.Problem)
	}
}

// versus compares two scenarios: what changed from the first to the second, and
// what that costs by every method.
func (a *app) versus(q *question) (output, error) {
	second, err := a.open(q.args[1], q.target)
	if err != nil {
		return nil, err
	}
	v, err := scenarios.NewEvaluator().Versus(q, q.Scenario, second, q.target.options())
	if err != nil {
		return nil, err
	}
	return sheet.Versus(v), nil
}
