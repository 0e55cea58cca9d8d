package cli

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"epsiloscope/scenarios"
)

func (a *app) completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:       "completion bash|zsh|fish|powershell",
		Short:     "a completion script for your shell",
		Args:      arguments(1, 1, "one shell: bash, zsh, fish or powershell"),
		ValidArgs: shells,
		Example:   "  source <(epsiloscope completion bash)",
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			at := slices.Index(shells, args[0])
			if at < 0 {
				return wrongf("completion knows no shell %q: it has bash, zsh, fish and powershell", args[0])
			}
			return []func(io.Writer) error{
				func(w io.Writer) error { return root.GenBashCompletionV2(w, true) }, root.GenZshCompletion,
				func(w io.Writer) error { return root.GenFishCompletion(w, true) }, root.GenPowerShellCompletionWithDesc,
			}[at](a.stdout)
		},
	}
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
