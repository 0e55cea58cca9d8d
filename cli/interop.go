package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"epsiloscope/scenarios/interop"
	"epsiloscope/scenarios/report"
)

// formatsOf are formats of other tools, what each is, and a check of the name given before
// anything is read.
func formatsOf(command string, list func() (names, about []string)) (help string, words func() []string, check func(name string) error) {
	names, about := list()
	var rows, lines []string
	for i, name := range names {
		rows = append(rows, helpLine(15, name, about[i]))
		lines = append(lines, name+"\t"+about[i])
	}
	return strings.Join(rows, "\n"), func() []string { return lines }, func(name string) error {
		if slices.Contains(names, name) {
			return nil
		}
		return wrongf("%s knows no format %q: it has %s", command, name, strings.Join(names, ", "))
	}
}

func (a *app) importCommand() *cobra.Command {
	help, words, check := formatsOf("import", interop.Formats)
	return &cobra.Command{
		Use:   "import FORMAT FILE",
		Short: "another tool's record, as a scenario on standard output",
		Long: `Another tool's record, as a scenario on standard output. A record is understood
completely or refused, with the place. What was assumed, bounded from above or
has no effect on the cost is said on standard error, and how the source's own
figures compare with ours. FILE may be "-" for standard input. FORMAT is one of:

` + help,
		Args: arguments(2, 2, "a FORMAT and a FILE"),
		Example: `  epsiloscope import opacus accountant.json > training.yaml
  epsiloscope import csv ledger.csv | epsiloscope compare -`,
		ValidArgsFunction: complete(words, completeFiles),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := check(args[0]); err != nil {
				return err
			}
			return a.importRecord(cmd, args[0], args[1])
		},
	}
}

func (a *app) importRecord(cmd *cobra.Command, format, path string) error {
	name, data, err := a.readRecord(path)
	if err != nil {
		return wrong(err)
	}
	rec, err := interop.Import(format, data)
	if err != nil {
		return wrongf("%s: %w", name, err)
	}
	text, err := rec.Scenario.Marshal()
	if err != nil {
		return wrongf("%s: %w", name, err)
	}
	if _, err := a.stdout.Write(text); err != nil {
		return err
	}
	for _, remark := range rec.Remarks {
		a.note(name, remark)
	}
	verdicts, err := rec.Verdicts(cmd.Context())
	for _, v := range verdicts {
		fmt.Fprintf(a.stderr, "%s: %s\n", printable(name), report.Plain(v))
	}
	if err != nil {
		return wrongf("%s: %w", name, err)
	}
	return nil
}

// readRecord reads a file or standard input, and says what to call it.
func (a *app) readRecord(path string) (name string, data []byte, err error) {
	name, from := "standard input", a.stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return path, nil, plainFileError(path, err)
		}
		defer f.Close()
		name, from = path, f
	}
	// One byte more than interop takes, so that it can say so.
	if data, err = io.ReadAll(io.LimitReader(from, interop.MaxSize+1)); err != nil {
		err = plainFileError(name, err)
	}
	return name, data, err
}

func (a *app) exportCommand() *cobra.Command {
	help, words, check := formatsOf("export", interop.ExportFormats)
	var target targetFlags
	cmd := &cobra.Command{
		Use:   "export FORMAT FILE|NAME",
		Short: "code or a record that reproduces the stack in another tool",
		Long: `Code or a record that reproduces the stack in another tool, so that you can
check our figures there. An entry that the other tool has no place for is
refused, never left out; what else has no room there is said on standard error.
FORMAT is one of:

` + help,
		Args: arguments(2, 2, "a FORMAT, and a FILE or NAME"),
		Example: `  epsiloscope export dp-accounting welcome > check.py
  epsiloscope export opacus training.yaml > accountant.json`,
		ValidArgsFunction: complete(words, completeScenarios),
	}
	target.add(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if err := check(args[0]); err != nil {
			return err
		}
		s, err := a.open(args[1], &target)
		if err != nil {
			return err
		}
		text, remarks, err := interop.Export(args[0], s)
		if err != nil {
			return wrong(err)
		}
		for _, remark := range remarks {
			a.note(args[1], remark)
		}
		_, err = a.stdout.Write(text)
		return err
	}
	return cmd
}
