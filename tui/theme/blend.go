package theme

import (
	"fmt"
	"math"

	"github.com/charmbracelet/lipgloss"
)

// Blend returns a share of a colour mixed into the ground that the theme is made for. The colours
// of terminals with few of them stay as they are: they have nothing between.
func (t Theme) Blend(c lipgloss.TerminalColor, share float64) lipgloss.TerminalColor {
	full, ok := c.(lipgloss.CompleteColor)
	if !ok {
		return c
	}
	ground := [3]float64{255, 255, 255}
	if t.Dark {
		ground = [3]float64{0x15, 0x17, 0x1a}
	}
	return mix(full, ground, share)
}

// Blend returns the colour a share of the way from one colour to another.
func Blend(from, to lipgloss.TerminalColor, share float64) lipgloss.TerminalColor {
	a, ok := from.(lipgloss.CompleteColor)
	b, also := to.(lipgloss.CompleteColor)
	if !ok || !also {
		return from
	}
	return mix(b, parts(a), share)
}

func mix(c lipgloss.CompleteColor, ground [3]float64, share float64) lipgloss.CompleteColor {
	own := parts(c)
	for i := range own {
		own[i] = math.Round(ground[i] + (own[i]-ground[i])*share)
	}
	c.TrueColor = fmt.Sprintf("#%02X%02X%02X", int(own[0]), int(own[1]), int(own[2]))
	return c
}

func parts(c lipgloss.CompleteColor) (rgb [3]float64) {
	var r, g, b int
	fmt.Sscanf(c.TrueColor, "#%02X%02X%02X", &r, &g, &b)
	return [3]float64{float64(r), float64(g), float64(b)}
}
