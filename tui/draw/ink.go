// Package draw turns text into lines of exactly the width they must have: inks
// (a style made ready), lines, frames, bars, sliders and large figures.
//
// Lip Gloss takes microseconds to style one word; a screen has hundreds. An [Ink]
// asks it once and afterwards only joins strings. Start with [NewPen].
package draw

import (
	"strings"

	"github.com/charmbracelet/lipgloss"

	"epsiloscope/tui/theme"
)

// Ink is a style as the bytes before and after a text.
type Ink struct{ before, after string }

// NewInk asks Lip Gloss what the style writes around a text.
func NewInk(s lipgloss.Style) Ink {
	before, after, _ := strings.Cut(s.Render("x"), "x")
	return Ink{before, after}
}

// On writes s in this ink. s must have no line breaks.
func (i Ink) On(s string) string {
	if i.before == "" || s == "" {
		return s
	}
	return i.before + s + i.after
}

// Around is what the ink writes before a text and after it.
func (i Ink) Around() (before, after string) { return i.before, i.after }

// Pen holds every ink of a theme, and its glyphs.
type Pen struct {
	Styles *theme.Styles
	Glyphs theme.Glyphs

	Text, Muted, Strong, Title  Ink
	Border, BorderFocus, Accent Ink
	Winner, Over, Good, Warn    Ink
	Key, Stale                  Ink
	Axis, Grid                  Ink
	Series                      []Ink
}

// NewPen makes the inks of a theme ready.
func NewPen(s *theme.Styles) *Pen {
	p := &Pen{
		Styles: s, Glyphs: s.Glyphs,
		Text: NewInk(s.Text), Muted: NewInk(s.Muted), Strong: NewInk(s.Strong), Title: NewInk(s.Title),
		Border: NewInk(s.Border), BorderFocus: NewInk(s.BorderFocus), Accent: NewInk(s.Accent),
		Winner: NewInk(s.Winner), Over: NewInk(s.Over), Good: NewInk(s.Good), Warn: NewInk(s.Warn),
		Key: NewInk(s.Key), Stale: NewInk(s.Stale), Axis: NewInk(s.Axis), Grid: NewInk(s.Grid),
	}
	for _, st := range s.Series {
		p.Series = append(p.Series, NewInk(st))
	}
	return p
}
