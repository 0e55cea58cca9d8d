package reading

import (
	"context"
	"strings"
	"testing"

	"epsiloscope/accounting/audit"
	"epsiloscope/internal/stand"
	"epsiloscope/scenarios"
	"epsiloscope/tui/dialogs"
)

// Attacks stay on the list with the bound that each shows; going back to one shows it again, and a change of the
// scenario takes what was shown of the earlier one away.
func TestAttacksAreKept(t *testing.T) {
	sh := shell(t, "stack: [{mechanism: laplace, epsilon: 0.1}]")
	a := NewAudit(sh).(*Audit)
	st := stand.New(t, sh, a, 200, 50)
	enter := func(correct int) {
		run := audit.OneRun{Canaries: 100, Guesses: 100, Correct: correct}
		a.add(dialogs.AuditCounts{OneRun: run, Confidence: 0.95})
		st.Run(a.Refresh())
	}
	enter(55)
	enter(90)
	if view := st.View(); !strings.Contains(view, "55 of 100 right") || !strings.Contains(view, "✗ one run, 90 of 100 right") || !strings.Contains(view, "The claim is refuted") {
		t.Fatalf("%s", view)
	}
	st.Press("shift+tab")
	st.Run(a.Refresh())
	if view := st.View(); strings.Contains(view, "The claim is refuted") || !strings.Contains(view, "▸   one run, 55 of 100 right") {
		t.Errorf("the first attack is not shown again:\n%s", view)
	}
	if enter(90); len(a.attacks) != 3 || a.list.at != 2 {
		t.Errorf("%d attacks, at %d: the same one is on the list twice", len(a.attacks), a.list.at)
	}
	sh.Doc.Change("epsilon", func(s *scenarios.Scenario) { s.Stack[0].Count = 2 })
	if view := st.View(); strings.Contains(view, "✗ one run") {
		t.Errorf("a verdict on another scenario:\n%s", view)
	}
}

// Scenarios that were compared with stay on the list, one of each name; the table is exported wherever it stands.
func TestComparisonsAreKept(t *testing.T) {
	for _, w := range []int{120, 200} {
		sh := shell(t, "stack: [{mechanism: laplace, epsilon: 0.1}]")
		v := NewVersus(sh)
		st := stand.New(t, sh, v, w, 40)
		other := func(epsilon string) *scenarios.Scenario {
			return shell(t, "stack: [{mechanism: laplace, epsilon: "+epsilon+"}]").Doc.Scenario()
		}
		v.add(other("0.2"), "dir/two.yaml")
		v.add(other("0.3"), "three.yaml")
		v.add(other("0.4"), "other/two.yaml")
		st.Run(v.Refresh())
		view := st.View()
		if len(v.others) != 3 || !strings.Contains(view, "▸ two.yaml") ||
			!strings.Contains(view, "Compared with two.yaml") || !strings.Contains(view, "0.4 → 0.1") {
			t.Errorf("%d columns, %d comparisons:\n%s", w, len(v.others), view)
		}
		st.Press("tab")
		st.Run(v.Refresh())
		if view := st.View(); !strings.Contains(view, "0.3 → 0.1") {
			t.Errorf("%d columns: the other one is not shown:\n%s", w, view)
		}
		if text := v.Share().Text; !strings.Contains(text, "0.3 → 0.1") || !strings.Contains(text, "numerical") {
			t.Errorf("%d columns: exported is\n%s", w, text)
		}
	}
}

// What is proven is known at once: it does not wait for the sizes of an audit, which may take many seconds.
func TestAuditShowsTheBoundsAtOnce(t *testing.T) {
	for _, w := range []int{100, 200} {
		sh := shell(t, "stack: [{mechanism: laplace, epsilon: 0.1}]")
		a := NewAudit(sh).(*Audit)
		a.work = func(context.Context, about) (auditing, error) { return a.first(), nil } // it goes on for long
		st := stand.New(t, sh, a, w, 40)
		st.Run(a.Refresh())
		first := st.View()
		for _, want := range []string{"proven, basic", "To refute ε = 0.09998", "computing how large an attack must be"} {
			if !strings.Contains(first, want) {
				t.Errorf("%d columns: the first picture does not say %q:\n%s", w, want, first)
			}
		}
	}
}

// While the sizes of an audit are computed, the screen says what they are.
func TestAuditSaysWhatIsComputed(t *testing.T) {
	sh := shell(t, "stack: [{mechanism: laplace, epsilon: 0.1}]")
	st := stand.New(t, sh, NewAudit(sh), 120, 30)
	if view := st.View(); !strings.Contains(view, "computing how large an attack must be") {
		t.Errorf("it does not say what is computed:\n%s", view)
	}
}
