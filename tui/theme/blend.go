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
	own := parts(full)
	for i := range own {
		own[i] = math.Round(ground[i] + (own[i]-ground[i])*share)
	}
	full.TrueColor = fmt.Sprintf("#%02X%02X%02X", int(own[0]), int(own[1]), int(own[2]))
	return full
}

// parts returns red, green and blue, each from 0 to 255.
func parts(c lipgloss.CompleteColor) [3]float64 {
	var r, g, b int
	fmt.Sscanf(c.TrueColor, "#%02X%02X%02X", &r, &g, &b)
	return [3]float64{float64(r), float64(g), float64(b)}
}
