package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"epsiloscope/mechanisms/numeral"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
)

func (a *app) validateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "validate FILE...",
		Short: "check scenario files: errors by line, and the figures they expect",
		Args:  arguments(1, -1, "at least one FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var problems []error
			for _, name := range args {
				verdict, err := a.validate(cmd, name)
				if err != nil {
					problems = append(problems, err)
					continue
				}
				if _, err := fmt.Fprintln(a.stdout, verdict); err != nil {
					return err
				}
			}
			if len(problems) > 0 {
				return wrong(errors.Join(problems...))
			}
			return nil
		},
	}
}

// validate checks one file and says that it is good, or all that is wrong with it.
// Remarks that are no errors go to standard error.
func (a *app) validate(cmd *cobra.Command, name string) (verdict string, err error) {
	s, err := scenarios.LoadNamed(name, a.stdin)
	if err != nil {
		return "", err
	}
	name = printable(name)
	if name == "-" {
		name = "standard input" // as the mistakes of a file that cannot be read are told
	}
	r, err := scenarios.Evaluate(cmd.Context(), s, scenarios.Options{Closed: true})
	if err != nil && s.Path() != "" {
		return "", err // which names the file itself
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	var problems []error
	for _, f := range scenarios.CheckExpectations(cmd.Context(), s) {
		problems = append(problems, fmt.Errorf("%s: %s", place(name, f), f.Problem))
	}
	for _, l := range r.Lints {
		fmt.Fprintf(a.stderr, "%s: note: %s: %s\n", name, l.Where(), report.Plain(l.Text))
	}
	if len(problems) > 0 {
		return "", errors.Join(problems...)
	}
	return fmt.Sprintf("%s: ok, %s, %s", name, numeral.Plural(len(s.Stack), "entry", "entries"),
		numeral.Plural(len(s.Expect), "expected figure", "expected figures")), nil
}

// place is the file and the expectation in it that does not hold.
func place(name string, f scenarios.Failure) string {
	if f.Line == 0 {
		return name
	}
	return fmt.Sprintf("%s:%d:%d: expect[%d]", name, f.Line, f.Column, f.Index)
}
