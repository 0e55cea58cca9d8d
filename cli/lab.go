package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/labs"
	"epsiloscope/mechanisms/numeral"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/chart"
	"epsiloscope/scenarios/report/draw"
)

// labFlags are the options of one run.
type labFlags struct {
	seed  uint64
	set   []string
	chart int
	steps bool
	pic   picture
}

func (a *app) labCommand() *cobra.Command {
	var f labFlags
	cmd := &cobra.Command{
		Use:   "lab [NAME]",
		Short: "run one experiment of the lectures; without a name, list them",
		Long: `Run one experiment of the lectures on generated data: what is seen, what the
theorem says, and what it costs. The same seed gives the same run. Without a
name, list them.

` + strings.Join(each(labs.All(), func(l labs.Lab) string {
			return helpLine(23, l.Name, strings.Join(each(l.Params, func(p param.Param) string { return p.Name }), ", "))
		}), "\n"),
		Args: arguments(0, 1, "at most one NAME"),
		Example: `  epsiloscope lab
  epsiloscope lab differencing --set epsilon=0.1 --seed 7
  epsiloscope lab composition --to walk.svg
  epsiloscope lab sparse-vector --steps
  epsiloscope lab dp-sgd -o yaml | epsiloscope compare -`,
		ValidArgsFunction: complete(func() []string {
			return each(labs.All(), func(l labs.Lab) string { return l.Name + "\t" + l.Title })
		}, cobra.NoFileCompletions),
	}
	flags := cmd.Flags()
	flags.Uint64Var(&f.seed, "seed", 1, "the random numbers of run `N`")
	flags.StringArrayVar(&f.set, "set", nil, "change a parameter: `FIELD=VALUE` (repeatable)")
	flags.IntVar(&f.chart, "chart", 0, "only the chart `N`, from 1")
	flags.BoolVar(&f.steps, "steps", false, "only the steps of the algorithm, one a line")
	format := addOutput(cmd, append(append(tables, asYAML), draw.Formats()...)...)
	f.pic.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			var given string
			cmd.Flags().Visit(func(f *pflag.Flag) { given = f.Name })
			if given != "" {
				return wrongf("--%s is about one experiment; without a NAME, lab lists them, one a line", given)
			}
			return a.printAll(each(labs.All(), func(l labs.Lab) string { return fmt.Sprintf("%-23s %s", l.Name, l.Summary) }))
		}
		if err := f.pic.settle(cmd, format); err != nil {
			return err
		}
		if f.chart < 0 || f.chart == 0 && cmd.Flags().Changed("chart") {
			return wrongf("--chart: %d is not a chart; they count from 1", f.chart)
		}
		return a.runLab(cmd.Context(), args[0], format.value, &f)
	}
	return cmd
}

func (a *app) runLab(ctx context.Context, name, format string, f *labFlags) error {
	lab, ok := labs.Lookup(name)
	if !ok {
		return wrongf("there is no lab %q; epsiloscope lab lists them", name)
	}
	values, err := labValues(lab, f.set)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	progress, clear := a.progress(name)
	out, err := labs.Run(ctx, name, labs.Options{Seed: f.seed, Values: values, Progress: progress})
	clear()
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%s was stopped", name)
	case err != nil:
		return wrongf("--set %w", err)
	}
	if f.chart > len(out.Plots) {
		return wrongf("--chart: %s has no chart %d; it has %s", name, f.chart, numeral.Plural(len(out.Plots), "chart", "charts"))
	}
	switch {
	case f.steps && len(out.Sequence.Steps) == 0:
		return wrongf("--steps: %s has no steps of its own; its charts show the whole run", name)
	case f.steps && !slices.Contains(tables, format):
		return wrongf("--steps: a table, not %s", format)
	case f.steps:
		return f.put(a, chart.LabSteps(out), format)
	case slices.Contains(draw.Formats(), format) || f.chart > 0 && format != asYAML:
		return a.labCharts(out, format, f)
	case format == asLaTeX:
		return wrongf("-o latex writes one table: give --steps or --chart N")
	}
	return a.labRun(ctx, out, format, f)
}

// labValues reads the changes of --set.
func labValues(lab labs.Lab, set []string) (param.Values, error) {
	values := param.Values{}
	spec := mechanisms.Spec{Name: lab.Name, Params: lab.Params}
	for _, change := range set {
		name, text, found := strings.Cut(change, "=")
		if name = strings.TrimSpace(name); !found {
			return nil, wrongf("--set %s: must have the form FIELD=VALUE, as in %s=%s", change, lab.Params[0].Name, chart.LabValue(lab.Params[0].Default))
		}
		p, ok := spec.Param(name)
		if !ok {
			return nil, wrongf("--set %s: %s", name, spec.UnknownField(name))
		}
		v, err := scenarios.ParseValue(p, text)
		if err != nil {
			return nil, wrongf("--set %w", err)
		}
		values[name] = v
	}
	return values, nil
}

// labRun prints the whole run.
func (a *app) labRun(ctx context.Context, out *labs.Outcome, format string, f *labFlags) error {
	s := chart.LabScenario(out)
	if format == asYAML {
		return f.put(a, scenarioFile{s}, format)
	}
	cost, err := scenarios.Evaluate(ctx, s, scenarios.Options{Closed: true})
	if err != nil {
		return err
	}
	return f.put(a, chart.LabRun{Outcome: out, Cost: cost}, format)
}

func (f *labFlags) put(a *app, out output, format string) error {
	return f.pic.put(a.stdout, func(w io.Writer) error { return out.Write(w, format) })
}

// labCharts writes one chart, or every chart into a file of its own.
func (a *app) labCharts(out *labs.Outcome, format string, f *labFlags) error {
	charts := chart.LabCharts(out)
	if f.chart > 0 {
		return f.pic.write(a.stdout, format, charts[f.chart-1])
	}
	for i, c := range charts {
		pic := f.pic
		if len(charts) > 1 {
			ending := filepath.Ext(pic.to)
			pic.to = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(pic.to, ending), i+1, ending)
		}
		if err := pic.write(a.stdout, format, c); err != nil {
			return err
		}
		fmt.Fprintf(a.stderr, "%s: %s\n", printable(pic.to), report.Plain(c.Title))
	}
	fmt.Fprintln(a.stderr, labs.Warning)
	return nil
}
