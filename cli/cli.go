package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/spf13/cobra"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/tui/early"
)

// app holds the streams of one run.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	progress       progress
}

// Main runs the program with the arguments after its name and returns its exit
// status. Results go to stdout, diagnostics to stderr.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	early.Restore()
	lipgloss.SetHasDarkBackground(true) // the explorer has themes; without an answer Lip Gloss would ask the terminal
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	// One accountant: what it knows of a loss serves every question of a command.
	return a.execute(scenarios.NewEvaluator().Context(context.Background()), args)
}

// execute runs a command and returns its exit status.
func (a *app) execute(ctx context.Context, args []string) int {
	root := a.root(args)
	root.SetArgs(args)
	root.SetIn(a.stdin)
	// remembers that writing failed, which the library that prints help and version does not tell
	help := bufio.NewWriter(a.stdout)
	root.SetOut(help)
	root.SetErr(a.stderr)
	if len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		completeNoFiles(root)
	}
	// A fault of ours is not shown as a stack trace, nor passed over: whatever else a command printed, it fails.
	err := accounting.Recover(ctx, root.ExecuteContext)
	if failed := help.Flush(); err == nil {
		err = failed
	}
	return a.finish(err)
}

// root returns the command that stands for the program, with the command below it that the arguments name, or with all.
func (a *app) root(args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "epsiloscope [FILE|NAME]",
		Short: "a privacy-budget explorer for the terminal",
		Long: `Epsiloscope stacks differentially private mechanisms and shows, side by side,
what every composition theorem says the stack costs.

FILE|NAME is a scenario file, "-" for standard input, or the name of a bundled
scenario (see "epsiloscope scenarios list"). Without one, the scenario "welcome"
is opened. If there is no terminal to draw on and to read keys from, the
comparison is printed.
A file whose name ends in .ledger opens the explorer on its ledger or, without a
terminal, is shown as "epsiloscope ledger show" does.`,
		Version: currentVersion().String(),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 && nearCommand(cmd, args[0]) != "" { // a command with its arguments
				return noCommand(cmd, args[0])
			}
			return arguments(0, 1, "FILE or NAME")(cmd, args)
		},
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	var look exploreFlags
	look.add(root)
	root.Flags().StringVar(&look.Exercises, "exercises", "", "begin with the questions of `FILE`")
	a.outputCommand(root, nil, func(c *call) (output, error) { return a.explore(c, &look) })
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return wrong(plainFlagError(cmd, err)) })
	root.SetUsageFunc(usage)
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(a.helpCommand())
	a.addCommands(root, args)
	return root
}

// commands are the commands in groups of what a user wants, each by its name and the method that makes it.
func commands() []commandGroup {
	return []commandGroup{
		{"Price", []namedCommand{
			{"compare", (*app).compareCommand}, {"explain", (*app).explainCommand}, {"curve", (*app).curveCommand},
			{"person", (*app).personCommand}, {"watch", (*app).watchCommand},
		}},
		{"Plan", []namedCommand{{"plan", (*app).planCommand}, {"split", (*app).splitCommand}}},
		{"Keep a promise", []namedCommand{
			{"ledger", (*app).ledgerCommand}, {"review", (*app).reviewCommand}, {"statement", (*app).statementCommand},
			{"certify", (*app).certifyCommand}, {"audit", (*app).auditCommand}, {"validate", (*app).validateCommand},
		}},
		{"Learn", []namedCommand{
			{"tour", (*app).tourCommand}, {"scenarios", (*app).scenariosCommand}, {"lectures", (*app).lecturesCommand},
			{"lab", (*app).labCommand}, {"proof", (*app).proofCommand}, {"exercise", (*app).exerciseCommand},
		}},
		{"Exchange", []namedCommand{
			{"share", (*app).shareCommand}, {"import", (*app).importCommand}, {"export", (*app).exportCommand},
			{"client", (*app).clientCommand}, {"schema", (*app).schemaCommand},
		}},
		{"Program", []namedCommand{
			{"selfcheck", (*app).selfcheckCommand}, {"paths", (*app).pathsCommand},
			{"completion", (*app).completionCommand}, {"version", (*app).versionCommand},
		}},
	}
}

type (
	commandGroup struct {
		title    string
		commands []namedCommand
	}
	namedCommand struct {
		name string
		make func(*app) *cobra.Command
	}
)

// addCommands adds the command that the first argument names, because making all of them takes longer than most of them
// take to run. If it names none, all are added: help, the manual and completion list them, and a name may be misspelt.
func (a *app) addCommands(root *cobra.Command, args []string) {
	groups := commands()
	for _, g := range groups {
		for _, c := range g.commands {
			if len(args) > 0 && args[0] == c.name {
				root.AddCommand(c.make(a))
				return
			}
		}
	}
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range g.commands {
			cmd := c.make(a)
			cmd.GroupID = g.title
			root.AddCommand(cmd)
		}
	}
	root.AddCommand(a.marginCommand(), a.manCommand())
}

// family returns a command that only has others below it.
func family(cmd *cobra.Command, members ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(members...)
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return noCommand(cmd, args[0])
		}
		return wrongf("%s needs a command; see %q", commandName(cmd), cmd.CommandPath()+" --help")
	}
	return cmd
}

func noCommand(cmd *cobra.Command, name string) error {
	problem := fmt.Sprintf("there is no command %q", name)
	if cmd.HasParent() {
		problem = fmt.Sprintf("%s has no command %q", commandName(cmd), name)
	}
	if near := nearCommand(cmd, name); near != "" {
		return wrongf("%s; did you mean %s?", problem, near)
	}
	return wrongf("%s; see %q", problem, cmd.CommandPath()+" --help")
}

// commandName returns how a message names a command, after the program's name and a colon.
func commandName(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return "the explorer"
	}
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// nearCommand returns the command below cmd whose name is nearest to a misspelt one, or "" if none is near.
func nearCommand(cmd *cobra.Command, name string) string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return param.Nearest(name, names)
}

// arguments checks how many arguments a command gets, in words of its own.
func arguments(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return wrongf("%s needs %s; see %q", commandName(cmd), what, cmd.CommandPath()+" --help")
		case most >= 0 && len(args) > most:
			return wrongf("%s takes %s, and %q is one too many", commandName(cmd), what, args[most])
		}
		if n := slices.Index(args, ""); n >= 0 { // as from a script whose variable is not set
			return wrongf("argument %d of %s is empty: it takes %s", n+1, commandName(cmd), what)
		}
		return nil
	}
}
