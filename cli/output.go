package cli

import (
	"io"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report/sheet"
)

// The words of -o.
const (
	asTable    = "table"
	asJSON     = "json"
	asCSV      = "csv"
	asMarkdown = "markdown"
	asLaTeX    = "latex"
	asBibTeX   = "bibtex"
)

// addOutput declares -o with the formats a command has; the first is the default.
func addOutput(cmd *cobra.Command, formats ...string) *choiceFlag {
	c := &choiceFlag{value: formats[0], choices: formats, word: "FORMAT"}
	addChoice(cmd, c, "output", "o", "output format")
	return c
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

// printAll prints lines.
func (a *app) printAll(lines []string) error {
	_, err := io.WriteString(a.stdout, strings.Join(lines, "\n")+"\n")
	return err
}

// printScenario prints a scenario as its file would be.
func (a *app) printScenario(s *scenarios.Scenario) error {
	text, err := s.Marshal()
	if err == nil {
		_, err = a.stdout.Write(text)
	}
	return err
}

// writeResult prints an evaluated scenario in the format asked for.
func writeResult(w io.Writer, format string, r *scenarios.Result) error {
	if format == asLaTeX {
		return sheet.LaTeX(w, r)
	}
	return sheet.Result(r).Write(w, format)
}
