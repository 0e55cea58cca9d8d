package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report"
	"epsiloscope/report/chart"
	"epsiloscope/report/render"
	"epsiloscope/scenarios"
	"epsiloscope/teach/labs"
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

` + strings.Join(mapStrings(labs.All(), func(l labs.Lab) string {
			return helpLine(23, l.Name, strings.Join(mapStrings(l.Params, labParameter), ", "))
		}), "\n"),
		Args: arguments(0, 1, "at most one NAME"),
		Example: `  epsiloscope lab
  epsiloscope lab differencing --set epsilon=0.1 --seed 7
  epsiloscope lab composition --to walk.svg
  epsiloscope lab sparse-vector --steps
  epsiloscope lab dp-sgd -o yaml | epsiloscope compare -`,
		ValidArgsFunction: complete(func() []string {
			return mapStrings(labs.All(), func(l labs.Lab) string { return l.Name + "\t" + l.Title })
		}, cobra.NoFileCompletions),
	}
	flags := cmd.Flags()
	flags.Uint64Var(&f.seed, "seed", 1, "the random numbers of run `N`")
	flags.StringArrayVar(&f.set, "set", nil, "change a parameter: `FIELD=VALUE` (repeatable)")
	flags.IntVar(&f.chart, "chart", 0, "only the chart `N`, from 1")
	flags.BoolVar(&f.steps, "steps", false, "only the steps of the algorithm, one per line")
	f.pic.add(cmd)
	return a.outputCommand(cmd, append(append(tables, asYAML), render.Formats()...), func(c *call) (output, error) {
		if len(c.args) == 0 {
			given := ""
			flags.Visit(func(f *pflag.Flag) {
				if f.Name != "output" && f.Name != "to" && f.Name != "force" || !slices.Contains(tables, c.format) {
					given = f.Name
				}
			})
			if given != "" {
				return nil, fmt.Errorf("--%s is about one experiment; without a NAME, lab lists them, one per line", given)
			}
			return listing(c.format, labs.All(), func(l labs.Lab) string { return fmt.Sprintf("%-23s %s", l.Name, l.Summary) },
				textColumn("name", func(l labs.Lab) string { return l.Name }),
				textColumn("title", func(l labs.Lab) string { return l.Title }),
				textColumn("summary", func(l labs.Lab) string { return l.Summary })), nil
		}
		if err := f.pic.refuse(c); err != nil {
			return nil, err
		}
		if f.chart < 0 || f.chart == 0 && flags.Changed("chart") {
			return nil, fmt.Errorf("--chart: %d is not a chart; they count from 1", f.chart)
		}
		defer a.showProgress("lab")()
		out, err := runLab(c, c.args[0], &f)
		if err != nil {
			return nil, err
		}
		return a.labOutput(c, out, &f)
	})
}

// labParameter names a parameter of a lab for the help, with its choices if it has any.
func labParameter(p param.Param) string {
	if p.Type == param.Choice {
		return p.Name + " (" + strings.Join(p.Choices, ", ") + ")"
	}
	return p.Name
}

func runLab(ctx context.Context, name string, f *labFlags) (*labs.Outcome, error) {
	lab, ok := labs.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("there is no lab %q; epsiloscope lab lists them", name)
	}
	values, err := labValues(lab, f.set)
	if err != nil {
		return nil, err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	out, err := labs.Run(ctx, name, labs.Options{Seed: f.seed, Values: values})
	switch {
	case errors.Is(err, context.Canceled):
		return nil, systemFailure(fmt.Errorf("%s was stopped", name))
	case err != nil:
		return nil, fmt.Errorf("--set %w", err)
	}
	return out, nil
}

// labValues reads the changes of --set.
func labValues(lab labs.Lab, set []string) (param.Values, error) {
	values := param.Values{}
	spec := mechanisms.Spec{Name: lab.Name, Params: lab.Params}
	for _, change := range set {
		name, text, found := strings.Cut(change, "=")
		if name = strings.TrimSpace(name); !found {
			return nil, fmt.Errorf("--set %s: must have the form FIELD=VALUE, as in %s=%s", change, lab.Params[0].Name, labs.ValueText(lab.Params[0].Default))
		}
		p, ok := spec.Param(name)
		if !ok {
			return nil, fmt.Errorf("--set %s: %s", name, spec.UnknownField(name))
		}
		v, err := scenarios.ParseValue(p, text)
		if err != nil {
			return nil, fmt.Errorf("--set %w", err)
		}
		values[name] = v
	}
	return values, nil
}

// labOutput returns what is printed of a run: all of it, or the part that the flags ask for.
func (a *app) labOutput(c *call, out *labs.Outcome, f *labFlags) (output, error) {
	charts := out.Charts
	s, unpriced := out.Scenario()
	switch {
	case f.chart > len(charts):
		return nil, fmt.Errorf("--chart: %s has no chart %d; it has %s", out.Lab.Name, f.chart, numeral.Plural(len(charts), "chart", "charts"))
	case f.steps && len(out.Sequence.Steps) == 0:
		return nil, fmt.Errorf("--steps: %s has no steps of its own; its charts show the whole run", out.Lab.Name)
	case f.steps && f.chart > 0:
		return nil, errors.New("--steps and --chart show one part each: give one of them")
	case f.chart > 0 && c.format == asYAML:
		return nil, errors.New("--chart: -o yaml is the scenario of the run, and has no chart; leave one of them out")
	case f.steps && !slices.Contains(tables, c.format):
		return nil, fmt.Errorf("--steps: a table, not %s", c.format)
	case f.steps:
		return out.StepSheet(), nil
	case c.format == asYAML && unpriced != nil:
		return nil, unpriced
	case c.format == asYAML:
		return scenarioFile(s)
	case f.chart > 0:
		return f.pic.chartOutput(charts[f.chart-1], c.format), nil
	case slices.Contains(render.Formats(), c.format):
		return a.labPictures(charts, f.pic, c.to), nil
	case c.format == asLaTeX:
		return nil, errors.New("-o latex writes one table: give --steps or --chart N")
	}
	if unpriced == nil {
		var err error
		if out.Cost, err = scenarios.Evaluate(c, s, scenarios.Options{ClosedFormsOnly: true}); err != nil {
			return nil, systemFailure(err)
		}
	}
	return out.Sheet(), nil
}

// labPictures returns all charts of a run, each in a file of its own. No file is written
// if one of them may not be.
func (a *app) labPictures(charts []chart.Chart, pic picture, first destination) output {
	return severalFiles(func(format string) error {
		ending := filepath.Ext(first.to)
		stem := strings.TrimSuffix(first.to, ending)
		files := make([]finishedFile, len(charts))
		for i, c := range charts {
			to := first
			if len(charts) > 1 {
				to.to = fmt.Sprintf("%s-%d%s", stem, i+1, ending)
			}
			var err error
			if files[i], err = to.finishFile(pic.draw(c), format); err != nil {
				return err
			}
		}
		for _, f := range files {
			if err := f.check(); err != nil {
				return err
			}
		}
		for i, f := range files {
			if err := f.write(); err != nil {
				return err
			}
			fmt.Fprintf(a.stderr, "%s: %s\n", printable(f.to), report.Plain(charts[i].Title))
		}
		fmt.Fprintln(a.stderr, labs.Warning)
		return nil
	})
}
