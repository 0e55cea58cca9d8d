package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
)

func (a *app) validateCommand() *cobra.Command {
	return a.outputCommand(&cobra.Command{
		Use:   "validate FILE...",
		Short: "check scenario files: errors by line, and the figures they expect",
		Args:  arguments(1, -1, "at least one FILE"),
	}, nil, func(c *call) (output, error) {
		var verdicts []byte
		var problems []error
		for _, name := range c.args {
			verdict, err := a.validate(c, name)
			verdicts, problems = append(verdicts, verdict...), append(problems, err)
		}
		return text(verdicts), errors.Join(problems...)
	})
}

// validate checks one file and says that it is good, or all that is wrong with it.
// Remarks that are no errors go to standard error.
func (a *app) validate(ctx context.Context, name string) (verdict string, err error) {
	s, err := scenarios.LoadNamed(name, a.stdin)
	if err != nil {
		return "", err
	}
	name = printable(name)
	if name == "-" {
		name = "standard input" // as the mistakes of a file that cannot be read are told
	}
	r, err := scenarios.Evaluate(ctx, s, scenarios.Options{Closed: true})
	if err != nil {
		return "", err
	}
	misses := scenarios.CheckExpectations(ctx, name, s)
	for _, l := range r.Lints {
		fmt.Fprintf(a.stderr, "%s: note: %s: %s\n", name, l.Where(), report.Plain(l.Text))
	}
	if len(misses) > 0 {
		return "", misses
	}
	return fmt.Sprintf("%s: ok, %s, %s\n", name, numeral.Plural(len(s.Stack), "entry", "entries"),
		numeral.Plural(len(s.Expect), "expected figure", "expected figures")), nil
}
