package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"epsiloscope/accounting/numeral"
	"epsiloscope/report"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/review"
)

func (a *app) validateCommand() *cobra.Command {
	return a.outputCommand(&cobra.Command{
		Use:   "validate FILE...",
		Short: "check scenario files: errors by line, and the values they expect",
		Args:  arguments(1, -1, "at least one FILE"),
	}, pages, func(c *call) (output, error) {
		defer a.showProgress("validate")()
		var rows []validated
		var problems []error
		for _, name := range c.args {
			row, err := a.validate(c, name)
			if err == nil || c.format != asTable {
				rows = append(rows, row)
			}
			problems = append(problems, err)
		}
		if c.format == asTable {
			var lines strings.Builder
			for _, r := range rows {
				fmt.Fprintf(&lines, "%s: ok, %s, %s\n", r.file, numeral.Plural(r.entries, "entry", "entries"), numeral.Plural(r.expected, "expected value", "expected values"))
			}
			return text(lines.String()), errors.Join(problems...)
		}
		return sheet.NewSheet("", validatedColumns, rows), errors.Join(problems...)
	})
}

// validated is a file that was checked.
type validated struct {
	file              string
	ok                bool
	entries, expected int
	problem           string
}

var validatedColumns = []sheet.Column[validated]{
	{Head: "file", Show: func(v validated) string { return v.file }, Key: "file", Value: func(v validated) any { return v.file }},
	{Head: "ok", Show: func(v validated) string { return strconv.FormatBool(v.ok) }, Key: "ok", Value: func(v validated) any { return v.ok }},
	{Head: "entries", Align: sheet.Right, Show: func(v validated) string { return strconv.Itoa(v.entries) }, Key: "entries", Value: func(v validated) any { return v.entries }},
	{Head: "expected", Align: sheet.Right, Show: func(v validated) string { return strconv.Itoa(v.expected) }, Key: "expected", Value: func(v validated) any { return v.expected }},
	{Head: "problem", Show: func(v validated) string { return v.problem }, Key: "problem", Value: func(v validated) any { return v.problem }},
}

// validate checks one file and returns what was found, with all that is wrong with it as an error. Points of its review
// that are not settled, and notes on its entries, go to standard error.
func (a *app) validate(ctx context.Context, name string) (v validated, err error) {
	v.file = printable(name)
	if name == "-" {
		v.file = "standard input" // as the mistakes of a file that cannot be read are told
	}
	defer func() {
		if v.ok = err == nil; err != nil {
			v.problem = report.Plain(err.Error())
		}
	}()
	s, err := a.load(name)
	if err != nil {
		return v, err
	}
	v.entries, v.expected = len(s.Stack), len(s.Expect)
	r, err := scenarios.Evaluate(ctx, s, scenarios.Options{})
	if err != nil {
		return v, err
	}
	misses := scenarios.CheckExpectations(ctx, v.file, s, r)
	found, err := review.Quick(ctx, s, r, review.Options{})
	if err != nil {
		return v, err
	}
	var notes textLines
	for _, p := range found.Questions() {
		if p.Name != scenarios.PointExpected { // the misses say it
			notes = append(notes, v.file+": note: "+report.PointLine(p))
		}
	}
	for _, n := range r.Notes {
		notes = append(notes, fmt.Sprintf("%s: note: %s: %s", v.file, n.Subject(), report.Plain(n.Text)))
	}
	if err := notes.Write(a.stderr, asTable); err != nil {
		return v, err
	}
	if len(misses) > 0 {
		return v, misses
	}
	return v, nil
}
