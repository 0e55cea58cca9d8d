package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"epsiloscope/report"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/disk"
	"epsiloscope/scenarios/review"
)

func (a *app) scenariosCommand() *cobra.Command {
	var reviewed bool
	all := func(c *call) (output, error) {
		if !reviewed {
			return listLibrary(c.format), nil
		}
		list, err := reviewScenarios(c, scenarios.LibraryInfos())
		if err != nil {
			return nil, err
		}
		return sheet.Library(list), nil
	}
	list := &cobra.Command{Use: "list", Short: "one scenario per line, its name first", Example: `  epsiloscope scenarios list
  epsiloscope scenarios list --review    # real claims, reviewed`}
	list.Flags().BoolVar(&reviewed, "review", false, "review each: the verdict on its claim, and the points that are not settled")
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
		a.outputCommand(list, pages, all),
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
	}, textColumn("name", func(i scenarios.Info) string { return i.Name }),
		textColumn("group", func(i scenarios.Info) string { return i.Group }),
		textColumn("title", func(i scenarios.Info) string { return i.Title }))
}

// reviewScenarios reviews bundled scenarios, several at a time.
func reviewScenarios(ctx context.Context, infos []scenarios.Info) ([]sheet.ReviewedScenario, error) {
	all, errs := make([]sheet.ReviewedScenario, len(infos)), make([]error, len(infos))
	var group sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, info := range infos {
		if ctx.Err() != nil {
			break
		}
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			s, err := scenarios.LoadBundled(info.Name)
			if err == nil {
				all[i].Info = info
				all[i].Review, err = review.Quick(ctx, s, nil, review.Options{})
			}
			errs[i] = err
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err // said once, not for every scenario
	}
	return all, errors.Join(errs...)
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
