// Package draw turns text into lines of an exact width: inks (prepared styles), lines, frames,
// bars, sliders and large numbers. Text from files passes through [Clean], and everything is
// measured in display cells, so that a hostile name can neither move the cursor nor shift a
// column.
//
// Lip Gloss takes microseconds to style one word; a screen has hundreds. An [Ink]
// asks it once and afterwards only joins strings. Start with [NewPen].
package draw

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/tui/theme"
)

// Ink is a style as the bytes before and after a text.
type Ink struct{ before, after string }

// newInk asks Lip Gloss what the style writes around a text.
func newInk(s lipgloss.Style) Ink {
	before, after, _ := strings.Cut(s.Render("x"), "x")
	return Ink{before, after}
}

// Render writes s in this ink. s must have no line breaks.
func (i Ink) Render(s string) string {
	if i.before == "" || s == "" {
		return s
	}
	return i.before + s + i.after
}

// Sequences returns the escape sequences that the ink writes before a text and after it.
func (i Ink) Sequences() (before, after string) { return i.before, i.after }

// Fade returns a finished line in one ink. Filled areas and the grid of a chart keep their colours: in that ink an area
// would look broken, and the grid as strong as the curves.
func (p *Pen) Fade(line string, ink Ink) string {
	var out strings.Builder
	for line != "" {
		plain, rest, _ := strings.Cut(line, "\x1b[")
		out.WriteString(ink.Render(plain))
		if rest == "" {
			break
		}
		run, after, _ := strings.Cut("\x1b["+rest, endOfInk)
		line = after
		text := ansi.Strip(run)
		codes := strings.TrimSuffix(run, text)
		switch ground, behind := p.groundOf(codes); {
		case codes == p.Grid.before || codes == ground && behind,
			isFill(text) && p.isTint(strings.TrimPrefix(codes, ground)):
			out.WriteString(run + endOfInk)
		case behind:
			out.WriteString(ground + ink.before + text + endOfInk)
		default:
			out.WriteString(ink.Render(text))
		}
	}
	return out.String()
}

// endOfInk ends a text that Lip Gloss has styled.
const endOfInk = "\x1b[0m"

// isFill reports whether a text fills cells: with blanks on a ground, or with block elements.
func isFill(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r != ' ' && (r < '▀' || r > '▟') }) < 0
}

// isTint reports whether codes fill cells, and do nothing else.
func (p *Pen) isTint(codes string) bool {
	for _, t := range p.tints {
		if codes == t.Ink.before || codes == t.Ground.before || codes == t.Cut.before {
			return true
		}
	}
	return false
}

// groundOf returns the codes of the tint behind a text, if there is one.
func (p *Pen) groundOf(codes string) (ground string, ok bool) {
	for _, t := range p.tints {
		if t.Ground.before != "" && strings.HasPrefix(codes, t.Ground.before) {
			return t.Ground.before, true
		}
	}
	return "", false
}

// Pen holds every ink of a theme, and its glyphs. It is passed down to every pane; no pane uses
// Lip Gloss's global renderer, so a test with another colour profile never disturbs this one.
type Pen struct {
	Theme  theme.Theme
	Glyphs theme.Glyphs

	Text, Muted, Strong, Title  Ink
	Border, BorderFocus, Accent Ink
	Winner, Over, Good, Warn    Ink
	Beyond                      Ink // a shade over the budget
	Key                         Ink // a key in a help line: grey, as the accent is for what has the focus
	Stale                       Ink // a value that is being computed again
	Axis, Grid                  Ink
	Series                      []Look
	Both                        Tint // what two areas share
	Fits                        Tint // what is within the budget; zero on a terminal of few colours
	Lost                        Tint // δ beyond ε

	renderer *lipgloss.Renderer
	tints    map[tintKey]Tint
}

// Look is the look of a curve, as [theme.SeriesMark] says, on this terminal.
type Look struct {
	Ink    *Ink
	Bold   *Ink // of the best of several
	Faded  *Ink // of the others
	Fill   Tint // of the area below it
	Marker rune
	Dash   theme.Dash // nil: solid
}

// NewPen makes the inks of a theme ready.
func NewPen(t theme.Theme, r *lipgloss.Renderer, ascii bool) *Pen {
	p := &Pen{Theme: t, Glyphs: theme.Unicode(), renderer: r, tints: map[tintKey]Tint{}}
	if ascii {
		p.Glyphs = theme.ASCII()
	}
	plain := func(c lipgloss.TerminalColor) Ink { return newInk(r.NewStyle().Foreground(c)) }
	bold := func(c lipgloss.TerminalColor) Ink { return newInk(r.NewStyle().Foreground(c).Bold(true)) }
	p.Text, p.Muted, p.Strong, p.Title = plain(t.Text), plain(t.Muted), bold(t.Text), bold(t.Text)
	p.Border, p.BorderFocus, p.Accent = plain(t.Border), plain(t.Accent), bold(t.Accent)
	p.Winner, p.Over, p.Good, p.Warn = bold(t.Good), bold(t.Over), plain(t.Good), plain(t.Warn)
	p.Key, p.Stale = bold(t.Muted), newInk(r.NewStyle().Foreground(t.Muted).Faint(true))
	p.Axis, p.Grid, p.Beyond = plain(t.Axis), plain(t.Grid), plain(t.Over)
	for _, s := range t.Series {
		ink, strong, faded := plain(s.Color), bold(s.Color), plain(t.Blend(s.Color, 0.75))
		if ascii {
			s.Marker = s.ASCII
		}
		p.Series = append(p.Series, Look{&ink, &strong, &faded, p.Tint(s.Color, 0.7), s.Marker, s.Dash})
	}
	p.Both, p.Lost = p.Tint(t.Muted, 0.35), p.Tint(t.Over, 0.7)
	if p.FineColours() {
		p.Fits = p.Tint(t.Good, 0.16)
	}
	return p
}
