package draw

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"epsiloscope/internal/gauge"
)

func TestCleanRemovesWhatActsOnATerminal(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "counts by region", "counts by region"},
		{"escape", "a\x1b[31mb\x1b]52;c;AA\x07c", "a[31mb]52;c;AAc"},
		{"c1", "a\u009b31mb", "a31mb"},
		{"newline", "a\nb\tc", "a b c"},
		{"override", "a\u202egpj.b", "agpj.b"},
		{"isolate", "\u2066x\u2069", "x"},
		{"joiner", "a\u200db\ufeff", "ab"},
		{"zalgo", "e\u0301\u0302\u0303x", "e\u0301x"},
		{"leading mark", "\u0301x", "x"},
		{"leading vowel", "\u093fक\u093f \u093f", "क\u093f "},
		{"joins what follows", "\u0d4ea\u0d4e", "a"},
		{"wide", "日本", "日本"},
		{"invalid", "a\xffb", "a�b"},
	} {
		if got := Clean(c.in); got != c.want {
			t.Errorf("%s: Clean(%q) = %q, want %q", c.name, c.in, got, c.want)
		}
	}
	if got := Clean(strings.Repeat("é", 10_000)); len([]rune(got)) != limit+1 {
		t.Errorf("a long name keeps %d runes", len([]rune(got)))
	}
}

func TestFitIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Clean(rapid.String().Draw(t, "text"))
		w := rapid.IntRange(0, 60).Draw(t, "width")
		if got := Left(s, w); Width(got) != w {
			t.Fatalf("Left(%q, %d) is %d wide: %q", s, w, Width(got), got)
		}
		if got, want := Width("│ "+s+" ·"), Width(s)+4; got != want {
			t.Fatalf("between other text %q takes %d cells, not %d", s, got-4, want-4)
		}
		for _, r := range s {
			if unicode.IsControl(r) {
				t.Fatalf("control %U left in %q", r, s)
			}
		}
	})
}

// No rune that is left joins the text around it.
func TestEveryRuneKeepsItsCells(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r == 0x40000 && !gauge.All() {
			r = 0xe0000 // no character is assigned between them
		}
		s := Clean(string(r))
		if got, want := Width("é"+s+"é"), Width(s)+2; got != want {
			t.Errorf("%U takes %d cells between letters and %d alone", r, got-2, want-2)
		}
	}
}

// Pairs go from the end, symbol and value together: no number is ever cut.
func TestCutPairs(t *testing.T) {
	for _, c := range []struct {
		params string
		w      int
		want   string
	}{
		{"ε 0.1 δ 1e-9 c 10 k 10000", 25, "ε 0.1 δ 1e-9 c 10 k 10000"},
		{"ε 0.1 δ 1e-9 c 10 k 10000", 24, "ε 0.1 δ 1e-9 c 10 …"},
		{"ε 0.1 δ 1e-9 c 10 k 10000", 18, "ε 0.1 δ 1e-9 …"},
		{"ε 0.1 δ 1e-9 c 10 k 10000", 7, "ε 0.1 …"},
	} {
		if got := CutPairs(c.params, c.w); got != c.want {
			t.Errorf("CutPairs(%q, %d) = %q, want %q", c.params, c.w, got, c.want)
		}
	}
}

func TestBoxIsExact(t *testing.T) {
	got := Box([]string{"a", "日本語", strings.Repeat("x", 9)}, 5, 4)
	want := []string{"a    ", "日本…", "xxxx…", "     "}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("Box = %q, want %q", got, want)
	}
	if len(Box(nil, -1, -1)) != 0 {
		t.Error("a negative box has lines")
	}
}

func ExampleClean() {
	fmt.Println(Clean("evil\x1b[2J\u202ename"))
	// Output: evil[2Jname
}

// No line of prose is wider than it may be, also where a dash stands between blanks.
// A minus belongs to its number or formula; a hyphen between letters may end a line.
func TestWrapKeepsFormulasWhole(t *testing.T) {
	for _, c := range []struct{ prose, want string }{
		{"probability e^-32 of it", "probability|e^-32 of it"},
		{"sums over (1-delta) now", "sums over|(1-delta) now"},
		{"with hyper-parameters", "with hyper-|parameters"},
	} {
		if got := strings.Join(Wrap(c.prose, 14), "|"); got != c.want {
			t.Errorf("%q: got %q, want %q", c.prose, got, c.want)
		}
	}
}

func TestWrapKeepsTheWidth(t *testing.T) {
	const prose = "composed numerically [ZhuDW22], certified to lie within 2.375 - 2.376. It fits - just - the budget"
	for w := 8; w < 100; w++ {
		lines := Wrap(prose, w)
		for _, line := range lines {
			if Width(line) > w && strings.Contains(line, " ") {
				t.Errorf("%d cells: %q has %d", w, line, Width(line))
			}
		}
		got := strings.Join(strings.Fields(strings.Join(lines, " ")), "")
		if got != strings.ReplaceAll(prose, " ", "") && w >= 12 {
			t.Errorf("%d cells: %q", w, lines)
		}
	}
}

// A figure stays whole.
func TestWrapKeepsFigures(t *testing.T) {
	const prose = "It holds at δ = 1e-6, where ε = 2.336 lies within 2.335 – 2.336 or 2.335 - 2.336, and e^-32 is nothing: ledger new --epsilon 3; 20 × Laplace (σ 30) or 7 x noise takes 10 % of ε 0.05 at 9.5 %, an (ε, δ)-guarantee"
	for w := 20; w < 100; w++ {
		lines := strings.Join(Wrap(prose, w), "|")
		for _, figure := range []string{"δ = 1e-6", "ε = 2.336", "2.335 – 2.336", "2.335 - 2.336", "e^-32", "--epsilon", "20 × Laplace", "(σ 30)", "7 x noise", "10 %", "ε 0.05", "9.5 %", "(ε, δ)-"} {
			if !strings.Contains(lines, figure) {
				t.Errorf("%d cells: %q is broken in %q", w, figure, lines)
			}
		}
	}
}
