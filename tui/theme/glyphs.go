package theme

import "github.com/charmbracelet/lipgloss"

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
	Border, BorderFocus        lipgloss.Border
	AxisV, AxisH, AxisCorner   rune
	AxisTickX, AxisTickY       rune
	GridDot, RuleH, RuleV      rune   // grid, horizontal and vertical marks
	CursorV, CursorDot, PointM rune   // crosshair, its meeting with a curve, a marked point
	Shades                     []rune // of a map, from the least
	EdgeV, EdgeH               rune   // where the budget ends on it
}

// Unicode is the normal set. Focus changes the border's shape as well as its
// colour, because colour may be switched off.
func Unicode() Glyphs {
	return Glyphs{
		Select: "▸", Star: "★", Tick: "✓", Cross: "✗", Over: "✗ over", OverMark: "✗", Dot: "●", Ellipsis: "…",
		Up: "↑", Down: "↓", Left: "←", Right: "→",
		Eighths:    []rune(" ▏▎▍▌▋▊▉█"),
		Levels:     []rune(" ▁▂▃▄▅▆▇█"),
		SliderFill: "━", SliderRest: "─", SliderKnob: "●",
		Border: lipgloss.RoundedBorder(), BorderFocus: lipgloss.ThickBorder(),
		AxisV: '│', AxisH: '─', AxisCorner: '└', AxisTickX: '┬', AxisTickY: '┤',
		GridDot: '·', RuleH: '╌', RuleV: '┊',
		CursorV: '│', CursorDot: '┼', PointM: '◎', // no mark of a series
		Shades: []rune("·░▒▓█"), EdgeV: '┃', EdgeH: '━',
	}
}

// ASCII is the set for terminals and fonts without box drawing.
func ASCII() Glyphs {
	focus := lipgloss.Border{Top: "=", Bottom: "=", Left: "#", Right: "#", TopLeft: "#", TopRight: "#", BottomLeft: "#", BottomRight: "#"}
	return Glyphs{
		ASCII:  true,
		Select: ">", Star: "*", Tick: "OK", Cross: "X", Over: "OVER", OverMark: "OVER", Dot: "*", Ellipsis: "~",
		Up: "^", Down: "v", Left: "<", Right: ">",
		Eighths:    []rune(" #"),
		Levels:     []rune(" _.-=#"),
		SliderFill: "=", SliderRest: "-", SliderKnob: "O",
		Border: lipgloss.ASCIIBorder(), BorderFocus: focus,
		AxisV: '|', AxisH: '-', AxisCorner: '+', AxisTickX: '+', AxisTickY: '+',
		GridDot: '.', RuleH: '-', RuleV: ':',
		CursorV: '|', CursorDot: 'O', PointM: '$',
		Shades: []rune(".:+%#"), EdgeV: '|', EdgeH: '-',
	}
}
