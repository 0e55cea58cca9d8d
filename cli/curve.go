package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report/chart"
	"epsiloscope/scenarios/report/draw"
)

func (a *app) curveCommand() *cobra.Command {
	var target targetFlags
	var opt chart.Options
	var methods []string
	var maxK numberFlag
	maxK.check = func(x float64) string {
		return unless(x >= 1 && x <= scenarios.ScenarioField("rounds").Max, "must be from 1 to 1e12")
	}
	cmd := &cobra.Command{
		Use:   "curve FILE|NAME KIND",
		Short: "the numbers behind one chart",
		Long:  "The numbers behind one chart. KIND is one of:\n\n" + kindsHelp(),
		Args:  arguments(2, 2, "a FILE or NAME, and a KIND"),
		Example: `  epsiloscope curve welcome epsilon-k -o csv
  epsiloscope curve plan.yaml noise --entry 2 -o json
  epsiloscope curve plan.yaml renyi --to renyi.svg`,
		ValidArgsFunction: completeCurve,
	}
	target.add(cmd)
	f := cmd.Flags()
	f.IntVar(&opt.Entry, "entry", 0, "the entry `N`, from 1, the chart is about")
	f.StringSliceVar(&methods, "method", nil, "only these methods (repeatable)")
	f.Var(&maxK, "max-k", "right end of the `K` axis of epsilon-k")
	f.IntVar(&opt.Points, "points", 0, "how many points (default about 60)")
	f.BoolVar(&opt.Numerical, "numerical", false, "ask the numerical accountant at every point (default for epsilon-k, profile and tradeoff)")
	format := addOutput(cmd, append([]string{asTable, asJSON, asCSV, asMarkdown}, draw.Formats()...)...)
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
		if opt.Methods, err = methodsNamed(methods); err != nil {
			return err
		}
		if maxK.value != nil {
			opt.MaxK = *maxK.value
		}
		s, err := a.open(args[0], &target)
		if err != nil {
			return err
		}
		opt.Precision = target.options().Precision
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

func kindsHelp() string {
	var b strings.Builder
	for _, k := range chart.Kinds() {
		b.WriteString("  " + k.Name + strings.Repeat(" ", 18-len(k.Name)) + k.Title + "\n")
	}
	return b.String()
}

// methodsNamed checks the words of --method.
func methodsNamed(names []string) ([]accounting.Method, error) {
	var list []accounting.Method
	known := methodNames()
	for _, name := range names {
		c := choiceFlag{choices: known}
		if err := c.Set(name); err != nil {
			return nil, wrongf("--method: %q %w", name, err)
		}
		list = append(list, accounting.Method(name))
	}
	return list, nil
}

func completeCurve(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) != 1 {
		return completeScenarios(cmd, args, word)
	}
	return each(chart.Kinds(), func(k chart.Kind) string { return k.Name + "\t" + k.Title }), cobra.ShellCompDirectiveNoFileComp
}
