package theme

import (
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// palettes has a line for each role and each series, and for each palette its colour with the
// 256- and 16-colour stand-ins chosen by hand: the automatic nearest match turns several series
// into the same bright red.
//
// The series of colour-blind are the eight colours of Okabe and Ito, "Color Universal Design"
// (2008), which stay apart under protanopia, deuteranopia and tritanopia; on white those that
// vanish (yellow, orange, sky blue) have darker twins, after Tol's "dark" variants. Good and Over
// are blue and vermillion there, never green and red.
const palettes = `
palette  dark            light           high-contrast   high-contrast-light  colour-blind    colour-blind-light
Text     #E6EDF3 255 15  #1F2328 235 0   #FFFFFF 231 15  #000000 16 0         #EEEEEE 255 15  #1A1A1A 234 0
Muted    #9DA7B3 248 7   #59636E 241 8   #D8D8D8 253 15  #303030 236 0        #A8A8A8 248 7   #5A5A5A 240 8
Border   #6E7681 243 8   #818B98 245 8   #FFFFFF 231 15  #000000 16 0         #767676 243 8   #808080 244 8
Accent   #58A6FF 75 12   #0969DA 26 4    #FFFF00 226 11  #0000C0 20 4         #F0E442 227 11  #0072B2 25 4
Good     #56D364 77 10   #116329 22 2    #00FF00 46 10   #005000 22 2         #56B4E9 74 14   #00598A 24 4
Over     #FF7B72 210 9   #CF222E 160 1   #FF9090 210 9   #A00000 124 1        #F0803C 208 9   #B34700 130 1
Warn     #E3B341 179 11  #8A4600 94 3    #FFD000 220 11  #703800 94 3         #E69F00 178 3   #8A6200 94 3
Axis     #9DA7B3 248 7   #59636E 241 8   #FFFFFF 231 15  #000000 16 0         #A8A8A8 248 7   #5A5A5A 240 8
Grid     #2F343B 236 8   #DFE3E8 254 7   #4A4A4A 239 7   #B8B8B8 250 8        #333333 236 8   #DDDDDD 254 7
1        #58A6FF 75 12   #0969DA 26 4    #FFFFFF 231 15  #000000 16 0         #56B4E9 74 14   #0072B2 25 4
2        #F0883E 208 3   #BC4C00 130 1   #FFFF00 226 11  #0000C0 20 4         #E69F00 178 3   #B84E00 130 1
3        #56D364 77 10   #1A7F37 28 2    #00FFFF 51 14   #A00000 124 1        #009E73 36 2    #007A58 29 2
4        #D2A8FF 183 13  #8250DF 98 5    #00FF00 46 10   #005000 22 2         #CC79A7 175 13  #A8457F 132 5
5        #E3B341 179 11  #7D5E00 94 3    #FF9CFF 219 13  #800080 90 5         #F0E442 227 11  #8A6D00 94 3
6        #39C5CF 44 14   #0B7285 30 6    #FFB454 215 3   #703800 94 3         #E06A14 166 9   #27779F 31 6
7        #FF9BCE 218 9   #BF3989 162 13  #A0C4FF 153 12  #005060 23 6         #3B8FD0 32 12   #5B4B9A 61 13
8        #C9D1D9 252 7   #57606A 241 8   #FF9090 210 9   #505050 239 8        #C8C8C8 251 7   #555555 240 8
`

// Mono has no colour at all: it is what NO_COLOR asks for, and it must lose nothing. Dash, marker
// and glyph carry the meaning.
const Mono = "mono"

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

// ByName finds a palette. The name "auto" is not a palette: see Pick.
func ByName(name string) (Theme, bool) {
	lines := strings.Split(strings.Trim(palettes, "\n"), "\n")
	column := slices.Index(strings.Fields(lines[0])[1:], name)
	if column < 0 && name != Mono {
		return Theme{}, false
	}
	t := Theme{Name: name, Dark: !strings.HasSuffix(name, "light"), Series: slices.Clone(shapes)}
	roles := []*lipgloss.TerminalColor{
		&t.Text, &t.Muted, &t.Border, &t.Accent, &t.Good, &t.Over, &t.Warn, &t.Axis, &t.Grid,
	}
	for i := range t.Series {
		roles = append(roles, &t.Series[i].Color)
	}
	for i, role := range roles {
		if *role = (lipgloss.NoColor{}); name != Mono {
			c := strings.Fields(lines[i+1])[1+3*column:]
			*role = lipgloss.CompleteColor{TrueColor: c[0], ANSI256: c[1], ANSI: c[2]}
		}
	}
	return t, true
}

// Names lists what a user may write after --theme, "auto" first.
func Names() []string {
	first, _, _ := strings.Cut(strings.Trim(palettes, "\n"), "\n")
	names := append(strings.Fields(first)[1:], Mono)
	slices.Sort(names)
	return append([]string{"auto"}, names...)
}
