// Package sheet writes tables. A sheet is described once, by its columns: how each value is
// written for people, and what it is for programs; text, CSV, JSON, Markdown and LaTeX follow.
//
// [Result] is an evaluated scenario; the others are made with their own function. All are
// written with [Sheet.Write].
package sheet

import (
	"io"
	"strings"
)

// Sheet is a table with a few lines around it, in every output format.
type Sheet struct {
	Title string
	Lines []string // under the title
	Notes []string // under the table

	grid     Grid       // rounded, for people
	exact    [][]string // every digit, for programs; the first row is the header
	data     any        // as JSON
	more     []*Sheet   // further tables below
	plain    bool       // in text, notes are not marked with "!"
	sentence bool       // in Markdown, the lines are one sentence
	foot     string     // in text, a line below everything
}

// New is a sheet of a table for people, the same for programs under a row of keys, and
// its JSON. The notes are no warnings.
func New(title string, grid *Grid, exact [][]string, data any, notes ...string) *Sheet {
	return &Sheet{Title: title, grid: *grid, exact: exact, data: data, Notes: notes, plain: true}
}

// described is a sheet of these columns, in every format.
func described[R any](title string, columns []column[R], rows []R) *Sheet {
	return &Sheet{Title: title, grid: gridOf(columns, rows), exact: csvOf(columns, rows), data: recordsOf(columns, rows)}
}

// Write writes the sheet as table, json, csv or markdown.
func (s *Sheet) Write(w io.Writer, format string) error {
	switch format {
	case "json":
		return Encode(w, s.data)
	case "csv":
		return WriteCSV(w, s.exact)
	}
	p := NewPage(w, format == "markdown")
	for _, sheet := range append([]*Sheet{s}, s.more...) {
		p.Gap()
		sheet.put(p)
	}
	if s.foot != "" && !p.markdown {
		p.Gap()
		p.Raw(s.foot)
	}
	return p.Flush()
}

func (s *Sheet) put(p *Page) {
	if s.Title != "" {
		p.Title(2, s.Title)
	}
	lines := s.Lines
	if s.sentence && p.markdown {
		lines = []string{strings.Join(lines, "; ") + "."}
	}
	for _, l := range lines {
		p.Line(l)
	}
	if len(s.grid.rows) > 0 {
		p.Gap()
		p.Grid(&s.grid)
	}
	bullet := "! "
	if s.plain {
		bullet = ""
	}
	p.Gap()
	p.Items(bullet, s.Notes)
}
