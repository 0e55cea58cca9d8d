package reading

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/lipgloss"

	"epsiloscope/internal/stand"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/review"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/theme"
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
	if st.Press("review.scroll-down", "review.scroll-down", "review.scroll-down", "review.scroll-down"); !strings.Contains(st.View(), last) {
		t.Errorf("%q cannot be read:\n%s", last, st.View())
	}
	if st.Press("down", "up"); st.View() != top {
		t.Errorf("the explanation does not begin at its top:\n%s", st.View())
	}
}

// Where the scenario cannot be evaluated the screen says why and where that is changed, and offers no point to answer.
func TestReviewSaysWhyItIsRefused(t *testing.T) {
	sh := shell(t, "stack: [{mechanism: laplace, label: visits, epsilon: 0.1}]")
	v := NewReview(sh)
	st := stand.New(t, sh, v, 80, 22)
	st.Run(v.Refresh())
	sh.Doc.Change("epsilon", func(s *scenarios.Scenario) { s.Stack[0].Values["epsilon"] = param.NumberValue(0) })
	if _, sh.Refusal = scenarios.Evaluate(t.Context(), sh.Doc.Scenario(), scenarios.Options{}); sh.Refusal == nil {
		t.Fatal("ε = 0 is evaluated")
	}
	view := st.View()
	if !strings.Contains(view, "entry 1 (“visits”), epsilon: ") || !strings.Contains(view, "0 goes home") || strings.Contains(view, "answer it") {
		t.Errorf("the reason or the way out is missing:\n%s", view)
	}
	if st.Press("enter"); !strings.Contains(sh.Status.Text, "epsilon: ") {
		t.Errorf("enter says %q", sh.Status.Text)
	}
}

// The names of the points stand below each other, in ASCII too, where a sign may be a word.
func TestPointsAreAligned(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		sh := shell(t, "stack: [{mechanism: laplace, epsilon: 0.1}]")
		mono, _ := theme.ByName(theme.Mono)
		sh.Pen = draw.NewPen(mono, lipgloss.DefaultRenderer(), ascii)
		v := NewReview(sh)
		st := stand.New(t, sh, v, 120, 34)
		st.Run(v.Refresh())
		lines := strings.Split(st.View(), "\n")
		column := utf8.RuneCountInString(lines[2][:strings.Index(lines[2], "point")])
		for i, p := range v.currentReview().Points {
			row := []rune(lines[3+i])
			if !strings.HasPrefix(string(row[column:]), string(p.Name)+" ") || row[column-1] != ' ' {
				t.Errorf("ascii %t: %s does not stand in column %d:\n%s", ascii, p.Name, column, st.View())
			}
		}
	}
}

// What is believed is a list: each item has its mark, and goes on below its own words.
func TestBeliefsAreApart(t *testing.T) {
	s, err := scenarios.LoadBundled("welcome")
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range [][2]int{{120, 33}, {200, 52}} {
		sh := stand.Shell(t, s)
		if sh.Result, err = scenarios.Evaluate(t.Context(), s, scenarios.Options{}); err != nil {
			t.Fatal(err)
		}
		v := NewReview(sh)
		st := stand.New(t, sh, v, size[0], size[1])
		st.Run(v.Refresh())
		_, list, found := strings.Cut(st.View(), "believed, not checked")
		if n := strings.Count(list, "   · "); !found || n != len(review.Assumptions()) {
			t.Errorf("%v: %d marks for %d items:\n%s", size, n, len(review.Assumptions()), st.View())
		}
	}
}
