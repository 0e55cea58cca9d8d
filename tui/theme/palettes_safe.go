package theme

import "github.com/charmbracelet/lipgloss"

// colourBlind uses the eight colours of Okabe and Ito, "Color Universal Design"
// (2008), which stay apart under protanopia, deuteranopia and tritanopia. Winner
// and Over are blue and vermillion, never green and red.
func colourBlind() Theme {
	return Theme{
		Name: "colour-blind", Dark: true,
		Text: rgb("#EEEEEE", "255", "15"), Muted: rgb("#A8A8A8", "248", "7"),
		Border: rgb("#767676", "243", "8"), BorderFocus: rgb("#F0E442", "227", "11"),
		Accent: rgb("#F0E442", "227", "11"),
		Winner: rgb("#56B4E9", "74", "14"), Over: rgb("#F0803C", "208", "9"),
		Good: rgb("#56B4E9", "74", "14"), Warn: rgb("#E69F00", "178", "3"),
		Axis: rgb("#A8A8A8", "248", "7"), Grid: rgb("#555555", "240", "8"),
		Series: series(
			rgb("#56B4E9", "74", "14"), rgb("#E69F00", "178", "3"),
			rgb("#009E73", "36", "2"), rgb("#CC79A7", "175", "13"),
			rgb("#F0E442", "227", "11"), rgb("#D55E00", "166", "9"),
			rgb("#3B8FD0", "32", "12"), rgb("#C8C8C8", "251", "7"),
		),
	}
}

// colourBlindLight is the same set with darker twins for the colours that vanish
// on white (yellow, orange, sky blue), after Tol's "dark" variants.
func colourBlindLight() Theme {
	return Theme{
		Name: "colour-blind-light",
		Text: rgb("#1A1A1A", "234", "0"), Muted: rgb("#5A5A5A", "240", "8"),
		Border: rgb("#808080", "244", "8"), BorderFocus: rgb("#0072B2", "25", "4"),
		Accent: rgb("#0072B2", "25", "4"),
		Winner: rgb("#00598A", "24", "4"), Over: rgb("#B34700", "130", "1"),
		Good: rgb("#00598A", "24", "4"), Warn: rgb("#8A6200", "94", "3"),
		Axis: rgb("#5A5A5A", "240", "8"), Grid: rgb("#C8C8C8", "251", "7"),
		Series: series(
			rgb("#0072B2", "25", "4"), rgb("#D55E00", "166", "1"),
			rgb("#007A58", "29", "2"), rgb("#A8457F", "132", "5"),
			rgb("#8A6D00", "94", "3"), rgb("#3A8DB8", "31", "6"),
			rgb("#5B4B9A", "61", "13"), rgb("#555555", "240", "8"),
		),
	}
}

// mono has no colour at all: it is what NO_COLOR asks for, and it must lose
// nothing. Dash, marker and glyph carry the meaning.
func mono() Theme {
	n := lipgloss.NoColor{}
	return Theme{
		Name: "mono", Dark: true,
		Text: n, Muted: n, Border: n, BorderFocus: n, Accent: n,
		Winner: n, Over: n, Good: n, Warn: n, Axis: n, Grid: n,
		Series: series(n, n, n, n, n, n, n, n),
	}
}
