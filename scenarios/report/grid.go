package report

import (
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// align says how a column of a grid is set.
type align int

const (
	left align = iota
	right
	decimal // numbers under each other at the decimal point
)

// grid is a table for people: columns aligned by display width, two spaces apart.
type grid struct {
	align []align
	rows  [][]string
}

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

// write prints the grid, every line after the indent, without trailing spaces.
func (g *grid) write(w io.Writer, indent string) error {
	columns := g.columns()
	for i := range g.rows {
		var line strings.Builder
		line.WriteString(indent)
		for j, column := range columns {
			if j > 0 {
				line.WriteString("  ")
			}
			line.WriteString(column[i])
		}
		if _, err := io.WriteString(w, strings.TrimRight(line.String(), " ")+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// columns returns the cells by column, each padded to its column's width.
func (g *grid) columns() [][]string {
	columns := make([][]string, len(g.align))
	for j, a := range g.align {
		cells := make([]string, len(g.rows))
		for i, row := range g.rows {
			if j < len(row) {
				cells[i] = row[j]
			}
		}
		if a == decimal {
			alignPoints(cells)
		}
		width := 0
		for _, c := range cells {
			width = max(width, ansi.StringWidth(c))
		}
		for i, c := range cells {
			pad := strings.Repeat(" ", width-ansi.StringWidth(c))
			if a == left {
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
