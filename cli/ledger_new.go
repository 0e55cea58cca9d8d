package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/accounting/numeral"
	"epsiloscope/ledger"
	"epsiloscope/mechanisms"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/review"
)

func (a *app) ledgerNew() *cobra.Command {
	var epsilon, delta, failures numberFlag
	alpha := numberFlag{check: func(x float64) string { return unless(x > 1, "must be greater than 1") }}
	var unit, data, plan, window, follows string
	var quotas []string
	var rungs int
	var p ledger.Promise
	orders := &listFlag[float64]{read: numeral.Parse}
	cmd := &cobra.Command{
		Use:   "new FILE --delta D --unit TEXT",
		Short: "open a ledger: the promise is fixed before the first release",
		Long: `Open a ledger. Everything that decides is fixed here: the promised ε and δ, the
filter, the Rényi orders of a mixture, blocks and window.

  basic      adds up ε: for a few releases, each with an ε of its own
  zcdp       adds up ρ (the default): for many small releases, with Gaussian
             noise and others
  gdp        adds up μ²: for Gaussian noise, which costs no more than if fixed
             in advance; others cost as Gaussian noise that dominates them
  mixture    adds up Rényi divergences: for training; at one order with --alpha,
             at several with --orders, most weight on --alpha
  plan       spends the releases of a scenario, in any order, at its numerical
             bound: for what is known in advance; with --rungs N for training
             that may stop early and then quotes the ε of the part reached

If there are blocks, the promise covers data in one block; if there is a window,
any span of the window's length.`,
		Args: arguments(1, 1, "one FILE"),
		Example: `  epsiloscope ledger new a.ledger --epsilon 3 --delta 1e-6 --unit person-day
  epsiloscope ledger new run.ledger --plan run.yaml`,
	}
	adjacency := &choiceFlag{value: string(mechanisms.AddRemove), choices: scenarios.ScenarioField("adjacency").Choices}
	odometer := &choiceFlag{value: "line", choices: []string{"line", "mixture"}}
	filter := string(adaptive.ZCDP)
	f := cmd.Flags()
	f.Var(&epsilon, "epsilon", "the promised `ε`; a plan's own if not given")
	f.Var(&delta, "delta", "the promised `δ`")
	f.StringVar(&unit, "unit", "", "whose data one record is: `TEXT` such as person-day")
	addChoice(cmd, adjacency, "adjacency", "", "which data sets are neighbours")
	f.StringVar(&filter, "filter", filter, "the `FILTER`, which refuses: "+adaptive.Names())
	_ = cmd.RegisterFlagCompletionFunc("filter",
		cobra.FixedCompletions(strings.Split(adaptive.Names(), ", "), cobra.ShellCompDirectiveNoFileComp))
	f.Var(&alpha, "alpha", "the Rényi order `α` of a mixture: its only one, or the planned one of --orders")
	f.Var(orders, "orders", "the `ORDERS` of a mixture (default: --alpha, or else 2,3,4,5,6,8,12,16)")
	f.Var(&failures, "failures", "the part of `δ` for releases that have a δ of their own")
	addChoice(cmd, odometer, "odometer", "", "the odometer of a filter that adds up ρ or μ²")
	f.StringVar(&plan, "plan", "", "the `SCENARIO` that a plan spends; its δ, unit and adjacency if not given")
	_ = cmd.RegisterFlagCompletionFunc("plan", completeScenarios)
	f.IntVar(&rungs, "rungs", 1, "split a plan into `N` nested parts, each with its own ε")
	f.StringVar(&p.Blocks, "blocks", "", "keep a budget by `KEY`: day, week, month, year (dates), or any other (names)")
	f.StringVar(&window, "window", "", "renew the budget: any span of this `DURATION` (7d) stays within it")
	f.StringArrayVar(&quotas, "quota", nil, "an analyst's share, `NAME=SHARE`, or '*=SHARE' for all not listed: fairness, no guarantee (repeatable)")
	f.StringVar(&data, "data", "", "`TEXT`: what the data are called (default: the file's name)")
	f.StringVar(&follows, "follows", "", "the `HEAD` of the ledger before this one")
	return a.verb(cmd, func(c *call, file *ledger.Stored) (_ output, err error) {
		var spent *scenarios.Scenario
		if plan != "" { // it says whose data it is about, and what is not given otherwise is its own
			if spent, err = a.load(plan); err != nil {
				return nil, err
			}
			if !f.Changed("filter") {
				filter = string(adaptive.Plan)
			}
			if adaptive.Kind(filter) == adaptive.Plan {
				unit = cmp.Or(unit, spent.Unit)
				if !delta.given {
					delta.value, delta.given = spent.Budget.Delta, spent.Budget.Delta > 0
				}
				if !f.Changed("adjacency") {
					adjacency.value = string(spent.Adjacency)
				}
			}
		}
		p.Filter, p.Epsilon, p.Delta = adaptive.Kind(filter), numeral.Format(epsilon.value), numeral.Format(delta.value)
		if alpha.given {
			p.Alpha = numeral.Format(alpha.value)
		}
		if failures.value != 0 {
			p.Failures = numeral.Format(failures.value)
		}
		for _, order := range orders.values {
			p.Orders = append(p.Orders, numeral.Format(order))
		}
		if slices.Contains(adaptive.FiltersUsing("odometer"), p.Filter) {
			p.Odometer = odometer.value
		}
		for _, flag := range []string{"alpha", "odometer", "orders", "plan", "rungs"} {
			if of := adaptive.FiltersUsing(flag); f.Changed(flag) && !slices.Contains(of, p.Filter) &&
				slices.Contains(strings.Split(adaptive.Names(), ", "), filter) {
				return nil, fmt.Errorf("--%s has no effect with --filter %s: it is for %s", flag, filter,
					strings.Join(mapStrings(of, func(k adaptive.Kind) string { return string(k) }), ", "))
			}
		}
		switch {
		case !delta.given || !epsilon.given && p.Filter != adaptive.Plan:
			return nil, errors.New("ledger new needs --epsilon and --delta: the promise")
		case epsilon.given && epsilon.value == 0 && p.Filter == adaptive.Plan:
			return nil, errors.New("--epsilon 0: no plan costs nothing; leave it out to promise the plan's own")
		case unit == "":
			return nil, errors.New("ledger new needs --unit: whose data one record is")
		case plan == "" && p.Filter == adaptive.Plan:
			return nil, errors.New("--filter plan needs --plan SCENARIO: what will be spent")
		case rungs < 1:
			return nil, errors.New("--rungs: must be at least 1")
		}
		if p.Quotas, err = shares(quotas); err != nil {
			return nil, err
		}
		if window != "" {
			span, err := ledger.ParseWindow(window)
			if err != nil {
				return nil, fmt.Errorf("--window: %w", err)
			}
			p.Window = span.String()
		}
		if p.Filter == adaptive.Plan {
			if err := reviewPlan(c, spent, unit, epsilon.value, delta.value); err != nil {
				return nil, err
			}
		}
		data = cmp.Or(data, ledger.DataName(c.args[0]))
		open := ledger.Record{Data: data, Unit: unit, Adjacency: adjacency.value, Promise: &p, Follows: follows}
		l, err := file.Create(c, open, spent, rungs)
		if err != nil {
			return nil, a.withSchema(err)
		}
		if p.Blocks != "" && !strings.Contains(strings.ToLower(unit), strings.ToLower(p.Blocks)) {
			a.tell("note: do all data of one %s lie in one %s? If not, the promise does not cover them together: each %s has the full budget. Say --unit %s if that is meant", unit, p.Blocks, p.Blocks, numeral.Argument(unit+"-"+p.Blocks))
		}
		about := l.Filter.Describe()
		return a.finishWrite(l, nil, "%s: promised ε %s at δ %s for %s%s; %s, %s to spend", c.args[0], l.Promise.ShownEpsilon(), l.Promise.Delta,
			report.OneUnit(unit), l.Promise.Scope(),
			about.Title, about.Lower(l.Filter.Budget()))
	})
}

// reviewPlan refuses a plan in which a review of the promise finds a fault.
func reviewPlan(ctx context.Context, plan *scenarios.Scenario, unit string, epsilon, delta float64) error {
	found, err := review.OfPromise(ctx, plan, unit, epsilon, delta)
	if err != nil || found == nil || !found.Refuses() {
		return err
	}
	return &failure{statusExceeded, verdictError(found)}
}

func shares(texts []string) (map[string]string, error) {
	list := map[string]string{}
	for _, text := range texts {
		name, share, found := strings.Cut(text, "=")
		x, err := numeral.Parse(share)
		if !found || err != nil || name == "" || list[name] != "" {
			return nil, fmt.Errorf("--quota: %q must have the form NAME=SHARE, as in stats=0.5, and each name stands once", text)
		}
		list[name] = numeral.Format(x)
	}
	return list, nil
}
