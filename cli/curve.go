package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report/chart"
	"epsiloscope/scenarios/report/draw"
)

func (a *app) curveCommand() *cobra.Command {
	var opt chart.Options
	var pic picture
	maxK := numberFlag{check: func(x float64) string {
		return unless(x >= 1 && x <= scenarios.ScenarioField("rounds").Max, "must be from 1 to 1e12")
	}}
	cmd := &cobra.Command{
		Use:   "curve FILE|NAME KIND",
		Short: "the numbers behind one chart",
		Long:  "The numbers behind one chart. KIND is one of:\n\n" + strings.Join(each(chart.Kinds(), func(k chart.Kind) string { return helpLine(17, k.Name, k.Title) }), "\n"),
		Args:  arguments(2, 2, "a FILE or NAME, and a KIND"),
		Example: `  epsiloscope curve welcome epsilon-k -o csv
  epsiloscope curve plan.yaml noise --entry 2 -o json
  epsiloscope curve plan.yaml renyi --to renyi.svg`,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			if len(args) != 1 {
				return completeScenarios(cmd, args, word)
			}
			return each(chart.Kinds(), func(k chart.Kind) string { return k.Name + "\t" + k.Title }), cobra.ShellCompDirectiveNoFileComp
		},
	}
	f := cmd.Flags()
	f.IntVar(&opt.Entry, "entry", 0, "the entry `N`, from 1, the chart is about")
	f.Var(&maxK, "max-k", "right end of the `K` axis of epsilon-k")
	f.IntVar(&opt.Points, "points", 0, "how many points (default about 60)")
	f.BoolVar(&opt.Numerical, "numerical", false, "ask the numerical accountant at every point (default for epsilon-k, profile and tradeoff)")
	methods := addMethods(cmd)
	pic.add(cmd)
	return a.answers(cmd, append(tables, draw.Formats()...), func(q *question) (output, error) {
		kind, err := chart.KindNamed(q.args[1])
		if err != nil {
			return nil, err
		}
		if err := pic.settle(q.call); err != nil {
			return nil, err
		}
		if opt.Entry < 0 || opt.Entry == 0 && f.Changed("entry") {
			return nil, fmt.Errorf("--entry: %d is not an entry; they count from 1", opt.Entry)
		}
		if opt.Points < 0 || opt.Points > 100000 {
			return nil, errors.New("--points: must be from 1 to 100000")
		}
		opt.Methods, opt.MaxK, opt.Precision = methods.values, maxK.value, q.target.options().Precision
		if !f.Changed("numerical") {
			opt.Numerical = kind.Tight
		}
		c, err := kind.Build(q, q.Scenario, opt)
		if err != nil {
			return nil, err
		}
		if slices.Contains(draw.Formats(), q.format) { // a picture goes about without its scenario
			c = c.About(q.Scenario)
		}
		return pic.of(c), nil
	})
}
