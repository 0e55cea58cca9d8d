package planview

import (
	"fmt"
	"strings"
	"testing"

	"epsiloscope/internal/stand"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

// Below the table every entry has its bars, with the part of the whole that the table's numbers come to; what does not
// fit the rest of the budget has no bar.
func TestPartsAreDrawn(t *testing.T) {
	p, st := open(t, welcome(t), 34)
	p.switchView(2)
	st.Run(p.Refresh())
	m := p.margin.Answer
	for _, size := range [][2]int{{80, 22}, {120, 34}, {200, 53}} {
		st.Size(size[0], size[1])
		view := st.View()
		for _, e := range m.Entries {
			for _, part := range []float64{e.Alone, e.Saves} {
				if want := " " + report.Percent(part/m.Epsilon) + " "; !strings.Contains(view, want) {
					t.Errorf("%v: entry %d has no bar of %s:\n%s", size, e.Entry, want, view)
				}
			}
		}
		if size[0] < 100 {
			continue
		}
		left := 3 - m.Epsilon
		if want := report.Percent(m.Entries[0].OneMore / left); !strings.Contains(view, want) {
			t.Errorf("%v: one more takes %s of the %g that are left:\n%s", size, want, left, view)
		}
		if m.Round < left || strings.Count(view, "does not fit") != 1 {
			t.Errorf("%v: one more round adds %g, where %g are left:\n%s", size, m.Round, left, view)
		}
	}
}

// What fits to the last place is not said not to fit: two times 0.1 and one more are a budget of 0.3, and the
// rounding of their sum is within what counts as fitting on home. After three nothing is left.
func TestOneMoreThatFitsExactly(t *testing.T) {
	for count, want := range map[string]string{"2": "that the budget leaves", "3": "Nothing is left"} {
		p, st := solved(t, "name: exact\nbudget: {epsilon: 0.3}\nstack:\n  - {mechanism: pure, epsilon: 0.1, count: "+count+"}\n")
		p.switchView(2)
		st.Run(p.Refresh())
		st.Size(120, 34)
		_, rest, _ := strings.Cut(st.View(), "as parts of the whole")
		if !strings.Contains(rest, want) || strings.Count(rest, "does not fit") > 1 { // another round does not
			t.Errorf("%s: %s is not on the screen, or what fits does not:\n%s", count, want, st.View())
		}
	}
}

// Of entries whose bars do not all fit those around the selected one are shown.
func TestPartsFollowTheSelection(t *testing.T) {
	p, st := solved(t, "name: many\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n"+strings.Repeat("  - {mechanism: laplace, epsilon: 0.01}\n", 5)+
		"  - {mechanism: laplace, label: the last, epsilon: 0.02}\n")
	p.switchView(2)
	st.Run(p.Refresh())
	st.Size(80, 22)
	if strings.Count(st.View(), "the last") != 1 {
		t.Errorf("in the table alone:\n%s", st.View())
	}
	if st.Press("down", "down", "down", "down", "down"); strings.Count(st.View(), "the last") != 2 {
		t.Errorf("the selected entry has no bars:\n%s", st.View())
	}
}

// What goes by the best bound goes by the one that has the star on home, of equal ones and of many entries too: the
// commands split and margin go by it.
func TestBestIsThatOfHome(t *testing.T) {
	var list []*scenarios.Scenario
	for _, name := range []string{"welcome", "census-dhc", "steward-100-counts", "dp-sgd", "gaussian-breaks"} {
		s, err := scenarios.LoadBundled(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	many := "version: 1\nname: many\nbudget: {epsilon: 4, delta: 1e-6}\nstack:\n"
	for i := range 40 {
		many += fmt.Sprintf("  - {mechanism: laplace, epsilon: 0.%d}\n", 100+i)
	}
	s, err := scenarios.Parse("many", []byte(many))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range append(list, s) {
		r, err := scenarios.Evaluate(t.Context(), s, scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := New(stand.Shell(t, s))
		if p.Full = r; p.best() != r.BestBound().Method {
			t.Errorf("%s: planned by %s, and the answer is by %s", s.Name, p.best(), r.BestBound().Method)
		}
	}
}
