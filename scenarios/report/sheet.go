package report

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

	grid  grid       // rounded, for people
	exact [][]string // every digit, for programs; the first row is the header
	data  any        // as JSON
	more  []*Sheet   // further tables below
}

// Write writes the sheet as table, json, csv or markdown.
func (s *Sheet) Write(w io.Writer, format string) error {
	switch format {
	case "json":
		return encode(w, s.data)
	case "csv":
		return writeCSV(w, s.exact)
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
		fmt.Fprintf(w, "## %s\n\n", markdownText(s.Title))
		for _, l := range s.Lines {
			fmt.Fprintf(w, "%s\n\n", markdownText(l))
		}
		if len(s.grid.rows) > 0 {
			writeMarkdownGrid(w, &s.grid)
		}
		for i, n := range s.Notes {
			if i == 0 {
				fmt.Fprintln(w)
			}
			fmt.Fprintf(w, "- %s\n", markdownText(n))
		}
		return nil
	}
	fmt.Fprintln(w, s.Title)
	for _, l := range s.Lines {
		fmt.Fprintln(w, l)
	}
	if len(s.grid.rows) > 0 {
		fmt.Fprintln(w)
		if err := s.grid.write(w, ""); err != nil {
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
