package theme

import "github.com/charmbracelet/lipgloss"

// Styles is a theme made ready on one renderer. It is passed down to every pane;
// no pane uses Lip Gloss's global renderer, so a test (or a second screen) with
// another colour profile never disturbs this one.
type Styles struct {
	Theme    Theme
	Renderer *lipgloss.Renderer
	Glyphs   Glyphs

	Text, Muted, Strong lipgloss.Style
	Title               lipgloss.Style
	Border, BorderFocus lipgloss.Style // foreground only: for hand-drawn frames
	Accent              lipgloss.Style
	Winner, Over        lipgloss.Style
	Good, Warn          lipgloss.Style
	Axis, Grid          lipgloss.Style
	Key                 lipgloss.Style // a key in a help line
	Stale               lipgloss.Style // a figure that is being computed again
	Series              []lipgloss.Style
}

// NewStyles builds the styles of t on r. A nil renderer means the default one.
func NewStyles(t Theme, r *lipgloss.Renderer, ascii bool) Styles {
	if r == nil {
		r = lipgloss.DefaultRenderer()
	}
	g := Unicode()
	if ascii {
		g = ASCII()
	}
	fg := func(c lipgloss.TerminalColor) lipgloss.Style {
		s := r.NewStyle()
		if _, none := c.(lipgloss.NoColor); none || c == nil {
			return s
		}
		return s.Foreground(c)
	}
	s := Styles{
		Theme: t, Renderer: r, Glyphs: g,
		Text: fg(t.Text), Muted: fg(t.Muted), Strong: fg(t.Text).Bold(true),
		Title:  fg(t.Text).Bold(true),
		Border: fg(t.Border), BorderFocus: fg(t.BorderFocus),
		Accent: fg(t.Accent).Bold(true),
		Winner: fg(t.Winner).Bold(true), Over: fg(t.Over).Bold(true),
		Good: fg(t.Good), Warn: fg(t.Warn),
		Axis: fg(t.Axis), Grid: fg(t.Grid),
		Key: fg(t.Accent), Stale: fg(t.Muted).Faint(true),
	}
	for i := range t.Series {
		s.Series = append(s.Series, fg(t.Series[i].Color))
	}
	return s
}
