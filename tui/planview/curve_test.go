package planview

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/internal/stand"
	"epsiloscope/report"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
)

// open returns the screen on a scenario, 120 cells wide, with the first answers.
func open(t *testing.T, s *scenarios.Scenario, height int) (*Screen, *stand.Stand) {
	t.Helper()
	sh := stand.Shell(t, s)
	p := New(sh)
	st := stand.New(t, sh, p, 120, height)
	st.Run(p.Refresh())
	return p, st
}

func welcome(t *testing.T) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.LoadBundled("welcome")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A curve goes with the scenario that it is of: where the next one has no answer there is
// none to see, and none to take along under its name.
func TestPlanCurveGoesWithItsScenario(t *testing.T) {
	p, st := open(t, welcome(t), 50)
	if p.Share().Chart == nil || !strings.Contains(st.View(), "ε of the whole against") {
		t.Fatalf("no curve:\n%s", st.View())
	}
	p.Doc.Change("budget", func(s *scenarios.Scenario) { s.Budget.Epsilon = 0.01 })
	if p.Share().Chart != nil {
		t.Error("the old curve is taken along before there is a new one")
	}
	st.Run(p.Refresh())
	if !p.stuck() || p.Share().Chart != nil || strings.Contains(st.View(), "ε of the whole against") {
		t.Errorf("the curve of another scenario:\n%s", st.View())
	}
}

// A lock is about its entry: it does not fall to the one that takes its place.
func TestLocksGoWithTheirEntries(t *testing.T) {
	p, st := open(t, welcome(t), 36)
	st.Press("tab", " ")
	p.wishes[2] = 7
	if err := p.Doc.Toggle(); err != nil { // not another entry
		t.Fatal(err)
	}
	if st.Run(p.Refresh()); !p.locked[1] || p.wishes[2] != 7 {
		t.Errorf("locked %v, wishes %v", p.locked, p.wishes)
	}
	for _, edit := range []func() error{func() error { return p.Doc.Move(+1) }, p.Doc.Drop} {
		p.locked[1] = true
		if err := edit(); err != nil {
			t.Fatal(err)
		}
		if st.Run(p.Refresh()); len(p.locked)+len(p.wishes) > 0 {
			t.Errorf("locked %v, wishes %v", p.locked, p.wishes)
		}
	}
}

// solved returns the screen on a scenario in YAML, without its version.
func solved(t *testing.T, yaml string) (*Screen, *stand.Stand) {
	s, err := scenarios.Parse("f.yaml", []byte("version: 1\n"+yaml))
	if err != nil {
		t.Fatal(err)
	}
	return open(t, s, 36)
}

// Entries of one name are told apart by what else they say.
func TestLocksOfEntriesWithOneName(t *testing.T) {
	p, st := solved(t, "budget: {epsilon: 3, delta: 1e-6}\nstack: [{mechanism: laplace, epsilon: 0.1}, {mechanism: laplace, epsilon: 0.2}]\n")
	st.Press("tab", " ")
	if err := p.Doc.Edit("ε", func(e *scenarios.Entry) { _ = e.SetNumber("epsilon", 0.2) }); err != nil {
		t.Fatal(err)
	}
	if st.Run(p.Refresh()); !p.locked[1] {
		t.Error("a knob that was turned let the entry go")
	}
	p.Doc.Undo()
	st.Run(p.Refresh())
	if err := p.Doc.Move(+1); err != nil {
		t.Fatal(err)
	}
	if st.Run(p.Refresh()); len(p.locked) > 0 {
		t.Errorf("the lock fell to the entry that took its place: %v", p.locked)
	}
}

