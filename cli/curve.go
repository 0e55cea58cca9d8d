package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report/chart"
	"epsiloscope/scenarios/report/draw"
)

func (a *app) curveCommand() *cobra.Command {
	var target targetFlags
	var opt chart.Options
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
	target.add(cmd)
	f := cmd.Flags()
	f.IntVar(&opt.Entry, "entry", 0, "the entry `N`, from 1, the chart is about")
	f.Var(&maxK, "max-k", "right end of the `K` axis of epsilon-k")
	f.IntVar(&opt.Points, "points", 0, "how many points (default about 60)")
	f.BoolVar(&opt.Numerical, "numerical", false, "ask the numerical accountant at every point (default for epsilon-k, profile and tradeoff)")
	methods := addMethods(cmd)
	format := addOutput(cmd, append(tables, draw.Formats()...)...)
	var pic picture
	pic.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		kind, err := chart.KindNamed(args[1])
		if err != nil {
			return wrong(err)
		}
		if err := pic.settle(cmd, format); err != nil {
			return err
		}
		if opt.Entry < 0 || opt.Entry == 0 && cmd.Flags().Changed("entry") {
			return wrongf("--entry: %d is not an entry; they count from 1", opt.Entry)
		}
		if opt.Points < 0 || opt.Points > 100000 {
			return wrongf("--points: must be from 1 to 100000")
		}
		s, err := a.open(args[0], &target)
		if err != nil {
			return err
		}
		opt.Methods, opt.MaxK, opt.Precision = methods.values, maxK.value, target.options().Precision
		if !cmd.Flags().Changed("numerical") {
			opt.Numerical = kind.Tight
		}
		chart, err := kind.Build(cmd.Context(), s, opt)
		if err != nil {
			return wrong(err)
		}
		if slices.Contains(draw.Formats(), format.value) { // a picture goes about without its scenario
			chart = chart.About(s)
		}
		return pic.write(a.stdout, format.value, chart)
	}
	return cmd
}
