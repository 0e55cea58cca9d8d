package sheet

import (
	"bytes"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

func printed(t *testing.T, format string, r *scenarios.Result) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Result(r, openPoints).Write(&b, format); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestTable(t *testing.T)    { golden.RequireEqual(t, printed(t, "table", sample())) }
func TestMarkdown(t *testing.T) { golden.RequireEqual(t, printed(t, "markdown", sample())) }
func TestCSV(t *testing.T)      { golden.RequireEqual(t, printed(t, "csv", sample())) }

func TestTableWithoutAnyValidBound(t *testing.T) {
	r := sample()
	r.Best, r.Bounds, r.Entries, r.Notes = -1, r.Bounds[2:3], nil, nil
	golden.RequireEqual(t, printed(t, "table", r))
}

// A remark that points at another row calls it as the table does.
func TestRemarksNameRowsAsTheTableDoes(t *testing.T) {
	r := sample()
	r.Bounds = []accounting.Bound{{Method: accounting.ZCDP, Note: "no ρ"}, {Method: accounting.ZCDPClassic, Note: "no ρ"}}
	r.Best, r.Entries = -1, nil
	bounds, _ := Tables(r)
	if row := strings.Join(bounds.Rows()[2], " "); !strings.Contains(row, "zCDP classic") || !strings.HasSuffix(row, "as for zCDP") {
		t.Error(row)
	}
	if text := string(printed(t, "table", r)); !strings.Contains(text, "as for zcdp\n") {
		t.Error(text)
	}
}

// A name in a file may hold anything; on a terminal it may only be text.
func TestTextFromFilesIsHarmless(t *testing.T) {
	r := sample()
	r.Name = "a\x1b]0;pwned\x07b\u202ec\r\nd"
	r.Unit = "\x9b31m"
	for _, format := range []string{"table", "markdown"} {
		out := string(printed(t, format, r))
		if out != ansi.Strip(out) || strings.ContainsAny(out, "\r\x1b\x07\u202e\u009b") {
			t.Errorf("control characters reach the terminal: %q", out)
		}
	}
}

func TestVerdict(t *testing.T) {
	r := sample()
	for _, c := range []struct {
		budget float64
		best   int
		want   string
	}{
		{6, 7, "fits the budget ε = 6"},
		{5.3107, 7, "fits the budget ε = 5.3107"},
		{5, 7, "over the budget ε = 5 by 0.3107"},
		{0, 7, ""},
		{1, -1, "not known to fit the budget ε = 1"},
	} {
		r.Target.Epsilon, r.Best = c.budget, c.best
		if got := report.Verdict(r); got != c.want {
			t.Errorf("budget %g: %q, want %q", c.budget, got, c.want)
		}
	}
}

// An approximation is shown; it never vouches for a budget.
func TestOnlyValidBoundsFit(t *testing.T) {
	b := accounting.Bound{Status: accounting.Unproven, Epsilon: 0.5}
	if report.Fits(b, 1) {
		t.Error("an approximate value passed for a bound")
	}
	b.Status = accounting.Valid
	if !report.Fits(b, 1) || report.Fits(b, 0.4) {
		t.Error("a valid bound is judged wrongly")
	}
	b.Epsilon = 0
	for range 10 {
		b.Epsilon += 0.1
	}
	if !report.Fits(b, 1) {
		t.Error("ten times 0.1 does not fit 1")
	}
}

// Decimal points stand under each other, whatever sign a number has.
func TestPointsOfSignedNumbers(t *testing.T) {
	cells := []string{"+1081", "-1.188", "−2.5", "+0.25", "≈1.077", "12.5", "n/a"}
	lines := GridOf([]Column[string]{{Head: "ε", Align: Decimal, Show: func(s string) string { return s }}},
		cells).Lines(80, func(s string) string { return s })
	for i, l := range lines[1:] {
		whole, _, _ := strings.Cut(cells[i], ".")
		if at := ansi.StringWidth(l[:strings.Index(l, whole)] + whole); at != 5 && whole != "n/a" {
			t.Errorf("the point of %q stands at %d", l, at)
		}
	}
}

// A last column of prose is wrapped in a narrow grid, and no word of it is lost.
func TestNarrowProse(t *testing.T) {
	because := "one Rényi order, 12 of its 151, for the whole loss"
	g := GridOf([]Column[string]{
		{Head: "tool", Show: func(tool string) string { return tool }},
		{Head: "because", Prose: true, Show: func(string) string { return because }},
	}, []string{"Opacus", "a tool with a rather long name"})
	for most := 30; most < 90; most++ {
		for i, row := range g.Fit(most, func(s string) string { return s }) {
			all := append([]string{strings.Join(row.Cells, "  ")}, row.Below...)
			for _, l := range all {
				if ansi.StringWidth(strings.TrimRight(l, " ")) > max(most, 37) {
					t.Errorf("%d cells: %q", most, l)
				}
			}
			if words := strings.Join(strings.Fields(strings.Join(all, " ")), " "); i > 0 &&
				!strings.HasSuffix(words, because) {
				t.Errorf("%d cells: %q", most, words)
			}
		}
	}
}

// Where room is short a grid cuts names, then leaves out whole columns, and says so; it never
// cuts a number.
func TestNarrowGrid(t *testing.T) {
	g := GridOf([]Column[string]{
		{Head: "split by", Show: func(name string) string { return name }},
		{Head: "scale", Align: Decimal, Show: func(string) string { return "100.25" }},
		{Head: "error", Align: Decimal, Show: func(string) string { return "12345.75" }},
	}, []string{"exact", "one histogram of all kinds"})
	for most := 12; most < 60; most++ {
		lines := g.Lines(most, strings.ToLower)
		for _, l := range lines {
			if w := ansi.StringWidth(l); w > most && most >= 20 {
				t.Errorf("%d cells: %q has %d", most, l, w)
			}
			for _, number := range strings.Fields(l) {
				if strings.Trim(number, "0123456789.…") == "" && number != "100.25" && number != "12345.75" && number != "…" {
					t.Errorf("%d cells: %q", most, l)
				}
			}
		}
		if all := strings.Contains(lines[1], "12345.75"); all == strings.HasSuffix(lines[0], "…") {
			t.Errorf("%d cells: %q above %q", most, lines[0], lines[1])
		}
	}
	narrow := GridOf([]Column[string]{
		{Head: "", Show: func(name string) string { return name }},
		{Head: "scale", Align: Decimal, Show: func(string) string { return "100.25" }},
		{Head: "error", Align: Decimal, Show: func(string) string { return "12345.75" }},
	}, []string{"A"})
	for most := range 20 {
		narrow.Lines(most, strings.ToLower) // must not panic
	}
	sources := GridOf([]Column[string]{
		{Head: "ε", Align: Decimal, Show: func(string) string { return "100.25" }},
		{Head: "source", Show: func(name string) string { return name }},
	}, []string{"a page on the release", "short"})
	for most := 8; most < 40; most++ { // text at the end is cut, and left out where it would say nothing
		lines, room := sources.Lines(most, strings.ToLower), most-len("100.25  ")
		if cut := strings.HasSuffix(lines[1], "…"); cut != (room >= 12 && room < len("a page on the release")) ||
			strings.Contains(lines[2], "short") != (room >= 12) {
			t.Errorf("%d cells: %q", most, lines)
		}
	}
	if lines := (Grid{}).Lines(20, strings.ToLower); lines != nil {
		t.Errorf("an empty grid has %q", lines)
	}
}
