package cli

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"epsiloscope/accounting/numeral"
	"epsiloscope/cli/selfcheck"
	"epsiloscope/docs"
	"epsiloscope/report/sheet"
	"epsiloscope/tui/store"
)

func (a *app) pathsCommand() *cobra.Command {
	return a.outputCommand(&cobra.Command{Use: "paths", Short: "where configuration, state and recovery files are"}, pages, func(c *call) (output, error) {
		type place struct{ name, path string }
		at := store.Locate(os.Getenv)
		all := []place{{"config", at.Config}, {"recent", at.Recent}, {"recovery", at.Recovery}, {"log", at.Log}}
		return listing(c.format, all, func(p place) string { return fmt.Sprintf("%-9s %s", p.name, cmp.Or(p.path, "none: HOME is not set")) },
			textColumn("name", func(p place) string { return p.name }),
			textColumn("path", func(p place) string { return p.path })), nil
	})
}

func (a *app) schemaCommand() *cobra.Command {
	return a.outputCommand(&cobra.Command{
		Use:   "schema",
		Short: "JSON Schema of the scenario file, for editors",
		Long: `JSON Schema (draft 2020-12) of the scenario file. An editor that speaks to
yaml-language-server completes and checks a scenario that begins with

  # yaml-language-server: $schema=epsiloscope.schema.json

if that file lies beside it.`,
		Example: "  epsiloscope schema > epsiloscope.schema.json",
	}, document, func(*call) (output, error) { return text(docs.Schema), nil })
}

func (a *app) selfcheckCommand() *cobra.Command {
	return a.outputCommand(&cobra.Command{
		Use:   "selfcheck",
		Short: "recompute the built-in reference values and report",
		Long: `Recompute reference values that were derived independently (at fifty digits, by
quadrature, by brute force) and compare. Exit status 3 if any is off.`,
	}, pages, func(c *call) (output, error) {
		defer a.showProgress("selfcheck")()
		outcomes, err := selfcheck.Run(c)
		if err != nil {
			return nil, systemFailure(err)
		}
		failed := 0
		for _, o := range outcomes {
			if !o.Pass {
				failed++
			}
		}
		if failed > 0 {
			err = systemFailure(fmt.Errorf("%s off", numeral.Plural(failed, "reference value is", "reference values are")))
		}
		if c.format == asTable {
			lines := append(mapStrings(outcomes, outcomeLine), fmt.Sprintf("%d of %d reference values agree", len(outcomes)-failed, len(outcomes)))
			return textLines(lines), err
		}
		return sheet.NewSheet("", outcomeColumns, outcomes), err
	})
}

// outcomeLine returns one reference figure with what was computed.
func outcomeLine(o selfcheck.Outcome) string {
	word, got, problem := "pass", "-", ""
	if !o.Pass {
		word = "FAIL"
	}
	if !math.IsNaN(o.Got) {
		got = fmt.Sprintf("%.15g", o.Got)
	}
	if o.Err != nil {
		problem = "  " + o.Err.Error()
	}
	return fmt.Sprintf("%s  %-36s  %-20s  expected %-20.15g  within %.0e%s", word, o.ID, got, o.Expected, o.Tolerance, problem)
}

var outcomeColumns = []sheet.Column[selfcheck.Outcome]{
	textColumn("id", func(o selfcheck.Outcome) string { return o.ID }),
	{Head: "pass", Show: func(o selfcheck.Outcome) string { return strconv.FormatBool(o.Pass) }, Key: "pass", Value: func(o selfcheck.Outcome) any { return o.Pass }},
	numberColumn("value", func(o selfcheck.Outcome) float64 { return o.Got }),
	numberColumn("expected", func(o selfcheck.Outcome) float64 { return o.Expected }),
	numberColumn("tolerance", func(o selfcheck.Outcome) float64 { return o.Tolerance }),
	textColumn("problem", func(o selfcheck.Outcome) string {
		if o.Err == nil {
			return ""
		}
		return o.Err.Error()
	}),
}

// numberColumn returns a column of numbers, headed by its key; one that is not a number is an empty cell.
func numberColumn[T any](key string, value func(T) float64) sheet.Column[T] {
	return sheet.Column[T]{Head: key, Align: sheet.Right, Key: key, Value: func(x T) any {
		return value(x)
	}, Show: func(x T) string {
		if math.IsNaN(value(x)) {
			return ""
		}
		return fmt.Sprintf("%.15g", value(x))
	}}
}
