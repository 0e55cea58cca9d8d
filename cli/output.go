package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
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

// addOutput declares -o with the formats a command has; the first is the default.
func addOutput(cmd *cobra.Command, formats ...string) *choiceFlag {
	return addChoice(cmd, &choiceFlag{value: formats[0], choices: formats, word: "FORMAT"}, "output", "o", "output format")
}

// output is what a command prints in the format asked for: most often a sheet.
type output interface {
	Write(w io.Writer, format string) error
}

// scenarioFile is a scenario as its file would be, whatever the format.
type scenarioFile struct{ *scenarios.Scenario }

func (f scenarioFile) Write(w io.Writer, _ string) error {
	text, err := f.Marshal()
	if err == nil {
		_, err = w.Write(text)
	}
	return err
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

// each is a word for every item of a list.
func each[T any](list []T, word func(T) string) []string {
	words := make([]string, len(list))
	for i, x := range list {
		words[i] = word(x)
	}
	return words
}

// printed are lines as they are.
type printed []string

func (l printed) Write(w io.Writer, _ string) error {
	_, err := io.WriteString(w, strings.Join(l, "\n")+"\n")
	return err
}

func (a *app) printAll(list []string) error { return printed(list).Write(a.stdout, "") }

// note says on standard error what is no error about a file.
func (a *app) note(name, text string) {
	fmt.Fprintf(a.stderr, "%s: note: %s\n", printable(name), report.Plain(text))
}

// facts are lines with a name each; what is not known is left out. As JSON they are the data.
type facts struct {
	list []report.Fact
	data any
}

func (f facts) Write(w io.Writer, format string) error {
	if format == asJSON {
		line, err := json.Marshal(f.data)
		if err != nil {
			return err
		}
		return printed{string(line)}.Write(w, format)
	}
	var all printed
	for _, fact := range f.list {
		if fact.Text != "" {
			all = append(all, fmt.Sprintf("%-16s %s", fact.Name, printable(fact.Text)))
		}
	}
	return all.Write(w, format)
}
