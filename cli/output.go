package cli

import (
	"fmt"
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

// writeResult prints an evaluated scenario in the format asked for.
func writeResult(w io.Writer, format string, r *scenarios.Result) error {
	if format == asLaTeX {
		return sheet.LaTeX(w, r)
	}
	return sheet.Result(r).Write(w, format)
}

// counted is a number with its noun: "1 entry", "3 entries".
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
