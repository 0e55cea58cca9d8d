package plot

import (
	"epsiloscope/tui/draw"
	"epsiloscope/tui/theme"
)

// pen names the ink of a cell.
type pen uint8

const (
	plainPen pen = iota
	textPen
	mutedPen
	axisPen
	gridPen
	accentPen
	winnerPen
	overPen
	firstSeriesPen
)

// inks are those of a theme, in the order of the pens.
func inks(p *draw.Pen) []draw.Ink {
	return append([]draw.Ink{{}, p.Text, p.Muted, p.Axis, p.Grid, p.Accent, p.Winner, p.Over}, p.Series...)
}

func (p *Plot) seriesPen(i int) pen {
	if p.chart.Series[i].Faint {
		return mutedPen
	}
	return p.colourPen(p.looks[i])
}

// colourPen is the i-th colour of the theme's series.
func (p *Plot) colourPen(i int) pen {
	n := len(p.inks) - int(firstSeriesPen)
	if n <= 0 {
		return textPen
	}
	return firstSeriesPen + pen(i%n)
}

// Broken curves have gaps of whole cells, as a cell has one colour; faint ones are dotted.
var brokenDash, faintDash = theme.Dash{8, 8}, theme.Dash{1, 2}

// mark is the look of series i. Faint series are dotted whatever their place.
func (p *Plot) mark(i int) theme.SeriesMark {
	m := p.pen.Theme.Mark(p.looks[i])
	if p.chart.Series[i].Broken {
		m.Dash = brokenDash
	}
	if p.chart.Series[i].Faint {
		m.Dash = faintDash
		m.Marker, m.ASCII = '·', '.'
	}
	return m
}

func (p *Plot) markRune(i int) rune { return p.rune(p.mark(i)) }

func (p *Plot) rune(m theme.SeriesMark) rune {
	if p.glyphs.ASCII {
		return m.ASCII
	}
	return m.Marker
}
