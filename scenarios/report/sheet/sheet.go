// Package sheet writes tables. A sheet is described once, by its columns: how each value is
// written for people, and what it is for programs; text, CSV, JSON, Markdown and LaTeX follow.
//
// [Result] is an evaluated scenario; the others are made with their own function, or of
// columns with [Of]. All are written with [Sheet.Write].
package sheet

import (
	"bufio"
	"io"
	"strings"
)

// Sheet is a table with a few lines around it, in every output format.
type Sheet struct {
	Title string
	Lines []string // under the title
	Grid  Grid     // rounded, for people
	Notes []string // under the table
	Data  any      // as JSON
	Plain bool     // in text, notes are not marked with "!"

	Width int // of the terminal that text is wrapped to; 0 for none

	Page func(*Page) // writes it for people, in the place of the table and the lines around it

	exact    [][]string // every digit, for programs; the first row is the header
	more     []*Sheet   // further tables below, for people
	sentence bool       // in Markdown, the lines are one sentence
	comments []string   // in LaTeX, below the table; nil: the lines and the notes
	caption  string     // in LaTeX, above a table without a title

	own map[string]func(io.Writer) error // formats that are not made of columns
}

// NewSheet returns a sheet of these columns.
func NewSheet[R any](title string, columns []Column[R], rows []R) *Sheet {
	return &Sheet{Title: title, Grid: GridOf(columns, rows), exact: csvOf(columns, rows), Data: RecordsOf(columns, rows)}
}

// Write writes the sheet as json, csv, latex or markdown, or else as text.
func (s *Sheet) Write(w io.Writer, format string) error {
	if write := s.own[format]; write != nil {
		return write(w)
	}
	switch format {
	case "json":
		return encode(w, s.Data)
	case "csv":
		return writeCSV(w, s.exact)
	}
	p := &Page{Markdown: format == "markdown", Width: s.Width, out: bufio.NewWriter(w)}
	for _, sheet := range append([]*Sheet{s}, s.more...) {
		if format == "latex" {
			sheet.latex(p.out)
			continue
		}
		p.Gap()
		sheet.put(p)
	}
	if p.paragraph {
		p.out.WriteByte('\n')
	}
	return p.out.Flush()
}

func (s *Sheet) put(p *Page) {
	if s.Page != nil {
		s.Page(p)
		return
	}
	if s.Title != "" {
		p.Title(2, s.Title)
	}
	lines := s.Lines
	if s.sentence && p.Markdown {
		lines = []string{strings.Join(lines, "; ") + "."}
	}
	for _, l := range lines {
		p.Line(l)
	}
	if len(s.Grid.rows) > 0 {
		p.Gap()
		p.Grid(s.Grid)
	}
	bullet := "! "
	if s.Plain {
		bullet = ""
	}
	p.Gap()
	p.Items(bullet, s.Notes...)
}
