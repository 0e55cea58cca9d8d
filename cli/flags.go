package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// numberFlag is a flag that takes a number as people write it (1e-6, ln(3),
// 1/800), keeps whether it was given, and words its own complaints.
type numberFlag struct {
	value float64
	given bool
	check func(float64) string // "" if allowed, else what is: "must be …"
}

func (n *numberFlag) String() string {
	if !n.given {
		return ""
	}
	return numeral.Format(n.value)
}

func (n *numberFlag) Type() string { return "NUMBER" }

func (n *numberFlag) Set(text string) error {
	x, err := numeral.Parse(text)
	if err != nil {
		return err
	}
	if n.check != nil {
		if problem := n.check(x); problem != "" {
			return errors.New(problem)
		}
	}
	n.value, n.given = x, true
	return nil
}

// listFlag is a flag that takes several values, repeated or with commas between them.
type listFlag[T any] struct {
	values []T
	read   func(text string) (T, error)
}

func (l *listFlag[T]) String() string { return "" }
func (l *listFlag[T]) Type() string   { return "LIST" }

func (l *listFlag[T]) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		x, err := l.read(strings.TrimSpace(part))
		if err != nil {
			return err
		}
		l.values = append(l.values, x)
	}
	return nil
}

// choiceFlag is a flag that takes one of a few words.
type choiceFlag struct {
	value   string
	choices []string
	also    map[string]string // other names of choices
	word    string            // what stands for the value in help: FORMAT
}

func (c *choiceFlag) String() string { return c.value }
func (c *choiceFlag) Type() string   { return c.word }

func (c *choiceFlag) Set(text string) error {
	if choice, ok := c.also[text]; ok {
		text = choice
	}
	if !slices.Contains(c.choices, text) {
		return fmt.Errorf("must be one of %s", strings.Join(c.choices, ", "))
	}
	c.value = text
	return nil
}

// addChoice declares a choice flag with completion of its words, which end its help:
// in place of the value they would push every other description off the screen.
func addChoice(cmd *cobra.Command, c *choiceFlag, name, short, help string) *choiceFlag {
	c.word = cmp.Or(c.word, strings.ToUpper(name))
	cmd.Flags().VarP(c, name, short, help+": "+strings.Join(c.choices, ", "))
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(c.choices, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// oldName is a flag under the name it had before.
type oldName struct {
	pflag.Value
	warn func()
}

func (o oldName) Set(text string) error {
	o.warn()
	return o.Value.Set(text)
}

// addOldName lets a flag be given by the name it had before, which help does not list, with a note on standard error.
func (a *app) addOldName(cmd *cobra.Command, old, now string) {
	warn := func() {
		fmt.Fprintf(a.stderr, "epsiloscope: note: --%s is --%s now; the old name goes with the next version\n", old, now)
	}
	cmd.Flags().Var(oldName{cmd.Flags().Lookup(now).Value, warn}, old, "the old name of --"+now)
	_ = cmd.Flags().MarkHidden(old)
}

// methodNames returns the words of --method.
func methodNames() []string {
	return mapStrings(accounting.Methods(), func(t accounting.Theorem) string { return string(t.Method) })
}

// addMethod declares --method, which takes one theorem, the best if it is not given.
func addMethod(cmd *cobra.Command, help string) *choiceFlag {
	return addChoice(cmd, &choiceFlag{choices: methodNames()}, "method", "", help+" (default: the best)")
}

// addMethods declares --method, which takes several.
func addMethods(cmd *cobra.Command) *listFlag[accounting.Method] {
	f := &listFlag[accounting.Method]{read: func(name string) (accounting.Method, error) {
		c := choiceFlag{choices: methodNames()}
		return accounting.Method(name), c.Set(name)
	}}
	cmd.Flags().Var(f, "method", "only the `METHOD` (repeatable, or several with commas): "+strings.Join(methodNames(), ", "))
	_ = cmd.RegisterFlagCompletionFunc("method", cobra.FixedCompletions(methodNames(), cobra.ShellCompDirectiveNoFileComp))
	return f
}

// rejectEmpty refuses a flag that was given and left empty, as a script does whose variable is not
// set: a head that is not there would be checked as if none had been asked for.
func rejectEmpty(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && strings.TrimSpace(f.Value.String()) == "" {
			err = wrongf("--%s is empty: give it a value, or leave it out", f.Name)
		}
	})
	return err
}

// plainType says what a flag of one of Go's own types takes.
func plainType(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return "is not allowed: the flag takes no value"
	case "uint64":
		return "must be a whole number from 0 to 18446744073709551615"
	case "duration":
		return "is no length of time: write 30s or 5m"
	}
	return "must be a whole number"
}

// plainFlagError rewords the flag parser's complaints for a user.
func plainFlagError(cmd *cobra.Command, err error) error {
	see := fmt.Sprintf("; see %q", cmd.CommandPath()+" --help")
	var invalid *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	switch {
	case errors.As(err, &invalid):
		problem := errors.Unwrap(invalid)
		// Go's own words
		if number := new(strconv.NumError); errors.As(err, &number) || invalid.GetFlag().Value.Type() == "duration" {
			problem = errors.New(plainType(invalid.GetFlag()))
		}
		return fmt.Errorf("--%s: %q %w", invalid.GetFlag().Name, invalid.GetValue(), problem)
	case errors.As(err, &unknown) && cmd.HasParent() && cmd.HasSubCommands() && cmd.Flags().NArg() > 0:
		// it is the flag of what is not there
		return noCommand(cmd, cmd.Flags().Arg(0))
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			return fmt.Errorf("%s has no flag -%s%s", commandName(cmd), name, see)
		}
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				known = append(known, f.Name)
			}
		})
		if near := param.Nearest(name, known); near != "" {
			see = fmt.Sprintf("; did you mean --%s?", near)
		}
		return fmt.Errorf("%s has no flag --%s%s", commandName(cmd), name, see)
	case errors.As(err, &missing):
		return fmt.Errorf("--%s needs a value%s", missing.GetFlag().Name, see)
	}
	return fmt.Errorf("%w%s", err, see)
}
