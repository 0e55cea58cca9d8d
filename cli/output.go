package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"epsiloscope/report"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
)

// The words of -o.
const (
	asTable    = "table"
	asJSON     = "json"
	asCSV      = "csv"
	asMarkdown = "markdown"
	asLaTeX    = "latex"
	asBibTeX   = "bibtex"
	asYAML     = "yaml"
)

// pages are the formats of what is read line by line, tables those of a table.
var (
	tables = []string{asTable, asJSON, asCSV, asMarkdown, asLaTeX}
	pages  = tables[:4:4]
)

// output is printed by a command in the format asked for: most often a sheet.
type output interface {
	Write(w io.Writer, format string) error
}

// document is the list of formats of a command that prints one document in its own format.
var document = []string{}

// written is an output by a function, wholePage one that is printed as a whole or not at all, text one of bytes
// whatever the format.
type (
	written   func(w io.Writer, format string) error
	wholePage func(w io.Writer, format string) error
	text      []byte
)

func (f written) Write(w io.Writer, format string) error   { return f(w, format) }
func (f wholePage) Write(w io.Writer, format string) error { return f(w, format) }

func (t text) Write(w io.Writer, _ string) error {
	_, err := w.Write(t)
	return err
}

// textLines are lines for people, wrapped to the terminal if they go to one.
type textLines []string

func (lines textLines) Write(w io.Writer, _ string) error {
	width := terminalWidth(w)
	var all strings.Builder
	for _, line := range lines {
		all.WriteString(sheet.WrapLine(line, width) + "\n")
	}
	_, err := io.WriteString(w, all.String())
	return err
}

// scenarioFile returns a scenario as its file would be.
func scenarioFile(s *scenarios.Scenario) (output, error) {
	file, err := s.Marshal()
	if err != nil {
		return nil, err
	}
	return text(file), nil
}

// call is a call of a command.
type call struct {
	context.Context
	cmd    *cobra.Command
	args   []string
	format string // one of the command's; "" if it has none
	to     destination
}

// outputCommand completes cmd: it adds -o (the first format is the default) and --to, runs run and writes its output.
// Without formats there is no -o; nil formats are those of a command that prints no document, which has no --to either.
func (a *app) outputCommand(cmd *cobra.Command, formats []string, run func(*call) (output, error)) *cobra.Command {
	format := &choiceFlag{}
	if len(formats) > 0 {
		format = addChoice(cmd, &choiceFlag{value: formats[0], choices: formats, word: "FORMAT"}, "output", "o", "output format")
	}
	var to destination
	if formats != nil {
		to.add(cmd, len(formats) > 0)
	}
	if cmd.Args == nil {
		cmd.Args = arguments(0, 0, "no argument")
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c := &call{cmd.Context(), cmd, args, format.value, to}
		if err := errors.Join(rejectEmpty(cmd.Flags()), c.settle(formats)); err != nil {
			return withExitStatus(err)
		}
		for _, arg := range args {
			c.to.inputs = append(c.to.inputs, a.inputs(arg)...)
		}
		if err := c.to.refuse(); err != nil { // before seconds are spent on what cannot be written
			return err
		}
		out, err := run(c)
		err = withExitStatus(err)
		if out != nil {
			err = errors.Join(err, c.write(a.stdout, out)) // a full disk does not hide what is wrong with the input
		}
		return err
	}
	return cmd
}

// write writes what a command prints: to the file of --to, or else to standard output.
func (c *call) write(stdout io.Writer, out output) error {
	s, isSheet := out.(*sheet.Sheet)
	page, isPage := out.(wholePage)
	switch {
	case c.to.to != "":
		return c.to.writeFile(out, c.format)
	case isSheet:
		s.Width = terminalWidth(stdout)
	case isPage: // nothing is printed of a page that cannot be finished
		f, err := c.to.finishFile(page, c.format)
		if err != nil {
			return err
		}
		out = text(f.data)
	}
	return out.Write(stdout, c.format)
}

// terminalWidth returns how many columns the terminal has that w writes to. If it writes elsewhere, that is what
// COLUMNS says; 0 if nothing does, so that what is piped is not wrapped.
func terminalWidth(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _ := strconv.Atoi(os.Getenv("COLUMNS"))
	if term.IsTerminal(f.Fd()) {
		width, _, _ = term.GetSize(f.Fd())
	}
	if width < 40 {
		return 0
	}
	return width
}

// listing returns a list as lines for people, one per item, and in any other format as a sheet.
func listing[T any](format string, items []T, line func(T) string, columns ...sheet.Column[T]) output {
	if format == asTable {
		return textLines(mapStrings(items, line))
	}
	return sheet.NewSheet("", columns, items)
}

// textColumn returns a column of texts, headed by its key.
func textColumn[T any](key string, value func(T) string) sheet.Column[T] {
	return sheet.Column[T]{Head: key, Show: func(x T) string {
		return report.Plain(value(x))
	}, Key: key, Value: func(x T) any { return value(x) }}
}

// printable keeps the name of a file, which may come from a pattern and another
// hand, from changing colours or moving the cursor.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return unicode.ReplacementChar
		}
		return r
	}, name)
}

// mapStrings returns a word for every item of a list.
func mapStrings[T any](list []T, word func(T) string) []string {
	words := make([]string, len(list))
	for i, x := range list {
		words[i] = word(x)
	}
	return words
}

// note says on standard error what is no error about a file.
func (a *app) note(name, text string) {
	fmt.Fprintf(a.stderr, "%s: note: %s\n", printable(name), report.Plain(text))
}

// facts are lines with a name each; what is not known is left out. As JSON they are the data.
type facts struct {
	list []report.Line
	data any
}

func (f facts) Write(w io.Writer, format string) error {
	if format == asJSON {
		line, err := json.Marshal(f.data)
		if err != nil {
			return err
		}
		return text(append(line, '\n')).Write(w, format)
	}
	var all []string
	for _, fact := range f.list {
		if fact.Text != "" {
			all = append(all, fmt.Sprintf("%-16s %s", fact.Name, printable(fact.Text)))
		}
	}
	return textLines(all).Write(w, format)
}
