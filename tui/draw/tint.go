package draw

import (
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Tint is a colour that fills cells. The background colour of the terminal is not known, so a block element in that
// colour is drawn by reverse video.
type Tint struct {
	Ink    *Ink // a block element in this colour
	Ground *Ink // the colour behind a character
	Cut    *Ink // a block element of the terminal's ground, the rest of the cell in this colour
}

// IsZero reports whether there is no colour to fill with.
func (t Tint) IsZero() bool { return t.Ink == nil }

type tintKey struct {
	colour lipgloss.CompleteColor
	share  float64
}

// FineColours reports whether the terminal shows shades, and the theme has colours for what fits
// the budget and what does not: with few colours a pale tint would be as strong as a curve.
func (p *Pen) FineColours() bool {
	_, fits := p.Theme.Good.(lipgloss.CompleteColor)
	_, over := p.Theme.Over.(lipgloss.CompleteColor)
	return p.profile() == termenv.TrueColor && fits && over
}

// profile returns what the terminal can show; no colours if there is none.
func (p *Pen) profile() termenv.Profile {
	if p.renderer == nil {
		return termenv.Ascii
	}
	return p.renderer.ColorProfile()
}

// Tint returns a share of a colour of the theme blended into the ground; zero without colours.
func (p *Pen) Tint(c lipgloss.TerminalColor, share float64) Tint {
	full, ok := c.(lipgloss.CompleteColor)
	if !ok || p.profile() == termenv.Ascii {
		return Tint{}
	}
	key := tintKey{full, share}
	if t, ok := p.tints[key]; ok {
		return t
	}
	mixed := p.Theme.Blend(c, share)
	ink := newInk(p.renderer.NewStyle().Foreground(mixed))
	ground := newInk(p.renderer.NewStyle().Background(mixed))
	cut := newInk(p.renderer.NewStyle().Foreground(mixed).Reverse(true))
	t := Tint{&ink, &ground, &cut}
	p.tints[key] = t
	return t
}
