package cli

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/disk"
)

func (a *app) scenariosCommand() *cobra.Command {
	all := func(c *call) (output, error) { return listLibrary(c.format), nil }
	cmd := &cobra.Command{
		Use: "scenarios", Short: "the bundled scenarios: list, show, copy",
		Long: "List the bundled scenarios, one per line, its name first. The commands below\nshow one and copy it.",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noCommand(cmd, args[0])
			}
			return nil
		},
	}
	cmd.AddCommand(
		a.outputCommand(&cobra.Command{Use: "list", Short: "one scenario per line, its name first"}, pages, all),
		a.outputCommand(&cobra.Command{
			Use: "show NAME", Short: "the scenario's file",
			Args:              arguments(1, 1, "one NAME"),
			ValidArgsFunction: complete(bundledNames, completeFiles),
		}, document, func(c *call) (output, error) {
			file, err := scenarios.BundledSource(c.args[0])
			return text(file), err
		}),
		a.outputCommand(&cobra.Command{
			Use: "copy NAME PATH", Short: "the scenario's file, as a file of your own",
			Args:              arguments(2, 2, "a NAME and a PATH"),
			ValidArgsFunction: complete(bundledNames, completeFiles),
		}, nil, func(c *call) (output, error) { return nil, copyScenario(c.args[0], c.args[1]) }),
	)
	return a.outputCommand(cmd, pages, all)
}

// listLibrary lists the bundled scenarios.
func listLibrary(format string) output {
	all := scenarios.LibraryInfos()
	name, group := 0, 0
	for _, info := range all {
		name = max(name, ansi.StringWidth(info.Name))
		group = max(group, ansi.StringWidth(info.Group))
	}
	return listing(format, all, func(i scenarios.Info) string {
		return strings.TrimRight(fmt.Sprintf("%-*s  %-*s  %s", name, i.Name, group, i.Group, report.Plain(i.Title)), " ")
	}, textColumn("name", func(i scenarios.Info) string { return i.Name }), textColumn("group", func(i scenarios.Info) string { return i.Group }),
		textColumn("title", func(i scenarios.Info) string { return i.Title }))
}

// copyScenario writes a bundled scenario to a new file, whole or not at all: half a scenario
// would cost less than the whole. It replaces no file.
func copyScenario(name, path string) error {
	text, err := scenarios.BundledSource(name)
	if err != nil {
		return wrong(err)
	}
	return writeWhole(path, text, func(string, []byte) error { return disk.ErrExists })
}
