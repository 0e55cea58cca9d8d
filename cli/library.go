package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
)

func (a *app) scenariosCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "scenarios",
		Short: "the bundled scenarios: list, show, copy",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return wrongf("scenarios has no command %q: it has list, show and copy", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return wrongf("scenarios needs a command: list, show NAME or copy NAME PATH")
		},
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "list", Short: "one scenario a line, its name first",
			Args: arguments(0, 0, "no argument"),
			RunE: func(*cobra.Command, []string) error { return a.listScenarios() },
		},
		&cobra.Command{
			Use: "show NAME", Short: "the scenario's file",
			Args:              arguments(1, 1, "one NAME"),
			ValidArgsFunction: completeBundled,
			RunE: func(_ *cobra.Command, args []string) error {
				text, err := bundledSource(args[0])
				if err != nil {
					return err
				}
				_, err = a.stdout.Write(text)
				return err
			},
		},
		&cobra.Command{
			Use: "copy NAME PATH", Short: "the scenario's file, as a file of your own",
			Args:              arguments(2, 2, "a NAME and a PATH"),
			ValidArgsFunction: completeBundled,
			RunE: func(_ *cobra.Command, args []string) error {
				return copyScenario(args[0], args[1])
			},
		},
	)
	return cmd
}

func completeBundled(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return bundledNames(), cobra.ShellCompDirectiveNoFileComp
}

func (a *app) listScenarios() error {
	name, group := 0, 0
	for _, info := range scenarios.Bundled() {
		name = max(name, ansi.StringWidth(info.Name))
		group = max(group, ansi.StringWidth(info.Group))
	}
	return a.printAll(each(scenarios.Bundled(), func(i scenarios.Info) string {
		return strings.TrimRight(fmt.Sprintf("%-*s  %-*s  %s", name, i.Name, group, i.Group, report.Plain(i.Title)), " ")
	}))
}

// bundledSource is the text of a bundled scenario, or an error that says where the
// names are.
func bundledSource(name string) ([]byte, error) {
	text, err := scenarios.BundledSource(name)
	if err != nil {
		return nil, wrong(err)
	}
	return text, nil
}

// copyScenario writes a bundled scenario to a new file; it replaces none.
func copyScenario(name, path string) error {
	text, err := bundledSource(name)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return wrongf("%s: there is already a file of that name", path)
	}
	if err != nil {
		return notWritten(path, err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return notWritten(path, err)
	}
	return nil
}
