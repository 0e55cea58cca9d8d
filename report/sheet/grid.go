package sheet

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"epsiloscope/report"
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
	roles  [][]report.Role // of every cell
	bars   []Bar           // beside the rows below the header, if there are any
	prose  bool            // the last column is prose, which is never dropped
}

// Bar is a share that grows from one value to another, both between 0 and 1.
type Bar struct{ From, To float64 }

// Rows returns the cells, the header first.
func (g Grid) Rows() [][]string { return g.rows }

// Number reports whether a column holds numbers.
func (g Grid) Number(column int) bool { return g.align[column] != Left }

// Role returns what a cell is; the head is row 0.
func (g Grid) Role(row, column int) report.Role { return g.roles[row][column] }

// HasBars reports whether a bar stands beside each row.
func (g Grid) HasBars() bool { return len(g.bars) > 0 }

// Bar returns the bar beside a row; false if the row has none, as the head.
func (g Grid) Bar(row int) (bar Bar, ok bool) {
	if row == 0 || !g.HasBars() {
		return Bar{}, false
	}
	return g.bars[row-1], true
}

// Row is a row of a grid that was set into a width: its cells, each as wide as its column, and what goes on below it.
type Row struct {
	Cells []string
	Below []string
}

// Fit sets the grid into at most `most` cells, each cell written by `write`. A last column of prose is wrapped. Else
// the first column is shortened, and a last one of text; then whole columns are dropped from the right, because a part
// of a number is another number.
func (g Grid) Fit(most int, write func(string) string) []Row {
	if g.prose && g.canWrap() {
		return g.wrapLastColumn(most, write)
	}
	return g.dropColumns(most, write)
}

// Lines returns the grid as plain text without trailing spaces, at most `most` cells wide: see [Grid.Fit]. Nothing is
// wrapped.
func (g Grid) Lines(most int, write func(string) string) []string {
	return joinRows(g.dropColumns(most, write))
}

// joinRows returns rows as text, the columns two spaces apart.
func joinRows(rows []Row) (lines []string) {
	for _, r := range rows {
		lines = append(lines, strings.TrimRight(strings.Join(r.Cells, "  "), " "))
		lines = append(lines, r.Below...)
	}
	return lines
}

func (g Grid) dropColumns(most int, write func(string) string) []Row {
	if len(g.rows) == 0 {
		return nil
	}
	const least = 12 // of the first column, and of a last one of text
	first, used, dropped := 0, 0, false
	var columns [][]string
	for j := range g.align {
		cells, width := g.column(j, write)
		if j == 0 {
			first, width = width, min(width, least)-2
		}
		if room := most - used - 2; width > room && j > 0 {
			if j < len(g.align)-1 || !g.canWrap() || room < least {
				dropped, used = true, used+2
				break
			}
			for i, cell := range cells { // text at the end says enough by its beginning
				cells[i] = ansi.Truncate(strings.TrimRight(cell, " "), room, "…")
			}
			width = room
		}
		used += width + 2
		columns = append(columns, cells)
	}
	first = max(0, min(first, most-used+min(first, least)))
	rows := make([]Row, len(g.rows))
	for i := range rows {
		cell := ansi.Truncate(columns[0][i], first, "…")
		rows[i].Cells = append(rows[i].Cells, cell+strings.Repeat(" ", first-ansi.StringWidth(cell)))
		for _, cells := range columns[1:] {
			rows[i].Cells = append(rows[i].Cells, cells[i])
		}
	}
	if dropped {
		head := rows[0].Cells
		head[len(head)-1] = strings.TrimRight(head[len(head)-1], " ") + " …"
	}
	return rows
}

// canWrap reports whether the last column is text, which may be broken; numbers never are.
func (g Grid) canWrap() bool { return len(g.align) > 1 && g.align[len(g.align)-1] == Left }

// widthBeforeLast returns how many cells all columns but the last one take.
func (g Grid) widthBeforeLast(write func(string) string) (width int) {
	for j := range len(g.align) - 1 {
		_, wide := g.column(j, write)
		width += wide + 2
	}
	return width
}

// belowRow is the indentation of text that goes below its row.
const belowRow = 5

// wrapLastColumn sets the grid into a width. The last column is wrapped beside the others or, if there is little room,
// goes below its row.
func (g Grid) wrapLastColumn(width int, write func(string) string) []Row {
	last, start := len(g.align)-1, 0
	rows := make([]Row, len(g.rows))
	for j := range last {
		cells, wide := g.column(j, write)
		start += wide + 2
		for i, cell := range cells {
			rows[i].Cells = append(rows[i].Cells, cell)
		}
	}
	for i := range rows {
		text, below := write(g.rows[i][last]), start
		beside := width-start >= minNotes
		switch {
		case beside:
			text = wrapLine(text, width-start, 0)
		case text != "" && start+ansi.StringWidth(text) > width:
			text, below = "\n"+wrapLine(text, width-belowRow, 0), belowRow
		}
		parts := strings.Split(text, "\n")
		rows[i].Cells = append(rows[i].Cells, parts[0])
		for _, part := range parts[1:] {
			rows[i].Below = append(rows[i].Below, strings.Repeat(" ", below)+part)
		}
	}
	return rows
}

// foldColumns returns the grid as text of at most width cells. The columns that have no room go below, in a further
// table with the same first column: a part of a number is another number.
func (g Grid) foldColumns(width int, write func(string) string) (lines []string) {
	keys := 1
	for keys < len(g.align) && g.rows[0][keys-1] == "" { // a mark names no row
		keys++
	}
	table, used, added := make([]Row, len(g.rows)), 0, 0
	add := func(j int) {
		cells, wide := g.column(j, write)
		wraps := j == len(g.align)-1 && g.canWrap() && used+wide > width
		for i, cell := range cells {
			text, below := strings.TrimRight(cell, " "), used
			switch {
			case !wraps:
				text = cell
			case width-used >= minWrapped:
				text = wrapLine(text, width-used, 0)
			case used+ansi.StringWidth(text) > width:
				text, below = "\n"+wrapLine(text, width-belowRow, 0), belowRow
			}
			parts := strings.Split(text, "\n")
			table[i].Cells = append(table[i].Cells, parts[0])
			for _, part := range parts[1:] {
				table[i].Below = append(table[i].Below, strings.Repeat(" ", below)+part)
			}
		}
		used, added = used+wide+2, added+1
	}
	for j := range g.align {
		if _, wide := g.column(j, write); added > keys && wide > 0 && used+wide > width {
			lines = append(append(lines, joinRows(table)...), "")
			table, used, added = make([]Row, len(g.rows)), 0, 0
			for key := range keys {
				add(key)
			}
		}
		add(j)
	}
	return append(lines, joinRows(table)...)
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
		digits := strings.TrimLeft(s, "+-−≈")
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
