// Package sheet writes tables. A sheet is described once, by its columns: how each value is
// written for people, and what it is for programs; text, CSV, JSON, Markdown and LaTeX follow.
//
// [Table], [JSON], [CSV], [Markdown] and [LaTeX] write a [scenarios.Result]; the others are
// made with their own function and written with [Sheet.Write].
package sheet

import (
	"bufio"
	"fmt"
	"io"
)

// Sheet is a table with a few lines around it, in every output format.
type Sheet struct {
	Title string
	Lines []string // under the title
	Notes []string // under the table

	grid  Grid       // rounded, for people
	exact [][]string // every digit, for programs; the first row is the header
	data  any        // as JSON
	more  []*Sheet   // further tables below
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
	out := bufio.NewWriter(w)
	for i, sheet := range append([]*Sheet{s}, s.more...) {
		if i > 0 {
			fmt.Fprintln(out)
		}
		if err := sheet.put(out, format == "markdown"); err != nil {
			return err
		}
	}
	return out.Flush()
}

func (s *Sheet) put(w io.Writer, markdown bool) error {
	if markdown {
		fmt.Fprintf(w, "## %s\n\n", MarkdownText(s.Title))
		for _, l := range s.Lines {
			fmt.Fprintf(w, "%s\n\n", MarkdownText(l))
		}
		if len(s.grid.rows) > 0 {
			WriteMarkdown(w, &s.grid)
		}
		for i, n := range s.Notes {
			if i == 0 {
				fmt.Fprintln(w)
			}
			fmt.Fprintf(w, "- %s\n", MarkdownText(n))
		}
		return nil
	}
	fmt.Fprintln(w, s.Title)
	for _, l := range s.Lines {
		fmt.Fprintln(w, l)
	}
	if len(s.grid.rows) > 0 {
		fmt.Fprintln(w)
		if err := s.grid.Write(w, ""); err != nil {
			return err
		}
	}
	for i, n := range s.Notes {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "! %s\n", n)
	}
	return nil
}
