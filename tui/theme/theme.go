// Package theme holds the colours, glyphs and styles of the explorer.
//
// Start with Pick (a palette by name), then NewStyles (that palette on one
// renderer, with unicode or ASCII glyphs). Nothing here is global and nothing
// happens at init: the terminal is asked for its background only by detect, which
// the explorer calls when it really starts.
package theme

import (
	"sort"

	"github.com/charmbracelet/lipgloss"
)

// Theme names colours by what they mean, never by how they look. Panes must not
// invent colours of their own.
type Theme struct {
	Name string
	Dark bool // made for a dark background

	Text, Muted         lipgloss.TerminalColor
	Border, BorderFocus lipgloss.TerminalColor
	Accent              lipgloss.TerminalColor // the selection
	Winner              lipgloss.TerminalColor // the best bound
	Over                lipgloss.TerminalColor // over budget, and errors
	Good, Warn          lipgloss.TerminalColor
	Axis, Grid          lipgloss.TerminalColor
	Series              []SeriesMark
}

// SeriesMark tells one curve from the next three times over: by colour, by the
// marker set on it, and by its dash pattern. Any one of them is enough.
type SeriesMark struct {
	Color  lipgloss.TerminalColor
	Marker rune // unicode marker
	ASCII  rune // marker where only ASCII may be drawn
	Dash   Dash
}

// Dash is a pattern of alternating drawn and skipped lengths, counted in braille
// dots (half a cell wide). Empty means solid.
type Dash []int

// On reports whether the n-th dot along a curve is drawn.
func (d Dash) On(n int) bool {
	period := 0
	for _, l := range d {
		period += max(l, 0)
	}
	if period == 0 {
		return true
	}
	n %= period
	for i, l := range d {
		if n < l {
			return i%2 == 0
		}
		n -= l
	}
	return true
}

// Mark returns the look of the i-th series; it repeats after the last one.
func (t Theme) Mark(i int) SeriesMark {
	if len(t.Series) == 0 || i < 0 {
		return SeriesMark{Color: t.Text, Marker: '●', ASCII: '*'}
	}
	return t.Series[i%len(t.Series)]
}

// ByName finds a palette. The name "auto" is not a palette: see Pick.
func ByName(name string) (Theme, bool) {
	build, ok := palettes[name]
	if !ok {
		return Theme{}, false
	}
	return build(), true
}

// Names lists what a user may write after --theme, "auto" first.
func Names() []string {
	names := make([]string, 0, len(palettes))
	for name := range palettes {
		names = append(names, name)
	}
	sort.Strings(names)
	return append([]string{"auto"}, names...)
}

// Pick resolves what the user asked for on a dark or light background: "" and
// "auto" become dark or light, "high-contrast" and "colour-blind" their variant
// for that background. Names of variants and of plain palettes are taken at their
// word. It reports false for a name nobody knows, and returns the automatic
// choice then.
func Pick(name string, dark bool) (Theme, bool) {
	auto := "light"
	if dark {
		auto = "dark"
	}
	if name == "" || name == "auto" {
		t, _ := ByName(auto)
		return t, true
	}
	if name == "color-blind" || name == "colorblind" || name == "colourblind" {
		name = "colour-blind"
	}
	if !dark {
		if t, ok := ByName(name + "-light"); ok {
			return t, true
		}
	}
	if t, ok := ByName(name); ok {
		return t, true
	}
	t, _ := ByName(auto)
	return t, false
}
