package lecturesview

import (
	"strings"
	"testing"

	"epsiloscope/internal/stand"
	"epsiloscope/scenarios"
)

// The further column shows what a question is about, and neither the answer nor the text of the scenario before the
// reply is right.
func TestAsideKeepsTheAnswer(t *testing.T) {
	sh := stand.Shell(t, scenarios.New())
	x := NewExercises(sh)
	st := stand.New(t, sh, x, 200, 53)
	for i := range x.list {
		q := x.currentQuestion()
		s, err := q.LoadScenario()
		if err != nil {
			t.Fatal(err)
		}
		view := strings.Join(strings.Fields(strings.Join(x.aside(), " ")), " ")
		if !strings.Contains(view, "Releases") {
			t.Errorf("question %d: nothing is shown:\n%s", i+1, st.View())
		}
		first := strings.Join(strings.Fields(s.Description), " ")
		if len(first) > 40 && strings.Contains(view, first[:40]) {
			t.Errorf("question %d: the text of the scenario is shown before the answer", i+1)
		}
		if q.Ask.Plan != nil && q.Ask.Plan.Entry > 0 {
			if e := s.Stack[q.Ask.Plan.Entry-1]; strings.Contains(view, e.Describe()) {
				t.Errorf("question %d: %s is asked for and shown: %s", i+1, q.Ask.Plan.Solve, view)
			}
		}
		st.Press("right")
	}
	st.Press("enter")
	st.Type("numerical")
	st.Press("enter")
	if view := strings.Join(x.aside(), " "); !x.currentQuestion().isSolved() || !strings.Contains(view, "A hundred Laplace counts") {
		t.Errorf("after the answer:\n%s", st.View())
	}
}
