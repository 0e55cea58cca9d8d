package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"epsiloscope/scenarios"
)

func (a *app) completionCommand() *cobra.Command {
	return a.prints(&cobra.Command{
		Use:       "completion bash|zsh|fish|powershell",
		Short:     "a completion script for your shell",
		Args:      arguments(1, 1, "one shell: bash, zsh, fish or powershell"),
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		Example:   "  source <(epsiloscope completion bash)",
	}, nil, func(c *call) (output, error) {
		root := c.cmd.Root()
		write, known := map[string]func(io.Writer) error{
			"bash": func(w io.Writer) error { return root.GenBashCompletionV2(w, true) }, "zsh": root.GenZshCompletion,
			"fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) }, "powershell": root.GenPowerShellCompletionWithDesc,
		}[c.args[0]]
		if !known {
			return nil, fmt.Errorf("completion knows no shell %q: it has bash, zsh, fish and powershell", c.args[0])
		}
		return written(func(w io.Writer, _ string) error { return write(w) }), nil
	})
}

// complete offers words for the first argument, and leaves the others to another function.
func complete(words func() []string, others cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return others(cmd, args[1:], word)
		}
		return words(), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeScenarios offers the bundled scenarios and, beside them, files.
func completeScenarios(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return bundledNames(), cobra.ShellCompDirectiveDefault
}

// completeFiles leaves the shell to its files.
func completeFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

func bundledNames() []string {
	return each(scenarios.Bundled(), func(i scenarios.Info) string { return i.Name })
}
