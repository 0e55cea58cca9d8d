// Package sheet writes tables. A sheet is described once, by its columns: how each value is
// written for people, and what it is for programs; text, CSV, JSON, Markdown and LaTeX follow.
//
// [Result] is an evaluated scenario; a feature declares its own, of columns with [NewSheet]. All are written with
// [Sheet.Write].
package sheet

import (
	"bufio"
	"io"
	"strings"

	"epsiloscope/report"
)

// Sheet is a table with a few lines around it, in every output format.
type Sheet struct {
	Title string
	Lines []report.Line // under the title
	Grid  Grid          // rounded, for people
	Notes []report.Line // under the table
	More  []*Sheet      // further sheets below, for people
	Data  any           // as JSON

	Width int // of the terminal that text is wrapped to; 0 for none

	Page func(*Page) // writes it for people, in the place of the table and the lines around it

	exact    [][]string // every digit, for programs; the first row is the header
	sentence bool       // in Markdown, the lines are one sentence
	comments []string   // in LaTeX, below the table; nil: the lines and the notes
	caption  string     // in LaTeX, above a table without a title

	ownFormats map[string]func(io.Writer) error // formats that are not made of columns
}

// NewSheet returns a sheet of these columns.
func NewSheet[R any](title string, columns []Column[R], rows []R) *Sheet {
	return &Sheet{Title: title, Grid: GridOf(columns, rows), exact: csvOf(columns, rows),
		Data: RecordsOf(columns, rows)}
}

// Write writes the sheet as json, csv, latex or markdown, or else as text.
func (s *Sheet) Write(w io.Writer, format string) error {
	if write := s.ownFormats[format]; write != nil {
		return write(w)
	}
	switch format {
	case "json":
		return encode(w, s.Data)
	case "csv":
		return writeCSV(w, s.exact)
	}
	p := &Page{Markdown: format == "markdown", Width: s.Width, out: bufio.NewWriter(w)}
	for _, sheet := range append([]*Sheet{s}, s.More...) {
		if format == "latex" {
			sheet.latex(p.out)
			continue
		}
		p.Gap()
		sheet.writePage(p)
	}
	if p.paragraph {
		p.out.WriteByte('\n')
	}
	return p.out.Flush()
}

func (s *Sheet) writePage(p *Page) {
	if s.Page != nil {
		s.Page(p)
		return
	}
	if s.Title != "" {
		p.Title(2, s.Title)
	}
	if s.sentence && p.Markdown {
		p.Line(strings.Join(textsOf(s.Lines), "; ") + ".")
	} else {
		for _, l := range s.Lines {
			p.Line(l.Text)
		}
	}
	if len(s.Grid.rows) > 0 {
		p.Gap()
		p.Grid(s.Grid)
	}
	p.Gap()
	for _, l := range s.Notes {
		bullet := ""
		if l.Role == report.Warning {
			bullet = "! "
		}
		p.Items(bullet, l.Text)
	}
}

// textsOf returns the lines without their roles.
func textsOf(lines []report.Line) []string {
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = l.Text
	}
	return texts
}

// AddText adds lines of prose under the title.
func (s *Sheet) AddText(texts ...string) {
	s.Lines = append(s.Lines, report.Lines(report.Text, texts...)...)
}

// AddWarning adds lines below the table, which text marks with "!".
func (s *Sheet) AddWarning(texts ...string) {
	s.Notes = append(s.Notes, report.Lines(report.Warning, texts...)...)
}

// Append puts another sheet under this one; as JSON it becomes a member of this sheet's record.
func (s *Sheet) Append(key string, other *Sheet) {
	s.More = append(s.More, other)
	if record, ok := s.Data.(Record); ok {
		s.Data = append(record, [2]any{key, other.Data})
	}
}
