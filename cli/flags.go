package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"epsiloscope/mechanisms/numeral"
)

// numberFlag is a flag that takes a number as people write it (1e-6, ln(3),
// 1/800), keeps whether it was given, and words its own complaints.
type numberFlag struct {
	value *float64
	check func(float64) string // "" if allowed, else what is: "must be …"
}

func (n *numberFlag) String() string {
	if n.value == nil {
		return ""
	}
	return numeral.Format(*n.value)
}

func (n *numberFlag) Type() string { return "number" }

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
	n.value = &x
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
	for _, choice := range c.choices {
		if text == choice {
			c.value = text
			return nil
		}
	}
	return fmt.Errorf("must be one of %s", strings.Join(c.choices, ", "))
}

// addChoice declares a choice flag with completion of its words, which end its help:
// in place of the value they would push every other description off the screen.
func addChoice(cmd *cobra.Command, c *choiceFlag, name, short, help string) {
	if c.word == "" {
		c.word = strings.ToUpper(name)
	}
	cmd.Flags().VarP(c, name, short, help+": "+strings.Join(c.choices, ", "))
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(c.choices, cobra.ShellCompDirectiveNoFileComp))
}

// plainType says what a flag of one of Go's own types takes.
func plainType(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return "is no value for it: the flag stands alone"
	case "uint64":
		return "must be a whole number from 0 to 18446744073709551615"
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
		if number := new(strconv.NumError); errors.As(err, &number) { // Go's own words
			problem = errors.New(plainType(invalid.GetFlag()))
		}
		return fmt.Errorf("--%s: %q %w", invalid.GetFlag().Name, invalid.GetValue(), problem)
	case errors.As(err, &unknown):
		name := "--" + unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			name = "-" + unknown.GetSpecifiedName()
		}
		return fmt.Errorf("%s has no flag %s%s", cmd.CommandPath(), name, see)
	case errors.As(err, &missing):
		return fmt.Errorf("--%s needs a value%s", missing.GetFlag().Name, see)
	}
	return fmt.Errorf("%w%s", err, see)
}
