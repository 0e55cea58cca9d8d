package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"epsiloscope/ledger"
	"epsiloscope/scenarios"
)

// helpWidth is the width that help is wrapped to: a terminal of 80 columns.
const helpWidth = 79

// helpCommand returns "epsiloscope help COMMAND", for those who try that before --help. It
// is not listed: a file called help would otherwise be the surprise.
func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "help [COMMAND]",
		Short:  "help for a command",
		Hidden: true,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			about, _, err := cmd.Root().Find(args)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []string
			for _, c := range about.Commands() {
				if c.IsAvailableCommand() {
					names = append(names, c.Name()+"\t"+c.Short)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			switch {
			case len(rest) > 0:
				return noCommand(about, rest[0])
			case err != nil:
				return wrong(err)
			}
			return about.Help()
		},
	}
}

// usage writes how a command is called. It takes the place of the library's own, whose
// list of flags counts bytes, so that a δ shifts its line, and does not wrap. It is no
// template: see [manual].
func usage(c *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if c.Runnable() {
		b.WriteString("  " + c.UseLine() + "\n")
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("  " + c.CommandPath() + " [command]\n")
	}
	if c.HasExample() {
		b.WriteString("\nExamples:\n" + c.Example + "\n")
	}
	if c.HasAvailableSubCommands() {
		b.WriteString(commandList(c))
	}
	if c.HasAvailableLocalFlags() {
		b.WriteString("\nFlags:\n" + flagHelp(c.LocalFlags()))
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nUse \"%s [command] --help\" for more on a command.\n", c.CommandPath())
	}
	_, err := io.WriteString(c.OutOrStderr(), b.String())
	return err
}

