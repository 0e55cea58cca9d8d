package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"epsiloscope/scenarios"
)

// Markdown writes the result as a section with two tables.
func Markdown(w io.Writer, r *scenarios.Result) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "## %s\n\n%s", markdownText(Heading(r)), markdownText(Answer(r)))
	if verdict := Verdict(r); verdict != "" {
		fmt.Fprintf(out, "; %s", markdownText(verdict))
	}
	fmt.Fprintf(out, ".\n\n")
	bounds, entries := gridOf(boundColumns, boundRows(r)), gridOf(stackColumns, r.Entries)
	writeMarkdownGrid(out, &bounds)
	if len(r.Entries) > 0 {
		fmt.Fprintln(out)
		writeMarkdownGrid(out, &entries)
	}
	for i, l := range r.Lints {
		if i == 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "- %s: %s\n", l.Where(), markdownText(Plain(l.Text)))
	}
	return out.Flush()
}

func writeMarkdownGrid(w io.Writer, g *grid) {
	for i, row := range g.rows {
		cells := make([]string, len(g.align))
		for j := range cells {
			if j < len(row) {
				cells[j] = markdownText(row[j])
			}
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
		if i > 0 {
			continue
		}
		for j, a := range g.align {
			cells[j] = "---"
			if a != left {
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

// markdownText keeps text from being read as markup.
func markdownText(s string) string { return markup.Replace(s) }
