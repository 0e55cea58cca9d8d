package theme

import (
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
)

// A configured colour replaces that of a role, for terminals with few colours too; the palette itself stays as it was.
func TestWithColours(t *testing.T) {
	dark, _ := ByName("dark")
	got, err := dark.WithColours(map[string]string{"accent": "#ff8800", "2": "#00AA00"})
	if err != nil {
		t.Fatal(err)
	}
	c := got.Accent.(lipgloss.CompleteColor)
	if c.TrueColor != "#ff8800" || c.ANSI256 == "" || c.ANSI == "" || got.Good != dark.Good {
		t.Errorf("%+v", c)
	}
	if got.Series[1].Color.(lipgloss.CompleteColor).TrueColor != "#00AA00" || dark.Series[1].Color == got.Series[1].Color {
		t.Error("the second curve, or the palette it came from")
	}
	for name, c := range map[string][2]string{"acent": {"#ff8800", `there is no "acent"; known: 1, 2`}, "good": {"green", "is not a colour"}} {
		_, err := dark.WithColours(map[string]string{name: c[0]})
		if err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
