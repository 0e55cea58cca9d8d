package kit

import (
	"math"
	"slices"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/scenarios/report/chart"
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
	for i, s := range Dress(full).Named().Series { // as a picture does it again
		if s.Name != full.Series[i].Name || s.Look != full.Series[i].Look {
			t.Errorf("%s with look %d became %s with look %d", full.Series[i].Name, full.Series[i].Look, s.Name, s.Look)
		}
	}
	for _, special := range []accounting.Method{accounting.Optimal, accounting.GDP} {
		c := chart(accounting.Basic, accounting.Advanced, accounting.AdvancedKOV, special, accounting.RDP, accounting.RDPPinned, accounting.ZCDP, accounting.Numerical)
		var seen []int
		for _, s := range c.Series {
			if slices.Contains(seen, s.Look) || s.Look == 0 {
				t.Errorf("with %s, %s has look %d, as another has", special, s.Name, s.Look)
			}
			seen = append(seen, s.Look)
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
