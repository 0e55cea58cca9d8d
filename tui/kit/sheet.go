package kit

import (
	"math"
	"strings"

	"epsiloscope/report"
	"epsiloscope/report/sheet"
	"epsiloscope/tui/draw"
)

// Sheet writes a sheet as the command line prints it: title, lines, table and notes, then the sheets below it.
func (w *Writer) Sheet(s *sheet.Sheet) {
	if s.Title != "" {
		w.Prose(w.Pen.Title, report.UpperFirst(s.Title))
	}
	w.Report(2, s.Lines)
	w.Grid(2, s.Grid)
	w.Report(2, s.Notes)
	for _, more := range s.More {
		w.Gap()
		w.Sheet(more)
	}
}

// inkOf returns the ink of a role.
func (w *Writer) inkOf(role report.Role) draw.Ink {
	p := w.Pen
	switch role {
	case report.Subheading:
		return p.Title
	case report.Result:
		return p.Strong
	case report.Formula:
		return p.Accent
	case report.Source, report.Note, report.Value:
		return p.Muted
	case report.Warning:
		return p.Warn
	case report.Better:
		return p.Good
	case report.Worse:
		return p.Over
	}
	return p.Text
}

// Report writes the lines of a report, indented by the given cells, each in the ink of its role; a subheading is
// indented two cells less. Consecutive values share lines; the values of fields are aligned.
func (w *Writer) Report(by int, list []report.Line) {
	p := w.Pen
	names := 9 // the width of the names of fields
	for _, line := range list {
		if line.Role == report.Field {
			names = max(names, draw.Width(line.Name))
		}
	}
	for _, line := range w.packValues(by, list) {
		ink := w.inkOf(line.Role)
		mark := func(sign draw.Ink, mark string) {
			w.Hang(by+2, ink, line.Text, func(l *draw.Line) { l.Skip(by).Put(sign, mark+" ") })
		}
		switch {
		case line.Role == report.Condition && line.Holds:
			mark(p.Good, p.Glyphs.Tick)
		case line.Role == report.Condition:
			mark(p.Over, p.Glyphs.Cross)
		case line.Role == report.Added:
			mark(p.Good, "+")
		case line.Role == report.Removed:
			mark(p.Over, "−")
		case line.Role == report.Field:
			w.putField(by, names+2, line)
		case line.Role == report.Subheading:
			w.Inset(max(0, by-2), ink, line.Text)
		default:
			w.Inset(by, ink, line.Text)
		}
	}
}

// packValues puts consecutive values on as few lines as hold them whole.
func (w *Writer) packValues(by int, list []report.Line) []report.Line {
	var out []report.Line
	for _, line := range list {
		if line.Role == report.Value {
			line.Text = strings.Replace(line.Text, "   ", ": ", 1) // the gap before the meaning is a column on paper
			if n := len(out); n > 0 && out[n-1].Role == report.Value {
				if both := out[n-1].Text + " · " + line.Text; by+draw.Width(w.Pen.Spell(both)) <= w.W {
					out[n-1].Text = both
					continue
				}
			}
		}
		out = append(out, line)
	}
	return out
}

// putField writes a name and its value, with the earlier value if it has changed.
func (w *Writer) putField(by, names int, line report.Line) {
	p := w.Pen
	name := func(l *draw.Line) { l.Skip(by).Left(p.Muted, line.Name, names) }
	l := p.Line(w.W)
	switch {
	case line.Was == "":
		w.Hang(by+names, p.Strong, line.Text, name)
	case by+names+draw.Width(line.Was+" → "+line.Text) <= w.W:
		name(l)
		w.Add(l.Put(p.Text, line.Was).Put(p.Muted, " → ").Put(p.Strong, line.Text))
	default:
		w.Hang(by+names, p.Text, line.Was+" → "+line.Text, name)
	}
}

// Grid writes a table, indented by the given cells, each cell in the ink of its role, with its bars if they fit. Before
// the heads of both ends of a bar stand the signs of its parts; a table with bars is indented by their room or more.
func (w *Writer) Grid(by int, g sheet.Grid) {
	p := w.Pen
	signs, inks := []string{p.Glyphs.SliderFill, p.Glyphs.SliderRest}, []draw.Ink{p.Accent, p.Warn}
	rows := g.Fit(w.W-by, p.Spell)
	if len(rows) == 0 {
		return
	}
	room := w.W - by - signRoom - 1 // for the bars
	for _, cell := range rows[0].Cells {
		room -= draw.Width(cell) + 2
	}
	drawn := g.HasBars() && room >= minBar
	room = min(room, maxBar)
	for i, row := range rows {
		l, gap := p.Line(w.W), by
		bar, bars := g.Bar(i)
		for j, cell := range row.Cells {
			if drawn && i == 0 && j < 2 {
				l.Skip(gap-signRoom).Put(inks[j], signs[j]+" "+cell)
			} else {
				l.Skip(gap).Put(w.inkOf(g.Role(i, j)), cell)
			}
			if gap = 2; drawn && j == 0 {
				gap += signRoom
			}
		}
		if drawn {
			l.Skip(3)
			switch {
			case bars:
				from, to := int(math.Round(bar.From*float64(room))), int(math.Round(bar.To*float64(room)))
				l.Put(inks[0], strings.Repeat(signs[0], from))
				l.Put(inks[1], strings.Repeat(signs[1], max(0, to-from)))
			case i == 0:
				l.Left(p.Muted, "0", room/2-1).Left(p.Muted, "50 %", room-room/2-4).Put(p.Muted, "100 %")
			}
		}
		w.Add(l)
		for _, below := range row.Below {
			w.Add(p.Line(w.W).Skip(by).Put(p.Muted, below))
		}
	}
}

// signRoom are the cells of the sign before a head, and of the space after it.
const signRoom = 2

// minBar and maxBar are the widths of a bar from 0 to 100 %.
const minBar, maxBar = 20, 40
