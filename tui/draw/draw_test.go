package draw

import (
	"io"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	_ "epsiloscope/internal/gauge" // the seed of property tests
	"epsiloscope/tui/theme"
)

func pen(t testing.TB, ascii bool) *Pen {
	t.Helper()
	th, _ := theme.ByName("dark")
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.TrueColor)
	return NewPen(th, r, ascii)
}

// With NO_COLOR Lip Gloss drops every attribute; an ink must then leave text alone.
func TestInksWithoutColour(t *testing.T) {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.Ascii)
	th, _ := theme.ByName("dark")
	p := NewPen(th, r, false)
	for _, ink := range []Ink{*p.Series[0].Ink, p.Text, p.Winner, p.Over, p.Beyond} {
		if got := ink.Render("x"); got != "x" {
			t.Errorf("an ink without colour writes %q", got)
		}
	}
}

// A faded line says the same in one ink, but for the grid and what fills cells.
func TestFadeKeepsWhatFills(t *testing.T) {
	p := pen(t, false)
	ground, _ := p.Fits.Ground.Sequences()
	ink, _ := p.Winner.Sequences()
	faded, end := p.Muted.Sequences()
	both, _ := p.Both.Ink.Sequences()
	two := ground + both + "▄" + end // a cell of two areas
	kept := p.Both.Ink.Render("▄") + p.Fits.Ground.Render(" ")
	line := p.Good.Render("a") + " " + p.Grid.Render("──") + p.Winner.Render("b") + kept + ground + ink + "c" + end + two + "d"
	want := p.Muted.Render("a") + p.Muted.Render(" ") + p.Grid.Render("──") + p.Muted.Render("b") + kept +
		ground + faded + "c" + end + two + p.Muted.Render("d")
	if got := p.Fade(line, p.Muted); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.Tint(p.Theme.Over, 1) // a map fills cells with it
	if got := p.Fade(p.Beyond.Render("┊ over"), p.Muted); got != p.Muted.Render("┊ over") {
		t.Errorf("%q: a rule in the colour of an area is no area", got)
	}
	if got := p.Fade("plain", Ink{}); got != "plain" {
		t.Errorf("%q", got)
	}
}

func TestLinesAreExact(t *testing.T) {
	p, a := pen(t, false), pen(t, true)
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.IntRange(0, 90).Draw(t, "width")
		s := rapid.String().Draw(t, "text")
		part := rapid.Float64().Draw(t, "part")
		for _, p := range []*Pen{p, a} {
			l := p.Line(w).Put(p.Text, s).Skip(1).Left(p.Accent, s, 9).Right(p.Over, s, 7).Number(p.Text, "12.87", 9).
				Bar(p.Winner, part, 8).Slider(p.Accent, p.Muted, int(part*9), 9).Put(p.Muted, s)
			if got := Width(l.String()); got != w {
				t.Fatalf("%q is %d wide, want %d", l.String(), got, w)
			}
		}
	})
}

func TestFramesAreExact(t *testing.T) {
	p := pen(t, false)
	for w := 0; w <= 60; w++ {
		for h := 0; h <= 6; h++ {
			inner, rows := Inner(w, h)
			lines := make([]string, rows)
			for i := range lines {
				lines[i] = p.Line(inner).Put(p.Text, "some text in a row of the pane").String()
			}
			note := p.Line(30).Put(p.Key, "1").Put(p.Muted, " ε–K")
			got := p.Frame(Frame{Title: "What it costs", Note: note, Focus: w%2 == 0}, lines, w, h)
			if len(got) != h {
				t.Fatalf("%d×%d has %d lines", w, h, len(got))
			}
			for _, l := range got {
				if Width(l) != w {
					t.Fatalf("%d×%d: %q is %d wide", w, h, l, Width(l))
				}
			}
		}
	}
}

func TestLargeFiguresAreRectangles(t *testing.T) {
	for _, p := range []*Pen{pen(t, false), pen(t, true)} {
		for _, s := range []string{"5.311", "1.2e-6", "1234", "ε = 0.98", "∞"} {
			lines, w := p.Large(p.Winner, s)
			for _, l := range lines {
				if Width(l) != w {
					t.Errorf("Large(%q): %q is %d wide, not %d", s, l, Width(l), w)
				}
			}
		}
	}
}

func TestASCIIPenWritesOnlyASCII(t *testing.T) {
	p := pen(t, true)
	l := p.Line(60).Put(p.Text, "ε ≤ 5.306 – 5.311 … 日本 ★").Bar(p.Winner, 0.5, 9).Slider(p.Accent, p.Muted, 3, 9).String()
	if i := strings.IndexFunc(l, func(r rune) bool { return r >= 0x80 }); i >= 0 {
		t.Errorf("%q has a sign above ASCII at byte %d", l, i)
	}
}

// A formula means in ASCII what it means: factors have a star between them, and a dot
// between blanks is one only where numbers are multiplied.
func TestFormulasAreSpelled(t *testing.T) {
	p := pen(t, true)
	for formula, want := range map[string]string{
		"ε = Σ Kᵢ·εᵢ":                   "eps = sum K_i*eps_i",
		"Δ∞ = 1":                        "Delta_inf = 1",
		"αΔ₂²/(2σ²)":                    "alpha*Delta_2^2/(2*sigma^2)",
		"√(2 · 14.74 · 1.714)":          "sqrt(2 * 14.74 * 1.714)",
		"e^1.2 · Φ(−0.3) ≤ δ":           "e^1.2 * Phi(-0.3) <= delta",
		"ends at ε = 14.76 · RDP":       "ends at eps = 14.76 - RDP",
		"Δf ≤ 2Δ/3, √n, 10⁻⁵, e^ε":      "Delta f <= 2*Delta/3, sqrt n, 10^-5, e^eps",
		"Δ√(2 ln(1.25/δ))/ε":            "Delta*sqrt(2 ln(1.25/delta))/eps",
		"ε = 2.336 → 2.495, ±3, (ε, δ)": "eps = 2.336 -> 2.495, +-3, (eps, delta)",
		"2Σρ and ‖D − D′‖₁":             "2*sum rho and ||D - D'||_1",
	} {
		if got := p.Spell(formula); got != want {
			t.Errorf("%s is spelled %q, not %q", formula, got, want)
		}
	}
}

func TestFigureAlignsThePoint(t *testing.T) {
	p := pen(t, false)
	var at []int
	for _, s := range []string{"12.87", "8.020", "0.9994", "100.0"} {
		at = append(at, strings.IndexByte(p.Line(9).Number(Ink{}, s, 9).String(), '.'))
	}
	for _, i := range at {
		if i != at[0] {
			t.Errorf("points at columns %v", at)
		}
	}
}

func TestSliderShowsItsThumb(t *testing.T) {
	p := pen(t, true)
	for at, want := range map[int]string{0: "O------------", 6: "======O------", 12: "============O", 99: "============O", -1: "O------------"} {
		if got := p.Line(13).Slider(Ink{}, Ink{}, at, 13).String(); got != want {
			t.Errorf("%d: %q", at, got)
		}
	}
}
