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

// maxRecord bounds what is read of a record: one byte more than interop takes, so
// that it can say so.
const maxRecord = interop.MaxSize + 1

func (a *app) importCommand() *cobra.Command {
	names, about := interop.Formats()
	return &cobra.Command{
		Use:   "import FORMAT FILE",
		Short: "another tool's record, as a scenario on standard output",
		Long: `Another tool's record, as a scenario on standard output. A record is understood
completely or refused, with the place. What was assumed, bounded from above or
has no effect on the cost is said on standard error, and how the source's own
figures compare with ours. FILE may be "-" for standard input. FORMAT is one of:

` + formatsHelp(names, about),
		Args: arguments(2, 2, "a FORMAT and a FILE"),
		Example: `  epsiloscope import opacus accountant.json > training.yaml
  epsiloscope import csv ledger.csv | epsiloscope compare -`,
		ValidArgsFunction: completeFormats(names, about),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := knownFormat("import", args[0], names); err != nil {
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
		fmt.Fprintf(a.stderr, "%s: note: %s\n", printable(name), report.Plain(remark))
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
	if path == "-" {
		data, err = io.ReadAll(io.LimitReader(a.stdin, maxRecord))
		if err != nil {
			err = fmt.Errorf("standard input: %w", err)
		}
		return "standard input", data, err
	}
	f, err := os.Open(path)
	if err != nil {
		return path, nil, plainFileError(path, err)
	}
	defer f.Close()
	if data, err = io.ReadAll(io.LimitReader(f, maxRecord)); err != nil {
		return path, nil, plainFileError(path, err)
	}
	return path, data, nil
}

// knownFormat complains about a format before anything is read.
func knownFormat(command, format string, names []string) error {
	if slices.Contains(names, format) {
		return nil
	}
	return wrongf("%s knows no format %q: it has %s", command, format, strings.Join(names, ", "))
}

func formatsHelp(names, about []string) string {
	var b strings.Builder
	for i, name := range names {
		fmt.Fprintf(&b, "  %-15s %s\n", name, about[i])
	}
	return strings.TrimRight(b.String(), "\n")
}

// completeFormats offers the formats, then leaves the shell to its files.
func completeFormats(names, about []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		var words []string
		for i, name := range names {
			words = append(words, name+"\t"+about[i])
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}
