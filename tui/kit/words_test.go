package kit

import (
	"math"
	"slices"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/report/chart"
)

// A theorem has the table's name and the same look with the numerical curve and
// without it, and no two theorems of one chart share a look.
func TestDressKeepsLooks(t *testing.T) {
	chart := func(list ...accounting.Method) chart.Chart {
		var c chart.Chart
		for _, m := range list {
			c.Series = append(c.Series, chart.Series{Name: string(m)})
		}
		return Dress(c)
	}
	closed := chart(accounting.RDP, accounting.ZCDP)
	full := chart(accounting.Numerical, accounting.RDP, accounting.RDPClassic, accounting.ZCDP)
	if len(full.Series) != 3 {
		t.Errorf("%d series: the looser twin is not left out", len(full.Series))
	}
	for i, name := range []string{"RDP", "zCDP"} {
		if a, b := closed.Series[i], full.Series[i+1]; a.Name != name || b.Name != name || a.Look != b.Look {
			t.Errorf("%s: %q with look %d, then %q with look %d", name, a.Name, a.Look, b.Name, b.Look)
		}
	}
	for i, s := range Dress(full).WithLabels().Series { // as a picture does it again
		if s.Name != full.Series[i].Name || s.Look != full.Series[i].Look {
			t.Errorf("%s with look %d became %s with look %d", full.Series[i].Name, full.Series[i].Look, s.Name, s.Look)
		}
	}
	for _, special := range []accounting.Method{accounting.Optimal, accounting.GDP} {
		c := chart(accounting.Basic, accounting.Advanced, accounting.AdvancedKOV, special, accounting.RDP,
			accounting.RDPPinned, accounting.ZCDP, accounting.Numerical)
		var seen []int
		for _, s := range c.Series {
			if slices.Contains(seen, s.Look) || s.Look == 0 {
				t.Errorf("with %s, %s has look %d, as another has", special, s.Name, s.Look)
			}
			seen = append(seen, s.Look)
		}
	}
}

// Every form of a theorem is left out of a chart in which it is nowhere below the theorem, and kept in others.
func TestDressLeavesOutLooserForms(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		theorem, form []float64
		drawn         int
	}{
		{[]float64{1, 2}, []float64{1, 3}, 1},
		{[]float64{1, 2}, []float64{1.5, 1.5}, 2},
		{[]float64{1, nan}, []float64{2, 3}, 2},
		{[]float64{1, 2}, []float64{nan, 3}, 1},
	} {
		for m, form := range map[accounting.Method]accounting.Method{
			accounting.Advanced: accounting.AdvancedKOV, accounting.RDP: accounting.RDPClassic,
			accounting.ZCDP: accounting.ZCDPClassic,
		} {
			both := []chart.Series{{Name: string(form), Y: c.form}, {Name: string(m), Y: c.theorem}}
			if got := Dress(chart.Chart{Series: both}).Series; len(got) != c.drawn {
				t.Errorf("%s %v beside %v: %d series, not %d", form, c.form, c.theorem, len(got), c.drawn)
			}
		}
	}
}

func TestCrossingsInWords(t *testing.T) {
	nan := math.NaN()
	c := crossingsInWords(chart.Chart{
		Marks: []chart.Mark{{X: 29, Y: nan, Label: "K = 29: advanced beats basic"}, {X: 3, Y: 4, Label: "best α = 3: ε = 4"}},
		Notes: []string{"last"},
	})
	if c.Marks[0].Label != "K = 29" || c.Marks[1].Label != "best α = 3: ε = 4" {
		t.Errorf("labels %q and %q", c.Marks[0].Label, c.Marks[1].Label)
	}
	if want := []string{"advanced beats basic from K = 29 on", "last"}; !slices.Equal(c.Notes, want) {
		t.Errorf("notes %q, want %q", c.Notes, want)
	}
}

// A note ends where a part of it does, never inside a parenthesis or a number.
func TestClause(t *testing.T) {
	for _, c := range []struct {
		note string
		room int
		want string
	}{
		{"Laplace is not Gaussian noise.", 30, "Laplace is not Gaussian noise"},
		{"Sampled pure ε-DP release is not Gaussian noise.", 30, "Not Gaussian noise"},
		{"zCDP needs every Rényi order: a guarantee at orders up to 32 promises no ρ.", 31, "zCDP needs every Rényi order"},
		{"Gaussian noise has no pure ε, only a δ for every ε.", 31, "Gaussian noise has no pure ε"},
		{"ρ-zCDP states no (ε, δ) of its own.", 31, "ρ-zCDP states no (ε, δ) of …"},
		{"δ is split where ε is least: δ′ = 3.963e-7, and 6.037e-7 for the rest.", 52, "δ is split where ε is least: δ′ = 3.963e-7"},
		{"Yes, but this is so long that little of it fits", 20, "Yes, but this is …"},
	} {
		if got := Clause(c.note, c.room); got != c.want {
			t.Errorf("Clause(%q, %d) = %q, want %q", c.note, c.room, got, c.want)
		}
	}
}

// Of what fits no more is promised than does.
func TestCompactFit(t *testing.T) {
	for n, want := range map[float64]string{149_999: "140k", 999_999: "990k", 1_990_000: "1.9e6", 1.99e9: "1.9e9", 1.96e15: "1e15"} {
		if got := CompactFit(n); got != want {
			t.Errorf("CompactFit(%g) = %q, want %q", n, got, want)
		}
	}
}

// The ends of a slider that have room for one digit are written as every other value with a power of ten.
func TestOneDigit(t *testing.T) {
	for x, want := range map[float64]string{4e5: "4e5", 1e6: "1e6", 3e12: "3e12", 0.008: "8e-3", 2e-10: "2e-10"} {
		if got := OneDigit(x); got != want {
			t.Errorf("%g: %q, want %q", x, got, want)
		}
	}
}
