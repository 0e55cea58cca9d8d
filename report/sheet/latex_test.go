package sheet

import (
	"bufio"
	"bytes"
	"context"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/scenarios"
)

// Every row has the columns of the head, braces are in pairs, and no sign is left
// that LaTeX cannot set.
func TestLaTeX(t *testing.T) {
	for _, name := range []string{"welcome", "hair-colour", "renyi-points", "my-first-release"} {
		s, err := scenarios.LoadBundled(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{ClosedFormsOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := Result(r, openPoints).Write(&b, "latex"); err != nil {
			t.Fatal(err)
		}
		columns, tables := 0, 0
		for line := range strings.Lines(b.String()) {
			if strings.HasPrefix(line, "%") {
				continue
			}
			for _, c := range line {
				if c > 0x17f { // accented letters are letters to LaTeX too
					t.Errorf("%s: %q in %s", name, c, line)
				}
			}
			if strings.Count(line, "{")-strings.Count(line, `\{`) != strings.Count(line, "}")-strings.Count(line, `\}`) {
				t.Errorf("%s: braces of %s", name, line)
			}
			if _, spec, begins := strings.Cut(line, `\begin{tabular}{`); begins {
				columns, tables = strings.Count(spec, "l")+strings.Count(spec, "r"), tables+1
			}
			if strings.HasSuffix(line, "\\\\\n") && strings.Count(line, " & ") != columns-1 {
				t.Errorf("%s: columns of %s", name, line)
			}
		}
		if want := 1 + min(1, len(r.Entries)); tables != want {
			t.Errorf("%s: %d tables, want %d: that of the bounds and that of the stack", name, tables, want)
		}
	}
}

// A table that is longer than a page goes on in further ones, with its head and without a lost row.
func TestLaTeXOfLongTables(t *testing.T) {
	for n, tables := range map[int]int{0: 1, 1: 1, 40: 1, 41: 2, 1500: 38} {
		g := Grid{rows: [][]string{{"step"}}, align: []Align{Right}, aside: []bool{false}}
		for i := range n {
			g.rows = append(g.rows, []string{strconv.Itoa(i)})
		}
		var b bytes.Buffer
		out := bufio.NewWriter(&b)
		g.latex(out, []string{"steps"})
		out.Flush()
		text := b.String()
		if got := strings.Count(text, `\begin{table}`); got != tables || strings.Count(text, "    step ") != tables ||
			strings.Count(text, `\caption`) != 1 {
			t.Errorf("%d rows: %d tables, want %d", n, got, tables)
		}
		if got := strings.Count(text, "\\\\\n"); got != n+tables {
			t.Errorf("%d rows: %d lines, want %d", n, got, n+tables)
		}
	}
}

// Labels come from people: a sign of LaTeX in one stays a sign, wherever it stands.
func TestLaTeXOfLabels(t *testing.T) {
	column := []Column[string]{{Head: "label", Show: func(s string) string { return s }}}
	var b bytes.Buffer
	if err := NewSheet("", column, []string{"first", "[1cm]", "* all", "a < b | c > d", "ρ ∝ √w", `50% _x_ & #1 $ \ ~ ^ {}`}).Write(&b, "latex"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\n    {}[1cm] \\\\\n", "\n    {}* all \\\\\n", `a \textless{} b \textbar{} c \textgreater{} d`, `$\rho$ $\propto$ $\sqrt{\ }$w`,
		`50\% \_x\_ \& \#1 \$ \textbackslash{} \textasciitilde{} \textasciicircum{} \{\}`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "caption") {
		t.Errorf("a caption without words:\n%s", b.String())
	}
}

// Only characters that pdfLaTeX prints leave in a LaTeX document, whatever a scenario holds; nothing is dropped.
func TestLaTeXHasOnlyWhatItPrints(t *testing.T) {
	for text, want := range map[string]string{
		"(μ, δ₀) = 0.5": `($\mu$, $\delta$$_0$) = 0.5`,
		"10⁻⁶":          `10$^-$$^6$`,
		"Nоrth":         `N[U+043E]rth`, // with a Cyrillic o
		"50 % of Köln":  `50 \% of Köln`,
		"雪\u200b":       `[U+96EA][U+200B]`,
		"β ≠ τ":         `$\beta$ $\ne$ $\tau$`,
	} {
		if got := latexText(text); got != want {
			t.Errorf("%q is written as %q, want %q", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		for _, r := range latexText(text) {
			if !printsInLaTeX(r) {
				t.Fatalf("%q is written with %q", text, r)
			}
		}
	})
}
