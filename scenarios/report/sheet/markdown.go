package sheet

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
)

// Markdown writes the result as a section with two tables.
func Markdown(w io.Writer, r *scenarios.Result) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "## %s\n\n%s", MarkdownText(report.Heading(r)), MarkdownText(report.Answer(r)))
	if verdict := report.Verdict(r); verdict != "" {
		fmt.Fprintf(out, "; %s", MarkdownText(verdict))
	}
	fmt.Fprintf(out, ".\n\n")
	bounds, entries := gridOf(boundColumns, boundRows(r)), gridOf(stackColumns, r.Entries)
	WriteMarkdown(out, &bounds)
	if len(r.Entries) > 0 {
		fmt.Fprintln(out)
		WriteMarkdown(out, &entries)
	}
	for i, l := range r.Lints {
		if i == 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "- %s: %s\n", l.Where(), MarkdownText(report.Plain(l.Text)))
	}
	return out.Flush()
}

func WriteMarkdown(w io.Writer, g *Grid) {
	for i, row := range g.rows {
		cells := make([]string, len(g.Align))
		for j := range cells {
			if j < len(row) {
				cells[j] = MarkdownText(row[j])
			}
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
		if i > 0 {
			continue
		}
		for j, a := range g.Align {
			cells[j] = "---"
			if a != Left {
				cells[j] = "---:"
			}
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
	}
}

// markup is what Markdown would read as such, an address that would become a link by
// itself included. Making a replacer costs more than using it: there is one for all
// cells.
var markup = strings.NewReplacer(`\`, `\\`, "://", `:\//`, "www.", `www\.`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "[", `\[`)

// MarkdownText keeps text from being read as markup.
func MarkdownText(s string) string { return markup.Replace(s) }
