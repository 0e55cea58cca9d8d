package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"epsiloscope/report/chart"
	"epsiloscope/report/render"
	"epsiloscope/scenarios"
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
		Long: "The numbers behind one chart. KIND is one of:\n\n" + strings.Join(mapStrings(chart.Kinds(), func(k chart.Kind) string {
			return helpLine(17, k.Name, k.Title)
		}), "\n"),
		Args: arguments(2, 2, "a FILE or NAME, and a KIND"),
		Example: `  epsiloscope curve welcome epsilon-k -o csv
  epsiloscope curve plan.yaml noise --entry 2 -o json
  epsiloscope curve plan.yaml renyi --to renyi.svg`,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			if len(args) != 1 {
				return completeScenarios(cmd, args, word)
			}
			return mapStrings(chart.Kinds(), func(k chart.Kind) string { return k.Name + "\t" + k.Title }),
				cobra.ShellCompDirectiveNoFileComp
		},
	}
	f := cmd.Flags()
	f.IntVar(&opt.Entry, "entry", 0, "the entry `N`, from 1, the chart is about")
	f.Var(&maxK, "max-k", "right end of the `K` axis of epsilon-k")
	f.IntVar(&opt.Points, "points", 0, "how many points `N` (default about 60; 20 for every 1000-fold of a numerical epsilon-k)")
	tight := slices.DeleteFunc(chart.Kinds(), func(k chart.Kind) bool { return !k.Tight })
	f.BoolVar(&opt.Numerical, "numerical", false, "ask the numerical accountant at every point (default for "+
		strings.Join(mapStrings(tight, func(k chart.Kind) string { return k.Name }), ", ")+")")
	methods := addMethods(cmd)
	pic.add(cmd)
	return a.scenarioCommand(cmd, append(tables, render.Formats()...), func(q *question) (output, error) {
		kind, err := chart.FindKind(q.args[1])
		if err != nil {
			return nil, err
		}
		if old := q.args[1]; old != kind.Name {
			fmt.Fprintf(a.stderr, "epsiloscope: note: the curve %s is %s now; the old name goes with the next version\n", old, kind.Name)
		}
		if err := pic.refuse(q.call); err != nil {
			return nil, err
		}
		for _, option := range []string{"entry", "max-k", "method", "numerical"} {
			if f.Changed(option) && !kind.Takes(option) {
				return nil, fmt.Errorf("--%s: the curve %s does not depend on it; leave it out", option, kind.Name)
			}
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
		if slices.Contains(render.Formats(), q.format) { // a picture goes about without its scenario
			c = c.ForExport(q.Scenario)
		}
		return pic.chartOutput(c, q.format), nil
	})
}

// picture holds the options of the drawing of a chart.
type picture struct{ options render.Options }

func (p *picture) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&p.options.Dark, "dark", false, "svg, png: light ink on a dark ground")
	f.IntVar(&p.options.Width, "width", 0, "svg, png: width in `PIXELS` (default 860)")
	f.IntVar(&p.options.Height, "height", 0, "svg, png: height in `PIXELS` (default 520)")
}

// refuse returns an error if an option of the drawing is given and nothing is drawn.
func (p *picture) refuse(c *call) error {
	for _, option := range []string{"dark", "width", "height"} {
		if c.cmd.Flags().Changed(option) && !slices.Contains(render.Formats(), c.format) {
			return fmt.Errorf("--%s is about a picture, and -o %s is none: give --to a path that ends in .%s", option, c.format, strings.Join(render.Formats(), " or ."))
		}
	}
	return nil
}

// chartOutput returns the chart, as a picture or as a sheet of its numbers, which a terminal folds.
func (p picture) chartOutput(c chart.Chart, format string) output {
	if slices.Contains(render.Formats(), format) {
		return p.draw(c)
	}
	return c.Sheet()
}

func (p picture) draw(c chart.Chart) output {
	return written(func(w io.Writer, format string) error {
		if slices.Contains(render.Formats(), format) {
			return render.Write(w, c, format, p.options)
		}
		return c.Sheet().Write(w, format)
	})
}
