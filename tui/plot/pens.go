package plot

import (
	"strings"

	"epsiloscope/tui/theme"

	"github.com/charmbracelet/lipgloss"
)

// pen names a style; penText is that style as the bytes before and after a run.
type pen uint8

type penText struct{ before, after string }

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

const maxSeriesPens = 64

func newPens(s theme.Styles) []penText {
	styles := []lipgloss.Style{
		textPen: s.Text, mutedPen: s.Muted, axisPen: s.Axis, gridPen: s.Grid,
		accentPen: s.Accent, winnerPen: s.Winner, overPen: s.Over,
	}
	for i := range min(len(s.Series), maxSeriesPens) {
		styles = append(styles, s.Series[i])
	}
	pens := make([]penText, len(styles))
	for i, st := range styles {
		if pen(i) == plainPen {
			continue
		}
		before, after, ok := strings.Cut(st.Render("x"), "x")
		if ok {
			pens[i] = penText{before, after}
		}
	}
	return pens
}

func (p *Plot) seriesPen(i int) pen {
	if p.chart.Series[i].Faint {
		return mutedPen
	}
	return p.colourPen(p.look(i))
}

// look is the place of series i in the theme: its own in every chart, or its place
// in this one.
func (p *Plot) look(i int) int {
	if n := p.chart.Series[i].Look; n > 0 {
		return n - 1
	}
	return i
}

// colourPen is the i-th colour of the theme's series.
func (p *Plot) colourPen(i int) pen {
	n := len(p.pens) - int(firstSeriesPen)
	if n <= 0 {
		return textPen
	}
	return firstSeriesPen + pen(i%n)
}

// mark is the look of series i. Faint series are dotted whatever their place.
func (p *Plot) mark(i int) theme.SeriesMark {
	m := p.styles.Theme.Mark(p.look(i))
	if p.chart.Series[i].Broken { // whole cells: a cell has one colour
		m.Dash = theme.Dash{8, 8}
	}
	if p.chart.Series[i].Faint {
		m.Dash = theme.Dash{1, 2}
		m.Marker, m.ASCII = '·', '.'
	}
	return m
}

func (p *Plot) markRune(i int) rune {
	if p.glyphs.ASCII {
		return p.mark(i).ASCII
	}
	return p.mark(i).Marker
}
