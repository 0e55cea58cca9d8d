package plot

import (
	"strings"

	"epsiloscope/report/chart"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/theme"
)

// Broken curves have gaps of whole cells, as a cell has one colour; faint ones are dotted.
var brokenDash, faintDash = theme.Dash{4, 4}, theme.Dash{1, 2}

// look returns the look of series i. Lines are whole: patterns of crossing curves break each
// other into crumbs. Only a forecast is broken, what an attack reaches among curves that
// are not compared, and without colour a series in the background.
func (p *Plot) look(i int) draw.Look {
	s := p.chart.Series[i]
	l := p.nth(p.looks[i])
	if s.Faint {
		l = draw.Look{Ink: &p.pen.Muted, Bold: &p.pen.Muted, Faded: &p.pen.Muted, Marker: '·', Dash: faintDash}
		if p.pen.Glyphs.ASCII {
			l.Marker = '~' // the grid and areas have dots
		}
	}
	switch {
	case s.Broken && !s.Faint && !s.Pair && !s.Stems && !p.chart.Rivals:
		l.Dash = brokenDash
	case !s.Faint || p.pen.Glyphs.ASCII || !p.monochrome():
		l.Dash = nil
	}
	return l
}

// nth returns the look that the theme has for the n-th series.
func (p *Plot) nth(n int) draw.Look { return p.pen.Series[n%len(p.pen.Series)] }

// dotLook returns the look of series i upon bars, which have the first colour themselves.
func (p *Plot) dotLook(i int) draw.Look {
	l := p.nth(i + 1)
	if l.Marker = p.nth(i).Marker; p.chart.Series[i].Faint {
		l.Ink = &p.pen.Muted
	}
	return l
}

// monochrome reports that colour cannot tell the series apart.
func (p *Plot) monochrome() bool { return monochrome(p.pen) }

func monochrome(pen *draw.Pen) bool { return *pen.Series[0].Ink == draw.Ink{} }

// markInk returns the ink of an alert, or else the given one: a label is louder than its line,
// which is long.
func (p *Plot) markInk(m chart.Mark, calm *draw.Ink) *draw.Ink {
	if m.Alert {
		return &p.pen.Over
	}
	return calm
}

// label returns a text of the chart as this terminal can show it, rune by rune. Where runes join
// into one sign (flags, Hangul parts), so that their widths do not add up, all but the
// plainest scripts become dots.
func (p *Plot) label(s string) string {
	if _, plain := draw.Plain(s); plain {
		return p.pen.Spell(s)
	}
	s = draw.Clean(s)
	sum := 0
	for _, r := range s {
		sum += draw.Width(string(r))
	}
	if sum != draw.Width(s) {
		s = strings.Map(func(r rune) rune {
			if r < 0x500 || r >= 0x2000 && r < 0x2c00 {
				return r
			}
			return '·'
		}, s)
	}
	return p.pen.Spell(s)
}

// name returns the name of a series as it is shown.
func (p *Plot) name(s string) string { return p.pen.Cut(p.label(s), maxName) }

func width(s string) int { return draw.Width(s) }
