package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"epsiloscope/scenarios/interop"
	"epsiloscope/scenarios/report"
)

func (a *app) exportCommand() *cobra.Command {
	names, about := interop.ExportFormats()
	var target targetFlags
	formats := completeFormats(names, about)
	cmd := &cobra.Command{
		Use:   "export FORMAT FILE|NAME",
		Short: "code or a record that reproduces the stack in another tool",
		Long: `Code or a record that reproduces the stack in another tool, so that you can
check our figures there. An entry that the other tool has no place for is
refused, never left out; what else has no room there is said on standard error.
FORMAT is one of:

` + formatsHelp(names, about),
		Args: arguments(2, 2, "a FORMAT, and a FILE or NAME"),
		Example: `  epsiloscope export dp-accounting welcome > check.py
  epsiloscope export opacus training.yaml > accountant.json`,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 1 {
				return completeScenarios(cmd, nil, word)
			}
			return formats(cmd, args, word)
		},
	}
	target.add(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if err := knownFormat("export", args[0], names); err != nil {
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
			fmt.Fprintf(a.stderr, "%s: note: %s\n", printable(args[1]), report.Plain(remark))
		}
		_, err = a.stdout.Write(text)
		return err
	}
	return cmd
}
