package kit

import (
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/theme"
)

// What was typed last stands in a field however wide its letters are, and nothing stands beside it.
func TestFieldOfWideLetters(t *testing.T) {
	mono, _ := theme.ByName("mono")
	p := draw.NewPen(mono, lipgloss.DefaultRenderer(), false)
	for _, c := range []struct{ typed, sees string }{
		{strings.Repeat("漢", 30) + "字", "漢字▏"},
		{strings.Repeat("x", 30) + "y", "xy▏"},
		{strings.Repeat("क\u093f", 30) + "y", "y▏"},
		{"短い", "短い▏"},
	} {
		l := Field(p.Line(40), p, NewInput(c.typed), 12, true, false)
		if line := l.WithoutFill(); l.Column() != 12 || draw.Width(line) != 12 || !strings.Contains(line, c.sees) {
			t.Errorf("%q is %d cells: %q", c.typed, l.Column(), line)
		}
	}
}
