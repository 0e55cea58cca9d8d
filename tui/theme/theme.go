// Package theme holds the colours and glyphs of the explorer.
//
// Start with Pick (a palette by name). Nothing here is global and nothing happens at
// init: the terminal is asked for its background only by Auto, which the explorer
// calls when it really starts.
package theme

import (
	"github.com/charmbracelet/lipgloss"
)

// Theme names colours by what they mean, never by how they look. Panes must not
// invent colours of their own.
type Theme struct {
	Name string
	Dark bool // made for a dark background

	Text, Muted, Border lipgloss.TerminalColor
	Accent              lipgloss.TerminalColor // the selection, and the border of what has the focus
	Good                lipgloss.TerminalColor // what holds, and the best bound
	Over                lipgloss.TerminalColor // over budget, and errors
	Warn                lipgloss.TerminalColor
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

// IsDrawn reports whether the n-th dot along a curve is drawn.
func (d Dash) IsDrawn(n int) bool {
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

// Pick resolves the user's choice on a dark or light background: "" and "auto" become dark or
// light, "high-contrast" and "colour-blind" their variant for that background. Names of variants
// and of plain palettes are taken at their word. It reports false for an unknown name, and
// returns the automatic choice then.
func Pick(name string, dark bool) (Theme, bool) {
	auto := "light"
	if dark {
		auto = "dark"
	}
	switch name {
	case "", "auto":
		name = auto
	case "color-blind", "colorblind", "colourblind":
		name = "colour-blind"
	}
	if t, ok := ByName(name + "-light"); ok && !dark {
		return t, true
	}
	if t, ok := ByName(name); ok {
		return t, true
	}
	t, _ := ByName(auto)
	return t, false
}

// Glyphs are the signs the explorer draws with: everything that is not text. Each
// is one column wide, so swapping the sets never moves anything, but for the verdicts:
// those are words in ASCII.
type Glyphs struct {
	ASCII bool

	Select, Star               string // selection marker, winner
	Tick, Cross                string // holds; does not hold, or is wrong
	Over, OverMark             string // beyond the budget: before "the budget", and alone
	Dot, Ellipsis              string // unsaved mark, cut text
	Up, Down, Left, Right      string
	Eighths                    []rune // bar ends from empty to full, len ≥ 2
	Levels                     []rune // column heights from empty to full, for sparklines
	SliderFill, SliderRest     string
	SliderKnob                 string
	Track                      string // an axis where nothing stands on it
	Border, BorderFocus        lipgloss.Border
	AxisV, AxisH, AxisCorner   rune
	AxisTickX, AxisTickY       rune
	GridDot, RuleH, RuleV      rune   // grid, horizontal and vertical marks
	Ring                       rune   // where two curves change places
	Near                       string // an approximation
	Shared                     string // a curve that shares the line of another
	Hatch                      []rune // areas without colour: the first, the second, both, a tail
	CursorV, CursorDot, PointM rune   // crosshair, its meeting with a curve, a marked point
	Shades                     []rune // of a map, from the least: three within the budget, two beyond it
}

// Unicode returns the normal set. Focus changes the border's shape as well as its
// colour, because colour may be switched off.
func Unicode() Glyphs {
	return Glyphs{
		Select: "▸", Star: "★", Tick: "✓", Cross: "✗", Over: "✗ over", OverMark: "✗", Dot: "●", Ellipsis: "…",
		Up: "↑", Down: "↓", Left: "←", Right: "→",
		Eighths:    []rune(" ▏▎▍▌▋▊▉█"),
		Levels:     []rune(" ▁▂▃▄▅▆▇█"),
		SliderFill: "━", SliderRest: "─", SliderKnob: "●", Track: "·",
		Border: lipgloss.RoundedBorder(), BorderFocus: lipgloss.ThickBorder(),
		AxisV: '│', AxisH: '─', AxisCorner: '└', AxisTickX: '┬', AxisTickY: '┤',
		GridDot: '─', RuleH: '╌', RuleV: '┊', Ring: '◉', Near: "≈", Shared: "=", Hatch: []rune("╱╲░▒"),
		CursorV: '│', CursorDot: '┼', PointM: '◎', // no mark of a series
		Shades: []rune("·░▒▓█"),
	}
}

// ASCII returns the set for terminals and fonts without box drawing.
func ASCII() Glyphs {
	focus := lipgloss.Border{
		Top: "=", Bottom: "=", Left: "#", Right: "#", TopLeft: "#", TopRight: "#", BottomLeft: "#", BottomRight: "#",
	}
	return Glyphs{
		ASCII:  true,
		Select: ">", Star: "*", Tick: "OK", Cross: "X", Over: "OVER", OverMark: "OVER", Dot: "*", Ellipsis: "~",
		Up: "^", Down: "v", Left: "<", Right: ">",
		Eighths:    []rune(" #"),
		Levels:     []rune(" _.-=#"),
		SliderFill: "=", SliderRest: "-", SliderKnob: "O", Track: ".",
		Border: lipgloss.ASCIIBorder(), BorderFocus: focus,
		AxisV: '|', AxisH: '-', AxisCorner: '+', AxisTickX: '+', AxisTickY: '+',
		GridDot: '.', RuleH: '-', RuleV: ':', Ring: 'X', Near: "~", Shared: "=", Hatch: []rune("#+.%"),
		CursorV: '|', CursorDot: 'O', PointM: '$',
		Shades: []rune(".:-%#"),
	}
}
