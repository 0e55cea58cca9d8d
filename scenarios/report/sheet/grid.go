package sheet

import (
	"math"
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

// Rows returns the cells, the header first.
func (g Grid) Rows() [][]string { return g.rows }

// Number reports whether a column holds numbers.
func (g Grid) Number(column int) bool { return g.align[column] != Left }

// Lines returns the grid as plain text without trailing spaces, each cell written by `write`, at
// most `most` cells wide: the first column is shortened, then whole columns are dropped from the
// right, because a part of a number is another number.
func (g Grid) Lines(most int, write func(string) string) []string {
	if len(g.rows) == 0 {
		return nil
	}
	const least = 12 // of the first column
	lines, first, used, gone := make([]string, len(g.rows)), 0, 0, ""
	var columns [][]string
	for j := range g.align {
		cells, width := g.column(j, write)
		if j == 0 {
			first, width = width, min(width, least)-2
		}
		if used+width+2 > most && j > 0 {
			gone, used = " …", used+2
			break
		}
		used += width + 2
		columns = append(columns, cells)
	}
	first = max(0, min(first, most-used+min(first, least)))
	for i := range lines {
		lines[i] = ansi.Truncate(columns[0][i], first, "…")
		lines[i] += strings.Repeat(" ", first-ansi.StringWidth(lines[i]))
		for _, cells := range columns[1:] {
			lines[i] += "  " + cells[i]
		}
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	lines[0] += gone
	return lines
}

// wrapLastColumn returns the grid as plain text of at most width cells if its last column is text that can be wrapped; numbers are never
// broken.
func (g Grid) wrapLastColumn(width int) []string {
	asIs := func(cell string) string { return cell }
	lines := g.Lines(math.MaxInt, asIs)
	last := len(g.align) - 1
	if last < 1 || g.align[last] != Left {
		return lines
	}
	start := 0
	for j := range last {
		_, wide := g.column(j, asIs)
		start += wide + 2
	}
	indent := start
	for i, line := range lines {
		if width-start >= minNotes {
			lines[i] = wrapLine(line, width, start)
			continue
		}
		if indent = 5; ansi.StringWidth(line) > width && ansi.StringWidth(line) > start { // the text goes below its row
			row := strings.TrimRight(ansi.Truncate(line, start, ""), " ")
			text := strings.Repeat(" ", indent) + ansi.TruncateLeft(line, start, "")
			lines[i] = row + "\n" + wrapLine(text, width, indent)
		}
	}
	return lines
}

// markdown returns the grid as a table of Markdown.
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

// markup escapes text that Markdown would read as markup, an address that would become a link by
// itself included. Making a replacer costs more than using it: there is one for all cells.
var markup = strings.NewReplacer(`\`, `\\`, "://", `:\//`, "www.", `www\.`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "[", `\[`)

// markdownText keeps text from being read as markup.
func markdownText(s string) string { return markup.Replace(s) }

// column returns the cells of a column, each padded to its width.
func (g Grid) column(j int, write func(string) string) (cells []string, width int) {
	cells = make([]string, len(g.rows))
	for i, row := range g.rows {
		cells[i] = write(row[j])
	}
	if g.align[j] == Decimal {
		alignPoints(cells)
	}
	for _, c := range cells {
		width = max(width, ansi.StringWidth(c))
	}
	for i, c := range cells {
		pad := strings.Repeat(" ", width-ansi.StringWidth(c))
		if cells[i] = pad + c; g.align[j] == Left {
			cells[i] = c + pad
		}
	}
	return cells, width
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