// No figure of the table is cut: a part of it would be another.
func TestAnswersAreWhole(t *testing.T) {
	_, st := solved(t, "budget: {epsilon: 1e-9, delta: 1e-6}\nstack: [{mechanism: pure, epsilon: 0.1, count: 100}]\n")
	if view := st.View(); !strings.Contains(view, "meets the budget") || strings.Contains(view, "…") {
		t.Error(view)
	}
	for x, want := range map[float64]string{9.524e299: "9.53e299", 9.996e299: "1e300", 8.412e-10: "8.42e-10", 1.0001: "1.001"} {
		if got := whole(x, 8); got != want {
			t.Errorf("%g is written as %s, not %s", x, got, want)
		}
	}
}

// What was solved of one entry is not said of another.
func TestAnswerIsOfItsEntry(t *testing.T) {
	p, st := solved(t, "budget: {epsilon: 3, delta: 1e-6}\nstack: [{mechanism: gaussian, sigma: 20}, {mechanism: gaussian, sigma: 50}]\n")
	if !strings.Contains(st.View(), "meets the budget") {
		t.Fatalf("no answer:\n%s", st.View())
	}
	p.Doc.Select(1)
	if view := st.View(); strings.Contains(view, "meets the budget") {
		t.Errorf("the answer of another entry:\n%s", view)
	}
}

