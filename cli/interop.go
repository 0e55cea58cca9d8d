package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"epsiloscope/exchange/interop"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/disk"
)

// A file and the name of a format come in; a scenario goes out on standard output, and remarks on standard
// error. For export it is the other way round.

// formatsOf returns formats of other tools, what each is, and a check of the arguments, the first
// of which is one of them, before anything is read.
func formatsOf(list func() (names, about []string), arguments cobra.PositionalArgs) (help string,
	words func() []string, check cobra.PositionalArgs) {
	names, about := list()
	var rows, lines []string
	for i, name := range names {
		rows = append(rows, helpLine(15, name, about[i]))
		lines = append(lines, name+"\t"+about[i])
	}
	return strings.Join(rows, "\n"), func() []string { return lines }, func(cmd *cobra.Command, args []string) error {
		if err := arguments(cmd, args); err != nil || slices.Contains(names, args[0]) {
			return err
		}
		return wrongf("%s knows no format %q: it has %s", cmd.Name(), args[0], strings.Join(names, ", "))
	}
}

func (a *app) importCommand() *cobra.Command {
	help, words, check := formatsOf(interop.Formats, arguments(2, 2, "a FORMAT and a FILE"))
	var unit string
	cmd := &cobra.Command{
		Use:   "import FORMAT FILE",
		Short: "another tool's record, as a scenario on standard output",
		Long: `Convert another tool's record to a scenario on standard output. A record is read
completely or rejected, with the position of the problem. What was assumed,
bounded from above or ignored as without cost is reported on standard error,
with a comparison of the source's own ε and ours. FILE may be "-" for standard
input. FORMAT is one of:

` + help,
		Args: check,
		Example: `  epsiloscope import opacus accountant.json > training.yaml
  epsiloscope import csv releases.csv | epsiloscope compare -
  epsiloscope import opacus accountant.json --unit person-month |
      epsiloscope ledger ask usage.ledger -`,
		ValidArgsFunction: complete(words, completeFiles),
	}
	cmd.Flags().StringVar(&unit, "unit", "", "whose data one record is, which records rarely say: `TEXT` such as person-day")
	return a.outputCommand(cmd, document, func(c *call) (output, error) {
		name, data, err := "standard input", []byte(nil), error(nil)
		if c.args[1] == "-" {
			data, err = disk.ReadAll(a.stdin)
		} else {
			name = c.args[1]
			data, err = disk.Read(name)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s", name, disk.Reason(err))
		}
		rec, err := interop.Import(c.args[0], data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		own := rec.Scenario.Unit
		switch {
		case own != "" && unit != "" && own != unit:
			return nil, fmt.Errorf("%s: the record says its unit, %q; --unit would make it another", name, own)
		case own == "":
			rec.Scenario.Unit = unit
		}
		if err := rec.Scenario.Validate(); err != nil {
			return nil, err
		}
		file, err := rec.Scenario.Marshal()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, remark := range rec.Remarks {
			a.note(name, remark)
		}
		done := a.showProgress("import")
		verdicts, err := rec.Verdicts(c)
		done()
		for _, v := range verdicts {
			fmt.Fprintf(a.stderr, "%s: %s\n", printable(name), report.Plain(v))
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return text(file), err
	})
}

func (a *app) exportCommand() *cobra.Command {
	help, words, check := formatsOf(interop.ExportFormats, arguments(2, 2, "a FORMAT, and a FILE or NAME"))
	var target targetFlags
	cmd := &cobra.Command{
		Use:   "export FORMAT FILE|NAME",
		Short: "code or a record that reproduces the stack in another tool",
		Long: `Code or a record that reproduces the stack in another tool, so that you can
check our values there. An entry that the other tool has no place for is
refused, never left out; what else it cannot hold is said on standard error.
FORMAT is one of:

` + help,
		Args: check,
		Example: `  epsiloscope export dp-accounting welcome > check.py
  epsiloscope export opacus training.yaml > accountant.json`,
		ValidArgsFunction: complete(words, completeScenarios),
	}
	target.add(cmd)
	return a.outputCommand(cmd, document, func(c *call) (output, error) {
		s, err := a.load(c.args[1])
		if err != nil {
			return nil, wrong(err)
		}
		before := s.Clone()
		if err := target.apply(s); err != nil {
			return nil, err
		}
		code, remarks, err := interop.Export(c.args[0], s)
		if err != nil {
			return nil, err
		}
		if err := target.refuseIdle(cmd, before, s, func(other *scenarios.Scenario) bool {
			again, _, err := interop.Export(c.args[0], other)
			return err == nil && bytes.Equal(again, code)
		}); err != nil {
			return nil, err
		}
		for _, remark := range remarks {
			a.note(c.args[1], remark)
		}
		return text(code), nil
	})
}
