package reading

import (
	"strings"
	"testing"

	"epsiloscope/internal/stand"
	"epsiloscope/scenarios"
)

// An explanation that is longer than its box is scrolled to its end, and that of the next point begins at its top.
func TestExplanationScrolls(t *testing.T) {
	s, err := scenarios.LoadBundled("welcome")
	if err != nil {
		t.Fatal(err)
	}
	sh := stand.Shell(t, s)
	if sh.Result, err = scenarios.Evaluate(t.Context(), s, scenarios.Options{}); err != nil {
		t.Fatal(err)
	}
	v := NewReview(sh)
	st := stand.New(t, sh, v, 80, 22)
	st.Run(v.Refresh())
	top := st.View()
	point, ok := v.pointAtCursor()
	if !ok || len(point.Answers) == 0 || !strings.Contains(top, "J K scroll") {
		t.Fatalf("nothing to scroll:\n%s", top)
	}
	last := point.Answers[len(point.Answers)-1]
	if strings.Contains(top, last) {
		t.Fatalf("%q is in sight at once:\n%s", last, top)
	}
	if st.Press("J", "J", "J", "J"); !strings.Contains(st.View(), last) {
		t.Errorf("%q cannot be read:\n%s", last, st.View())
	}
	if st.Press("down", "up"); st.View() != top {
		t.Errorf("the explanation does not begin at its top:\n%s", st.View())
	}
}
