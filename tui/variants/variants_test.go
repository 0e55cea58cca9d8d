package variants

import (
	"math"
	"slices"
	"strings"
	"testing"

	"epsiloscope/internal/stand"
	"epsiloscope/report"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
)

func screen(t *testing.T, bundled string) (*Screen, *stand.Stand) {
	t.Helper()
	s, err := scenarios.LoadBundled(bundled)
	if err != nil {
		t.Fatal(err)
	}
	return screenOf(t, s)
}

func screenOf(t *testing.T, s *scenarios.Scenario) (*Screen, *stand.Stand) {
	t.Helper()
	sh := stand.Shell(t, s)
	v := New(sh)
	return v, stand.New(t, sh, v, 120, 36)
}

// A pinned scenario stands beside the present one, with the difference in words.
func TestPinned(t *testing.T) {
	v, st := screen(t, "welcome")
	v.Pin()
	for _, k := range v.Doc.Knobs(math.NaN()) {
		if k.Name == "epsilon" {
			if err := k.Put(0.2); err != nil {
				t.Fatal(err)
			}
		}
	}
	st.Run(v.Refresh())
	view := st.View()
	for _, want := range []string{"▸ A", "now", "% more)", "±14.98 (50 % less)", "A to now: entry 1 epsilon 0.1 → 0.2"} {
		if !strings.Contains(view, want) {
			t.Errorf("no %q in\n%s", want, view)
		}
	}
	if v.Share().Chart == nil {
		t.Error("no curves to take along")
	}
	v.Doc.Change("sampling", func(s *scenarios.Scenario) { s.Stack[1].Sampling = 1.0 / 3 })
	if v.Share().Chart != nil {
		t.Error("the curves of another plan are taken along as those of the present one")
	}
	st.Run(v.Refresh())
	if view := st.View(); !strings.Contains(view, "sampling 1 → 0.3333") {
		t.Errorf("the change is not in few digits:\n%s", view)
	}
	st.Press("enter")
	if v.Doc.Scenario().Stack[0].Values["epsilon"].Number != 0.1 {
		t.Error("the pinned scenario did not come back")
	}
	if what, ok := v.Doc.Undo(); !ok || !strings.Contains(what, "A") {
		t.Errorf("undo: %q", what)
	}
}

// Before anything is pinned the present plan stands there alone, with its curve; an empty stack has none.
func TestNothingIsPinned(t *testing.T) {
	v, st := screen(t, "welcome")
	st.Run(v.Refresh())
	view := st.View()
	for _, want := range []string{"Nothing is pinned yet", "  now", "±29.96", "ε against R", "esc back"} {
		if !strings.Contains(view, want) {
			t.Errorf("no %q in\n%s", want, view)
		}
	}
	if strings.Contains(view, "▸") || strings.Contains(view, "choose") {
		t.Errorf("something can be chosen:\n%s", view)
	}
	v.Doc.Change("stack", func(s *scenarios.Scenario) { s.Stack = nil })
	st.Run(v.Refresh())
	if view := st.View(); strings.Contains(view, "  now") {
		t.Errorf("of an empty stack:\n%s", view)
	}
}

// Whoever pins a fourth plan is told that it takes the place of another.
func TestPinInPlace(t *testing.T) {
	v, st := screen(t, "welcome")
	for range letters {
		v.Pin()
		if strings.Contains(v.Status.Text, "in place of") {
			t.Error(v.Status.Text)
		}
	}
	st.Press("left")
	v.Pin()
	if !strings.Contains(v.Status.Text, "pinned as B, in place of") || len(v.pins) != len(letters) {
		t.Errorf("%q with %d pins", v.Status.Text, len(v.pins))
	}
}

// A curve is never below what is proven: an approximation is left out of it.
func TestCurvesAreBounds(t *testing.T) {
	v, st := screen(t, "dpsgd-tfprivacy") // GDP is an approximation there, below the numerical bound
	v.Pin()
	st.Run(v.Refresh())
	r := v.shown.Answer.list[0].result
	b := r.Bounds[r.Best]
	for _, s := range v.shown.Answer.chart.Series {
		if s.X[0] != 1 || s.Y[0] < b.Lower {
			t.Errorf("%s starts at K = %v with ε = %v, but ε is at least %v", s.Name, s.X[0], s.Y[0], b.Lower)
		}
	}
	c := v.shown.Answer.chart
	if len(c.Series) != 2 || !c.Rivals || c.Read != 1 || c.Focus == 0 { // read where the plans stand
		t.Errorf("%d curves, read at %v up to %v", len(c.Series), c.Read, c.Focus)
	}
	answer := "now: ε = " + report.Upper(b.Epsilon)
	i := slices.IndexFunc(c.Marks, func(m chart.Mark) bool { return m.Answer })
	if i < 0 || c.Marks[i].Label != answer {
		t.Errorf("the answer is not marked as %q: %+v", answer, c.Marks)
	}
}

func TestThan(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		want string
	}{{2.377, 1.8065, " (24 % less)"}, {1, 1, " (the same)"}, {1, 1.012, " (1.2 % more)"}, {1, 5, " (5.0 times)"}, {0, 1, ""}, {1, math.Inf(1), ""}} {
		if got := relativeChange(c.a, c.b, 99); got != c.want {
			t.Errorf("%v to %v: %q, want %q", c.a, c.b, got, c.want)
		}
	}
}
