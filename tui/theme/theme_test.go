package theme

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
)

func luminanceOf(t *testing.T, c lipgloss.TerminalColor) float64 {
	t.Helper()
	v, err := strconv.ParseUint(strings.TrimPrefix(c.(lipgloss.CompleteColor).TrueColor, "#"), 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	return luminance(float64(v>>16)/255, float64(v>>8&255)/255, float64(v&255)/255)
}

// WCAG 2.1: 4.5 for text (1.4.3), 3 for lines and signs (1.4.11), against the
// common backgrounds of each kind. A curve has its name in its colour, so that its colour is one of text; labels stand
// on tints, too.
func TestContrast(t *testing.T) {
	grounds := map[bool][]float64{
		true:  {luminance(0, 0, 0), luminance(0x1e/255., 0x1e/255., 0x1e/255.)},
		false: {luminance(1, 1, 1)},
	}
	for _, name := range Names()[1:] {
		th, _ := ByName(name)
		if name == "mono" {
			continue // the terminal's own colours
		}
		check := func(role string, c lipgloss.TerminalColor, least float64) {
			for _, g := range grounds[th.Dark] {
				if got := contrast(luminanceOf(t, c), g); got < least {
					t.Errorf("%s: %s has contrast %.2f on luminance %.2f, want %.1f", name, role, got, g, least)
				}
			}
		}
		for role, c := range map[string]lipgloss.TerminalColor{
			"Text": th.Text, "Muted": th.Muted, "Accent": th.Accent, "Good": th.Good, "Over": th.Over, "Warn": th.Warn, "Axis": th.Axis,
		} {
			check(role, c, 4.5)
		}
		check("Border", th.Border, 3)
		for i, s := range th.Series {
			check(fmt.Sprintf("series %d", i), s.Color, 4.5)
		}
		for role, on := range map[string][2]lipgloss.TerminalColor{ // the tints of tui/plot
			"what fits": {th.Good, th.Blend(th.Good, 0.16)}, "words on what fits": {th.Text, th.Blend(th.Good, 0.16)},
			"words on the advantage": {th.Text, th.Blend(th.Over, 0.2)}, "words on a map's band": {th.Text, th.Blend(th.Good, 0.45)},
			"words on its last band": {th.Text, th.Blend(th.Over, 0.45)},
		} {
			if got := contrast(luminanceOf(t, on[0]), luminanceOf(t, on[1])); got < 4.5 {
				t.Errorf("%s: %s have contrast %.2f", name, role, got)
			}
		}
	}
}

func TestContrastOfBlackAndWhite(t *testing.T) {
	if got := contrast(luminance(0, 0, 0), luminance(1, 1, 1)); got != 21 {
		t.Errorf("black on white is %g, WCAG says 21", got)
	}
}

// Every palette fills every role, and series differ in colour at each depth, in
// marker, and in the first eight dots of their dash.
func TestPalettesAreComplete(t *testing.T) {
	for _, name := range Names()[1:] {
		th, _ := ByName(name)
		if th.Name != name {
			t.Errorf("%s calls itself %s", name, th.Name)
		}
		v := reflect.ValueOf(th)
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.Interface && f.IsNil() {
				t.Errorf("%s: %s is unset", name, v.Type().Field(i).Name)
			}
		}
		seen := map[string]bool{}
		once := func(kind, value string) {
			if seen[kind+value] {
				t.Errorf("%s: two series share the %s %q", name, kind, value)
			}
			seen[kind+value] = true
		}
		for _, m := range th.Series {
			if c, ok := m.Color.(lipgloss.CompleteColor); ok {
				once("colour", c.TrueColor)
				once("256-colour", c.ANSI256)
				once("16-colour", c.ANSI)
			}
			once("marker", string(m.Marker))
			once("ASCII marker", string(m.ASCII))
			sample := ""
			for n := range 8 {
				sample += fmt.Sprint(m.Dash.IsDrawn(n))
			}
			once("dash", sample)
		}
	}
}

func TestPick(t *testing.T) {
	for _, c := range []struct {
		name string
		dark bool
		want string
		ok   bool
	}{
		{"", true, "dark", true}, {"auto", false, "light", true}, {"dark", false, "dark", true},
		{"high-contrast", true, "high-contrast", true}, {"high-contrast", false, "high-contrast-light", true},
		{"colorblind", false, "colour-blind-light", true}, {"mono", false, "mono", true},
		{"sepia", true, "dark", false},
	} {
		got, ok := Pick(c.name, c.dark)
		if got.Name != c.want || ok != c.ok {
			t.Errorf("Pick(%q, %t) = %s, %t; want %s, %t", c.name, c.dark, got.Name, ok, c.want, c.ok)
		}
	}
}

func TestDash(t *testing.T) {
	draw := func(d Dash) string {
		s := ""
		for n := range 10 {
			if d.IsDrawn(n) {
				s += "#"
			} else {
				s += "."
			}
		}
		return s
	}
	for want, d := range map[string]Dash{"##########": nil, "##..##..##": {2, 2}, "####.#..##": {4, 1, 1, 2}} {
		if got := draw(d); got != want {
			t.Errorf("%v draws %s, want %s", d, got, want)
		}
	}
	if !(Dash{0, 0}).IsDrawn(3) {
		t.Error("an empty pattern must be solid")
	}
}

// The two glyph sets may be swapped without moving anything.
func TestGlyphsAreOneColumnWide(t *testing.T) {
	for _, g := range []Glyphs{Unicode(), ASCII()} {
		v := reflect.ValueOf(g)
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			var signs []string
			switch f := v.Field(i).Interface().(type) {
			case string:
				signs = []string{f}
			case rune:
				signs = []string{string(f)}
			case []rune:
				for _, r := range f {
					signs = append(signs, string(r))
				}
			case lipgloss.Border:
				signs = []string{f.Top, f.Bottom, f.Left, f.Right, f.TopLeft, f.TopRight, f.BottomLeft, f.BottomRight}
			}
			for _, s := range signs {
				verdict := slices.Contains([]string{"Tick", "Cross", "Over", "OverMark"}, name) // words in ASCII
				if ansi.StringWidth(s) != 1 && !verdict {
					t.Errorf("%s %q is %d columns wide", name, s, ansi.StringWidth(s))
				}
				if g.ASCII && s[0] >= 0x80 {
					t.Errorf("%s %q is not ASCII", name, s)
				}
			}
		}
		if g.Border == g.BorderFocus {
			t.Error("focus must change the border's shape, not only its colour")
		}
	}
}

func ExamplePick() {
	t, ok := Pick("high-contrast", false)
	fmt.Println(t.Name, ok)
	// Output: high-contrast-light true
}

// contrast returns the WCAG 2.1 contrast ratio of two luminances, from 1 to 21.
func contrast(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	return (a + 0.05) / (b + 0.05)
}
