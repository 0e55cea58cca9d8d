package sheet

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
)

// A table of numbers is never wider than the terminal, and loses none of them: the columns without room go below,
// behind the first one.
func TestColumnsAreFolded(t *testing.T) {
	const n = 9
	columns := []Column[int]{Words("K", "k", strconv.Itoa)}
	for j := range n {
		columns = append(columns, Number(fmt.Sprintf("theorem-%d", j), "", Decimal, numeral.Format, func(k int) float64 {
			return float64(1000*k) + float64(j)/8
		}))
	}
	rapid.Check(t, func(t *rapid.T) {
		shown := columns
		if rapid.Bool().Draw(t, "a mark behind") { // as split has for what is locked
			shown = append(slices.Clone(columns), Column[int]{Show: func(int) string { return "" }})
		}
		sheet := NewSheet("", shown, []int{1, 2, 30})
		sheet.Width = rapid.IntRange(40, 140).Draw(t, "width")
		var b bytes.Buffer
		if err := sheet.Write(&b, "table"); err != nil {
			t.Fatal(err)
		}
		seen := map[string]int{}
		for line := range strings.Lines(b.String()) {
			if n := ansi.StringWidth(strings.TrimRight(line, "\n")); n > sheet.Width {
				t.Fatalf("%d cells of %d: %s", n, sheet.Width, line)
			}
			for i, cell := range strings.Fields(line) {
				if seen[cell]++; i == 0 && !slices.Contains([]string{"K", "1", "2", "30"}, cell) {
					t.Fatalf("a row begins with %s:\n%s", cell, b.String())
				}
			}
		}
		for j := range n {
			for _, k := range []int{1, 2, 30} {
				if cell := numeral.Format(float64(1000*k) + float64(j)/8); seen[cell] != 1 {
					t.Fatalf("%s stands there %d times:\n%s", cell, seen[cell], b.String())
				}
			}
		}
		if tables := seen["K"]; (tables == 1) != (sheet.Width >= 101) {
			t.Fatalf("%d tables in %d cells", tables, sheet.Width)
		}
	})
}

// At every width that a terminal may have, no line of a comparison is wider, no word is lost, and what is not wrapped
// is as it was.
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
		sheet := Result(r, openPoints)
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

// A list that is wrapped keeps its columns apart, and a last column of text that is wider than the terminal is
// wrapped under itself.
func TestListsAndLastColumnsAreWrapped(t *testing.T) {
	if got, want := WrapLine("name           group      two or three words", 42), "name           group      two or three\n               words"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	columns := []Column[int]{Words("name", "", strconv.Itoa), Words("points", "",
		func(int) string { return strings.Repeat("point, ", 12) + "end" })}
	sheet := NewSheet("", columns, []int{1000, 2000})
	sheet.Width = 60
	var b bytes.Buffer
	if err := sheet.Write(&b, "table"); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if line = strings.TrimRight(line, "\n"); ansi.StringWidth(line) > sheet.Width {
			t.Errorf("%d cells of %d: %s", ansi.StringWidth(line), sheet.Width, line)
		}
	}
	if n := strings.Count(b.String(), "\n      point, "); n < 2 || strings.Count(b.String(), "end") != 2 {
		t.Errorf("the points are not wrapped under themselves:\n%s", b.String())
	}
}

// A last column of text that has too little room beside the others goes below its row.
func TestLastColumnGoesBelowItsRow(t *testing.T) {
	words := func(k int) string { return map[int]string{1: "short", 2: strings.Repeat("word ", 12) + "end"}[k] }
	columns := []Column[int]{
		Words("name", "", func(int) string { return "advanced composition" }), Words("note", "", words),
	}
	sheet := NewSheet("", columns, []int{1, 2})
	sheet.Width = 40
	var b bytes.Buffer
	if err := sheet.Write(&b, "table"); err != nil {
		t.Fatal(err)
	}
	want := "name                  note\nadvanced composition  short\nadvanced composition\n" +
		"     word word word word word word word\n     word word word word word end\n"
	if b.String() != want {
		t.Errorf("%s, want %s", b.String(), want)
	}
}
