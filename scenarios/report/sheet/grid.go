package sheet

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Align says how a column of a grid is set.
type Align int

const (
	Left Align = iota
	Right
	Decimal // numbers under each other at the decimal point
)

// Grid is a table for people, its header first: columns aligned by display width, two spaces
// apart. See [GridOf].
type Grid struct {
	align  []Align
	aside  []bool // the columns that LaTeX leaves out
	strong int    // the row that LaTeX sets in bold; 0 for none
	rows   [][]string
}

// Rows are the cells, the header first.
func (g Grid) Rows() [][]string { return g.rows }

// Number reports whether a column holds numbers.
func (g Grid) Number(column int) bool { return g.align[column] != Left }

// lines are the grid as plain text, without trailing spaces.
func (g Grid) lines() []string {
	columns := g.columns()
	lines := make([]string, len(g.rows))
	for i := range lines {
		cells := make([]string, len(columns))
		for j, column := range columns {
			cells[j] = column[i]
		}
		lines[i] = strings.TrimRight(strings.Join(cells, "  "), " ")
	}
	return lines
}

// markdown is the grid as a table of Markdown.
func (g Grid) markdown() (lines []string) {
	for i, row := range g.rows {
		cells := make([]string, len(row))
		for j, text := range row {
			cells[j] = markdownText(text)
		}
		lines = append(lines, "| "+strings.Join(cells, " | ")+" |")
		if i > 0 {
			continue
		}
		for j, a := range g.align {
			cells[j] = "---"
			if a != Left {
				cells[j] = "---:"
			}
		}
		lines = append(lines, "| "+strings.Join(cells, " | ")+" |")
	}
	return lines
}

// markup is what Markdown would read as such, an address that would become a link by
// itself included. Making a replacer costs more than using it: there is one for all
// cells.
var markup = strings.NewReplacer(`\`, `\\`, "://", `:\//`, "www.", `www\.`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "[", `\[`)

// markdownText keeps text from being read as markup.
func markdownText(s string) string { return markup.Replace(s) }

// columns returns the cells by column, each padded to its column's width.
func (g Grid) columns() [][]string {
	columns := make([][]string, len(g.align))
	for j, a := range g.align {
		cells := make([]string, len(g.rows))
		for i, row := range g.rows {
			cells[i] = row[j]
		}
		if a == Decimal {
			alignPoints(cells)
		}
		width := 0
		for _, c := range cells {
			width = max(width, ansi.StringWidth(c))
		}
		for i, c := range cells {
			pad := strings.Repeat(" ", width-ansi.StringWidth(c))
			if a == Left {
				cells[i] = c + pad
			} else {
				cells[i] = pad + c
			}
		}
		columns[j] = cells
	}
	return columns
}

// alignPoints pads numbers on the right so that, set flush right, their decimal
// points stand under each other. Words (a heading, "n/a") stay flush right.
func alignPoints(cells []string) {
	tail := func(s string) (int, bool) {
		digits := strings.TrimPrefix(s, "-")
		if digits == "" || digits[0] < '0' || digits[0] > '9' {
			return 0, false
		}
		if point := strings.IndexByte(s, '.'); point >= 0 {
			return len(s) - point, true
		}
		return 0, true
	}
	longest := 0
	for _, c := range cells {
		if n, ok := tail(c); ok {
			longest = max(longest, n)
		}
	}
	for i, c := range cells {
		if n, ok := tail(c); ok {
			cells[i] = c + strings.Repeat(" ", longest-n)
		}
	}
}
