package theme

import "github.com/charmbracelet/lipgloss"

// rgb is a colour with its 256- and 16-colour stand-ins chosen by hand: the
// automatic nearest match turns several series into the same bright red.
func rgb(hex, ansi256, ansi16 string) lipgloss.TerminalColor {
	return lipgloss.CompleteColor{TrueColor: hex, ANSI256: ansi256, ANSI: ansi16}
}

var palettes = map[string]func() Theme{
	"dark":                dark,
	"light":               light,
	"high-contrast":       highContrast,
	"high-contrast-light": highContrastLight,
	"colour-blind":        colourBlind,
	"colour-blind-light":  colourBlindLight,
	"mono":                mono,
}

// shapes are shared by all palettes, so that a curve keeps its dash and marker
// when the colours change. Every pattern differs from the others within eight
// dots, the length of a legend sample.
var shapes = []SeriesMark{
	{Marker: '●', ASCII: '*'},
	{Marker: '▲', ASCII: '+', Dash: Dash{6, 2}},
	{Marker: '■', ASCII: 'o', Dash: Dash{2, 2}},
	{Marker: '◆', ASCII: '=', Dash: Dash{4, 1, 1, 2}},
	{Marker: '○', ASCII: '#', Dash: Dash{1, 1}},
	{Marker: '△', ASCII: '@', Dash: Dash{4, 4}},
	{Marker: '□', ASCII: '%', Dash: Dash{3, 1}},
	{Marker: '◇', ASCII: '&', Dash: Dash{1, 3}},
}

func series(colours ...lipgloss.TerminalColor) []SeriesMark {
	marks := make([]SeriesMark, len(colours))
	for i, c := range colours {
		marks[i] = shapes[i%len(shapes)]
		marks[i].Color = c
	}
	return marks
}

func dark() Theme {
	return Theme{
		Name: "dark", Dark: true,
		Text: rgb("#E6EDF3", "255", "15"), Muted: rgb("#9DA7B3", "248", "7"),
		Border: rgb("#6E7681", "243", "8"), BorderFocus: rgb("#58A6FF", "75", "12"),
		Accent: rgb("#58A6FF", "75", "12"),
		Winner: rgb("#56D364", "77", "10"), Over: rgb("#FF7B72", "210", "9"),
		Good: rgb("#56D364", "77", "10"), Warn: rgb("#E3B341", "179", "11"),
		Axis: rgb("#9DA7B3", "248", "7"), Grid: rgb("#4D5561", "240", "8"),
		Series: series(
			rgb("#58A6FF", "75", "12"), rgb("#F0883E", "208", "3"),
			rgb("#56D364", "77", "10"), rgb("#D2A8FF", "183", "13"),
			rgb("#E3B341", "179", "11"), rgb("#39C5CF", "44", "14"),
			rgb("#FF9BCE", "218", "9"), rgb("#C9D1D9", "252", "7"),
		),
	}
}

func light() Theme {
	return Theme{
		Name: "light",
		Text: rgb("#1F2328", "235", "0"), Muted: rgb("#59636E", "241", "8"),
		Border: rgb("#818B98", "245", "8"), BorderFocus: rgb("#0969DA", "26", "4"),
		Accent: rgb("#0969DA", "26", "4"),
		Winner: rgb("#116329", "22", "2"), Over: rgb("#CF222E", "160", "1"),
		Good: rgb("#116329", "22", "2"), Warn: rgb("#8A4600", "94", "3"),
		Axis: rgb("#59636E", "241", "8"), Grid: rgb("#C4CBD3", "251", "7"),
		Series: series(
			rgb("#0969DA", "26", "4"), rgb("#BC4C00", "130", "1"),
			rgb("#1A7F37", "28", "2"), rgb("#8250DF", "98", "5"),
			rgb("#7D5E00", "94", "3"), rgb("#0B7285", "30", "6"),
			rgb("#BF3989", "162", "13"), rgb("#57606A", "241", "8"),
		),
	}
}

func highContrast() Theme {
	return Theme{
		Name: "high-contrast", Dark: true,
		Text: rgb("#FFFFFF", "231", "15"), Muted: rgb("#D8D8D8", "253", "15"),
		Border: rgb("#FFFFFF", "231", "15"), BorderFocus: rgb("#FFFF00", "226", "11"),
		Accent: rgb("#FFFF00", "226", "11"),
		Winner: rgb("#00FF00", "46", "10"), Over: rgb("#FF9090", "210", "9"),
		Good: rgb("#00FF00", "46", "10"), Warn: rgb("#FFD000", "220", "11"),
		Axis: rgb("#FFFFFF", "231", "15"), Grid: rgb("#8A8A8A", "245", "7"),
		Series: series(
			rgb("#FFFFFF", "231", "15"), rgb("#FFFF00", "226", "11"),
			rgb("#00FFFF", "51", "14"), rgb("#00FF00", "46", "10"),
			rgb("#FF9CFF", "219", "13"), rgb("#FFB454", "215", "3"),
			rgb("#A0C4FF", "153", "12"), rgb("#FF9090", "210", "9"),
		),
	}
}

func highContrastLight() Theme {
	return Theme{
		Name: "high-contrast-light",
		Text: rgb("#000000", "16", "0"), Muted: rgb("#303030", "236", "0"),
		Border: rgb("#000000", "16", "0"), BorderFocus: rgb("#0000C0", "20", "4"),
		Accent: rgb("#0000C0", "20", "4"),
		Winner: rgb("#005000", "22", "2"), Over: rgb("#A00000", "124", "1"),
		Good: rgb("#005000", "22", "2"), Warn: rgb("#703800", "94", "3"),
		Axis: rgb("#000000", "16", "0"), Grid: rgb("#909090", "246", "8"),
		Series: series(
			rgb("#000000", "16", "0"), rgb("#0000C0", "20", "4"),
			rgb("#A00000", "124", "1"), rgb("#005000", "22", "2"),
			rgb("#800080", "90", "5"), rgb("#703800", "94", "3"),
			rgb("#005060", "23", "6"), rgb("#505050", "239", "8"),
		),
	}
}
