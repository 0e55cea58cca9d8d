package plot

import (
	"slices"
	"unicode/utf8"

	"epsiloscope/tui/draw"
)

// layer says what occupies a cell, lowest first. Text may stand on empty ground, on the
// grid and on tinted ground, never on an area, a curve or other text.
type layer uint8

const (
	empty layer = iota
	gridLayer
	tintLayer
	ruleLayer
	areaLayer
	curveLayer
	textLayer
)

// cell is a column of one line. A rune wider than one column is followed by a
// cell with rune 0, which prints nothing.
type cell struct {
	r      rune
	on     layer
	ink    *draw.Ink // nil for none
	behind *draw.Ink // the tint behind the rune; nil for none
	tint   *draw.Ink // the tint that fills most of the cell: curves and text stand on it
}

// surface is the picture before it becomes text. ntcharts' own canvas keeps a whole
// lipgloss.Style (560 bytes) in every cell and renders each cell by itself: 100×30 coloured
// cells take 36,000 allocations and milliseconds. Here a cell names one of a few inks, and runs
// of one ink are written at once: one allocation, 5 µs.
type surface struct {
	w, h  int
	cells []cell
	out   []byte // of the last rendering, to be written over
}

func (s *surface) reset() {
	s.cells = slices.Grow(s.cells[:0], s.w*s.h)[:s.w*s.h]
	for i := range s.cells {
		s.cells[i] = cell{r: ' '}
	}
}

func (s *surface) inside(x, y int) bool { return x >= 0 && y >= 0 && x < s.w && y < s.h }

func (s *surface) cellAt(x, y int) cell {
	if !s.inside(x, y) {
		return cell{r: ' ', on: textLayer}
	}
	return s.cells[y*s.w+x]
}

// set draws a rune of width one. It first erases a wide rune it would cut in half.
func (s *surface) set(x, y int, r rune, ink *draw.Ink, on layer) {
	if !s.inside(x, y) {
		return
	}
	i := y*s.w + x
	if s.cells[i].r == 0 && x > 0 {
		s.cells[i-1].r = ' '
	}
	if x+1 < s.w && s.cells[i+1].r == 0 {
		s.cells[i+1].r = ' '
	}
	tint := s.cells[i].tint
	s.cells[i] = cell{r: r, on: on, ink: ink, behind: tint, tint: tint}
}

// clear empties n cells.
func (s *surface) clear(x, y, n int) { s.across(x, y, n, ' ', nil, empty) }

// across draws a line of n runes.
func (s *surface) across(x, y, n int, r rune, ink *draw.Ink, on layer) {
	for i := range n {
		s.set(x+i, y, r, ink, on)
	}
}

// down draws a line of n runes downwards, behind curves and text.
func (s *surface) down(x, y, n int, r rune, ink *draw.Ink, on layer) {
	for i := range n {
		if s.cellAt(x, y+i).on < curveLayer {
			s.set(x, y+i, r, ink, on)
		}
	}
}

// text writes sanitised text and returns the column after it. What does not fit on
// the surface is left out whole, never half a wide rune.
func (s *surface) text(x, y int, str string, ink *draw.Ink) int {
	_, plain := draw.Plain(str)
	for _, r := range str {
		w := 1
		if !plain {
			w = draw.Width(string(r))
		}
		switch {
		case w == 1:
			s.set(x, y, r, ink, textLayer)
		case w == 2 && s.inside(x, y) && s.inside(x+1, y):
			s.across(x, y, 2, ' ', ink, textLayer)
			s.cells[y*s.w+x].r, s.cells[y*s.w+x+1].r = r, 0
		}
		x += w
	}
	return x
}

// free reports whether n cells from (x, y) hold nothing above the given layer.
func (s *surface) free(x, y, n int, above layer) bool {
	if y < 0 || y >= s.h || x < 0 || x+n > s.w {
		return false
	}
	for _, c := range s.cells[y*s.w+x:][:n] {
		if c.on > above {
			return false
		}
	}
	return true
}

// render writes h lines of exactly w columns.
func (s *surface) render() string {
	out := s.out[:0]
	for y := range s.h {
		if y > 0 {
			out = append(out, '\n')
		}
		line := s.cells[y*s.w : (y+1)*s.w]
		for i := 0; i < len(line); {
			ink, behind, before, after := line[i].ink, line[i].behind, "", ""
			if behind != nil {
				before, after = behind.Sequences()
				out = append(out, before...)
			}
			if ink != nil {
				if before, after = ink.Sequences(); after == "" && behind != nil {
					_, after = behind.Sequences()
				}
				out = append(out, before...)
			}
			for ; i < len(line) && (line[i].ink == ink && line[i].behind == behind || line[i].r == 0); i++ {
				if line[i].r != 0 {
					out = utf8.AppendRune(out, line[i].r)
				}
			}
			out = append(out, after...)
		}
	}
	s.out = out
	return string(out)
}
