package theme

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

var hexColour = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^#[0-9a-fA-F]{6}$`) })

// roles returns the colours of a theme by the names that a configuration gives them: text, accent, good …, and 1 to 8
// for curves.
func (t *Theme) roles() map[string]*lipgloss.TerminalColor {
	roles := map[string]*lipgloss.TerminalColor{
		"text": &t.Text, "muted": &t.Muted, "border": &t.Border, "accent": &t.Accent, "good": &t.Good,
		"over": &t.Over, "warn": &t.Warn, "axis": &t.Axis, "grid": &t.Grid,
	}
	for i := range t.Series {
		roles[strconv.Itoa(i+1)] = &t.Series[i].Color
	}
	return roles
}

// WithColours returns the theme with some of its colours replaced, by role: {"accent": "#ff8800"}. It refuses a role
// that does not exist and a colour that is not of the form #rrggbb.
func (t Theme) WithColours(colours map[string]string) (Theme, error) {
	t.Series = slices.Clone(t.Series)
	roles := t.roles()
	for _, name := range slices.Sorted(maps.Keys(colours)) {
		role, ok := roles[name]
		if !ok {
			return t, fmt.Errorf("colours: there is no %q; known: %s", name, strings.Join(slices.Sorted(maps.Keys(roles)), ", "))
		}
		hex := colours[name]
		if !hexColour().MatchString(hex) {
			return t, fmt.Errorf("colours: %s: %q is not a colour: write it as \"#rrggbb\", in quotes", name, hex)
		}
		*role = lipgloss.CompleteColor{
			TrueColor: hex, ANSI256: nearest(termenv.ANSI256, hex), ANSI: nearest(termenv.ANSI, hex),
		}
	}
	return t, nil
}

// nearest returns the number of the colour nearest to a hexadecimal one on a terminal with few of them.
func nearest(p termenv.Profile, hex string) string {
	switch c := p.Color(hex).(type) {
	case termenv.ANSI256Color:
		return strconv.Itoa(int(c))
	case termenv.ANSIColor:
		return strconv.Itoa(int(c))
	}
	return ""
}