// commandList lists the commands below one, in its groups if it has any.
func commandList(c *cobra.Command) string {
	var b strings.Builder
	list := func(group string) {
		for _, sub := range c.Commands() {
			if sub.GroupID == group && sub.IsAvailableCommand() {
				fmt.Fprintf(&b, "  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	if len(c.Groups()) == 0 {
		b.WriteString("\nCommands:\n")
		list("")
	}
	for _, g := range c.Groups() {
		b.WriteString("\n" + g.Title + ":\n")
		list(g.ID)
	}
	return b.String()
}

// flagHelp lists flags in two columns, the right one wrapped.
func flagHelp(flags *pflag.FlagSet) string {
	var names, texts []string
	wide := 0
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name, text := flagTerm(f)
		if f.Shorthand == "" {
			name = "    " + name
		}
		names, texts = append(names, name), append(texts, text)
		wide = max(wide, utf8.RuneCountInString(name))
	})
	var b strings.Builder
	for i, name := range names {
		b.WriteString(helpLine(wide+1, name, texts[i]) + "\n")
	}
	return b.String()
}

// flagTerm returns how help and manual name a flag, "-o, --output FORMAT", and what it does.
func flagTerm(f *pflag.Flag) (term, text string) {
	term = "--" + f.Name
	if f.Shorthand != "" {
		term = "-" + f.Shorthand + ", " + term
	}
	value, text := pflag.UnquoteUsage(f)
	if value != "" {
		term += " " + value
	}
	if f.DefValue != "" && f.DefValue != "0" && f.DefValue != "false" && f.DefValue != "[]" {
		text += fmt.Sprintf(" (default %s)", f.DefValue)
	}
	return term, text
}

// helpLine returns a name and its description, wrapped, in a list whose names have `wide`
// columns.
func helpLine(wide int, name, about string) string {
	lines := wrapWords(about, helpWidth-wide-3)
	return fmt.Sprintf("  %-*s %s", wide, name, strings.Join(lines, "\n"+strings.Repeat(" ", wide+3)))
}

// wrapWords breaks a text at spaces into lines of at most `width` characters.
func wrapWords(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

func (a *app) completionCommand() *cobra.Command {
	return a.outputCommand(&cobra.Command{
		Use:       "completion bash|zsh|fish|powershell",
		Short:     "a completion script for your shell",
		Args:      arguments(1, 1, "one shell: bash, zsh, fish or powershell"),
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		Example:   "  source <(epsiloscope completion bash)",
	}, document, func(c *call) (output, error) {
		root := c.cmd.Root()
		write, known := map[string]func(io.Writer) error{
			"bash": func(w io.Writer) error { return bashCompletion(root, w) }, "zsh": root.GenZshCompletion,
			"fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) }, "powershell": root.GenPowerShellCompletionWithDesc,
		}[c.args[0]]
		if !known {
			return nil, fmt.Errorf("completion knows no shell %q: it has bash, zsh, fish and powershell", c.args[0])
		}
		return written(func(w io.Writer, _ string) error { return write(w) }), nil
	})
}

// wordsOfBash takes the place of a call of the package bash-completion, where that is not installed.
const wordsOfBash = `    if declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
        _get_comp_words_by_ref "$@" cur prev words cword
    else
        words=("${COMP_WORDS[@]}") cword=$COMP_CWORD
        cur=${words[cword]} prev=${words[cword-1]}
    fi
`

// bashCompletion writes the completion script for bash, which also works without the package bash-completion.
func bashCompletion(root *cobra.Command, w io.Writer) error {
	var script strings.Builder
	if err := root.GenBashCompletionV2(&script, true); err != nil {
		return err
	}
	_, err := io.WriteString(w, strings.Replace(script.String(), "    _get_comp_words_by_ref \"$@\" cur prev words cword\n", wordsOfBash, 1))
	return err
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

// completeScenarios offers the files that begin with the word and the bundled scenarios. Shells look for files by
// themselves only if no word fits, so that the name of a bundled scenario would hide a file.
func completeScenarios(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return append(filesFrom(word, ".yaml", ".yml"), bundledNames()...), cobra.ShellCompDirectiveDefault
}

// completeLedgers offers ledgers for the first argument, and leaves the others to another function.
func completeLedgers(others cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return others(cmd, args[1:], word)
		}
		return filesFrom(word, ledgerEnding), cobra.ShellCompDirectiveDefault
	}
}

// completeReservations offers the ids of the reservations of a ledger that are neither committed nor cancelled.
func completeReservations(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) != 1 {
		return completeLedgers(cobra.NoFileCompletions)(cmd, args, word)
	}
	file, err := ledger.Open(args[0], ledger.LockWait{})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	l, err := file.Read()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var ids []string
	for _, r := range l.Records {
		if r.Cost != nil && l.State(r.ID) == ledger.Held {
			ids = append(ids, r.ID+"\t"+printable(cmp.Or(r.Why, r.By)))
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// filesFrom lists the folders, and the files with one of some endings, whose path begins with a word.
func filesFrom(word string, endings ...string) (list []string) {
	folder, begin := filepath.Split(word)
	entries, err := os.ReadDir(cmp.Or(folder, "."))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		name := e.Name()
		switch {
		case !strings.HasPrefix(name, begin) || begin == "" && strings.HasPrefix(name, "."):
		case e.IsDir():
			list = append(list, folder+name+"/")
		case slices.Contains(endings, filepath.Ext(name)):
			list = append(list, folder+name)
		}
	}
	return list
}

// fileFlags are the flags whose value is a file. Shells offer files for a flag unless they are told that it takes none.
var fileFlags = []string{"to", "scores", "planned", "certificate", "check", "plan", "exercises", "file"}

// completeNoFiles keeps shells from offering files as values of flags that take none: --entry, --delta.
func completeNoFiles(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if _, known := cmd.GetFlagCompletionFunc(f.Name); !known && f.Value.Type() != "bool" &&
			!slices.Contains(fileFlags, f.Name) {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, cobra.NoFileCompletions)
		}
	})
	for _, below := range cmd.Commands() {
		completeNoFiles(below)
	}
}

// completeFiles leaves the shell to its files.
func completeFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

func bundledNames() []string {
	return mapStrings(scenarios.LibraryInfos(), func(i scenarios.Info) string { return i.Name })
}
