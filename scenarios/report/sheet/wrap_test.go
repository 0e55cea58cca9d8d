package sheet

import (
	"bytes"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"epsiloscope/scenarios"
)

// At every width that a terminal may have, no line of a comparison is wider, no word is lost, and what is not wrapped is as it
// was.
func TestWidthIsKept(t *testing.T) {
	s, err := scenarios.LoadBundled("welcome")
	if err != nil {
		t.Fatal(err)
	}
	r, err := scenarios.Evaluate(t.Context(), s, scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := func(width int) string {
		sheet := Result(r)
		sheet.Width = width
		var b bytes.Buffer
		if err := sheet.Write(&b, "table"); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	wide := text(0)
	if text(1000) != wide {
		t.Error("what fits is written differently")
	}
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(60, 240).Draw(t, "width")
		got := text(width)
		for line := range strings.Lines(got) {
			if n := ansi.StringWidth(strings.TrimRight(line, "\n")); n > width {
				t.Fatalf("%d cells of %d: %s", n, width, line)
			}
		}
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(wide), " ") {
			t.Fatalf("words were lost at %d:\n%s", width, got)
		}
	})
}