// The curve passes through what an evaluation gives at the answer, for every unknown,
// and where only whole numbers answer it has no others.
func TestPlanCurveIsTheEvaluation(t *testing.T) {
	s := welcome(t)
	account := plan.New()
	for _, q := range []question{{"epsilon", 1}, {"count", 1}, {"sigma", 2}, {"rounds", 0}, {"scale", 0}} {
		req := plan.Request{Solve: q.solve, Entry: q.entry, Method: accounting.RDP}
		r, err := account.Plan(context.Background(), s, req)
		if err != nil || !r.Feasible {
			t.Fatalf("%+v: %+v, %v", q, r, err)
		}
		c := newCurve(context.Background(), account, s, q, r)
		r.Value = c.Read
		there := s.Clone()
		if err := r.Apply(there); err != nil {
			t.Fatal(err)
		}
		want, err := account.Evaluate(context.Background(), there, scenarios.Options{ClosedFormsOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		rdp, _ := want.Bound(accounting.RDP)
		at := slices.IndexFunc(c.Series[0].X, func(x float64) bool { return x == c.Read })
		i := slices.IndexFunc(c.Series, func(s chart.Series) bool { return s.Name == "RDP" })
		if at < 0 || i < 0 || c.Series[i].Y[at] != rdp.Epsilon {
			t.Errorf("%+v: the curve at %v is not %v", q, c.Read, rdp.Epsilon)
		}
		for _, x := range c.Series[0].X {
			if unknowns[q.solve].whole && x != math.Trunc(x) {
				t.Errorf("%+v: computed at %v", q, x)
			}
		}
	}
}

// Under a budget in terms of harm the curve is of that harm: at the answer it is what an evaluation gives, by the
// certified curve and by each theorem through its (ε, δ), and no more than the limit for the theorem that answers. The
// quick form has each harm with one of the unknowns.
func TestPlanCurveOfAHarm(t *testing.T) {
	account := plan.New()
	ctx := account.Context(context.Background())
	for i, budget := range []string{"advantage: 0.3", "tpr: 0.05, fpr: 0.01", "reconstruction: 0.3, prior: 0.1"} {
		s, err := scenarios.Parse("", []byte("version: 1\nbudget: {"+budget+"}\nstack: [{mechanism: gaussian, sigma: 10, count: 10}]\n"))
		if err != nil {
			t.Fatal(err)
		}
		for j, q := range []question{{"sigma", 1}, {"count", 1}} {
			if j != i%2 && !gauge.All() {
				continue
			}
			r, err := account.Plan(ctx, s, plan.Request{Solve: q.solve, Entry: q.entry, Method: accounting.Numerical})
			if err != nil || !r.Feasible {
				t.Fatalf("%s, %+v: %+v, %v", budget, q, r, err)
			}
			c := newCurve(ctx, account, s, q, r)
			r.Value = c.Read
			there := s.Clone()
			if err := r.Apply(there); err != nil {
				t.Fatal(err)
			}
			want, err := account.Evaluate(ctx, there, scenarios.Options{})
			if err != nil || want.Harm == nil {
				t.Fatal(want, err)
			}
			if c.Y.Label != report.HarmName(s.Budget.Harm) {
				t.Errorf("%s: the axis is %q", budget, c.Y.Label)
			}
			for _, b := range want.Bounds {
				i := slices.IndexFunc(c.Series, func(s chart.Series) bool { return s.Name == b.Method.Name() })
				if b.Status != accounting.Valid || !b.Finite() || i < 0 {
					continue
				}
				at := slices.Index(c.Series[i].X, c.Read)
				if through := report.ImpliedHarm(want, b); at < 0 || math.Abs(c.Series[i].Y[at]-through) > 1e-9 {
					t.Errorf("%s, %+v: %s at %v is not %v", budget, q, b.Method, c.Read, through)
				}
				if b.Method == accounting.Numerical && c.Series[i].Y[at] > s.Budget.Harm.Limit() {
					t.Errorf("%s, %+v: the answer reaches %v", budget, q, c.Series[i].Y[at])
				}
			}
			isNumerical := func(s chart.Series) bool { return s.Name == accounting.Method(accounting.Numerical).Name() }
			if !slices.ContainsFunc(c.Series, isNumerical) {
				t.Errorf("%s: no certified curve among %d", budget, len(c.Series))
			}
		}
	}
}

// A low window, too, has the curve. The answers are then scrolled, the best of them first in sight, and the title says
// which are shown; where there is no curve all of them stand.
func TestLowWindowHasTheCurve(t *testing.T) {
	p, st := open(t, welcome(t), 22)
	st.Size(80, 22)
	view, n := st.View(), len(p.solve.Answer.all)
	for _, want := range []string{"ε of the whole against", "budget 3", "▸ ★ numerical"} {
		if !strings.Contains(view, want) {
			t.Errorf("no %q:\n%s", want, view)
		}
	}
	for range n {
		st.Press("up")
	}
	if view := st.View(); !strings.Contains(view, "▸   basic") || !strings.Contains(view, ", rows 1–") {
		t.Errorf("the first theorem is out of sight:\n%s", view)
	}
	p.solve.Answer.curve.Series = nil
	if view := st.View(); strings.Contains(view, ", rows 1–") || !strings.Contains(view, "★ numerical") {
		t.Errorf("there is room for all %d answers:\n%s", n, view)
	}
}

// A wide window that has no room below the answers has the curve beside them, with all of the answers in sight, and
// the closed forms.
func TestCurveStandsBesideTheAnswers(t *testing.T) {
	const title = "ε of the whole against"
	closed, err := scenarios.Parse("f.yaml", []byte("version: 1\nname: one\nbudget: {epsilon: 1, delta: 1e-6}\n"+
		"stack:\n  - {mechanism: laplace, epsilon: 0.1, count: 30}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*scenarios.Scenario{welcome(t), closed} {
		_, on := open(t, s, 30)
		for _, size := range [][2]int{{160, 28}, {160, 20}, {240, 28}} {
			on.Size(size[0], size[1])
			view := on.View()
			all := strings.Contains(view, "basic ") && strings.Contains(view, " numerical ") && !strings.Contains(view, "rows 1")
			if !all || !strings.Contains(view, title) {
				t.Errorf("%v: no curve, or not all answers:\n%s", size, view)
			}
			for line := range strings.Lines(view) {
				if at := strings.Index(line, title); at >= 0 && !strings.Contains(line[:at], "meets the budget") {
					t.Errorf("%v: it does not begin beside the answer: %q", size, line)
				}
			}
		}
		on.Size(240, 60)
		if view := on.View(); strings.Index(view, title) < strings.Index(view, " numerical ") {
			t.Errorf("it stands beside the answers, though there is room below:\n%s", view)
		}
	}
}
