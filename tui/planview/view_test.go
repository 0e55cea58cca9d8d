package planview

import (
	"strings"
	"testing"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/internal/format"
	"epsiloscope/scenarios"
)

// J and K are offered only where the unknown is that of an entry.
func TestEntryIsOffered(t *testing.T) {
	p, on := solved(t, "name: two\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n  - {mechanism: laplace, epsilon: 0.1}\n  - {mechanism: laplace, epsilon: 0.2}\n")
	for range p.questions() {
		q, _ := p.currentQuestion()
		if view := on.View(); strings.Contains(view, "J K entry") != (q.entry > 0) {
			t.Errorf("%s of entry %d:\n%s", q.solve, q.entry, view)
		}
		on.Press("right")
	}
}

// The column that compares the answers with the best one is explained.
func TestGivenAwayIsExplained(t *testing.T) {
	_, on := solved(t, "name: one\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n  - {mechanism: laplace, epsilon: 0.1, count: 20}\n")
	for _, size := range [][2]int{{80, 22}, {120, 34}} {
		on.Size(size[0], size[1])
		if view := on.View(); !strings.Contains(view, lostHead) || !strings.Contains(view, lostMeaning) {
			t.Errorf("%v:\n%s", size, view)
		}
	}
}

// A click on the name of a view opens it; where entries do not fit the title says which are shown.
func TestViewsByMouse(t *testing.T) {
	p, on := solved(t, "name: many\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n"+strings.Repeat("  - {mechanism: laplace, epsilon: 0.01}\n", 40))
	click := tea.MouseMsg{Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
	for want, name := range views {
		line := strings.Split(on.View(), "\n")[1]
		p.HandleMouse(utf8.RuneCountInString(line[:strings.Index(line, name)])+1, 1, click)
		on.Run(p.Refresh())
		if p.view != want {
			t.Errorf("a click on %s opened %s", name, views[p.view])
		}
		if view := on.View(); strings.Contains(view, "of 40") != (want > 0) {
			t.Errorf("%s:\n%s", name, view)
		}
	}
}

// What is still computed is not said with half a word, nor by an ellipsis after keys, which would be one of a key.
func TestComputingIsWhole(t *testing.T) {
	p, on := solved(t, "name: one\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n  - {mechanism: laplace, epsilon: 0.1}\n")
	p.solve.Busy = true
	for w := 60; w < 100; w++ {
		on.Size(w, 22)
		if view := on.View(); strings.Contains(strings.ReplaceAll(view, "computing …", ""), "comput") || strings.Contains(view, "theorem …") ||
			strings.Contains(view, "view …") || strings.Contains(view, "error …") {
			t.Errorf("%d columns:\n%s", w, view)
		}
	}
}

// Where no division fits, none is shown.
func TestNoDivisionIsShown(t *testing.T) {
	p, on := solved(t, "name: two\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n  - {mechanism: laplace, label: a, epsilon: 7}\n  - {mechanism: laplace, label: b, epsilon: 0.2}\n")
	p.switchView(1)
	on.Press(" ")
	on.Run(p.Refresh())
	view := on.View() // the ε at present stands in the list, in what the entry is, and as its noise now
	if !strings.Contains(view, "leave too little") || strings.Count(view, "ε 0.2") != 3 || strings.Contains(view, " → ") {
		t.Errorf("%s", view)
	}
}

// Under replace an entry that does not say how far a changed record moves its answer has no ✓, and no
// answer meets the budget without that question.
func TestOpenSensitivityHasNoTick(t *testing.T) {
	const stack = "budget: {epsilon: 1, delta: 1e-6}\nadjacency: replace\nstack:\n  - {mechanism: laplace, epsilon: 0.1, count: 3"
	_, open := solved(t, "name: open\n"+stack+"}\n")
	if view := open.View(); strings.Contains(view, "✓") || !strings.Contains(view, "t answers") {
		t.Errorf("a sensitivity is open:\n%s", view)
	}
	_, stated := solved(t, "name: stated\n"+stack+", sensitivity: 2}\n")
	if view := stated.View(); strings.Contains(view, "t answers") {
		t.Errorf("the sensitivity is stated:\n%s", view)
	}
}

// Nothing has a star until it is the answer: not what was answered for the stack before, and not the best of the closed
// forms while the numerical one is computed. Nothing can be applied until then, and at once when it is there.
func TestNoStarBeforeTheAnswer(t *testing.T) {
	p, on := solved(t, "name: one\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n  - {mechanism: laplace, epsilon: 0.1, count: 20}\n")
	on.Size(120, 50)
	if view := on.View(); strings.Count(view, "★") < 3 { // sentence, table and chart
		t.Fatalf("the answer has no star:\n%s", view)
	}
	if err := p.Doc.Edit("count", func(e *scenarios.Entry) { e.Count = 30 }); err != nil {
		t.Fatal(err)
	}
	if view := on.View(); strings.Contains(view, "★") || !strings.Contains(view, "Solving …") || p.apply() == nil {
		t.Errorf("the answer for another stack has a star, or can be applied:\n%s", view)
	}
	again := p.Refresh()
	whole := p.solve.Answer
	p.solve.Of, p.solve.Answer.whole = p.solve.Asked, false // the closed forms have come
	p.solve.Answer.all = whole.all[:len(whole.all)-1]
	p.showSolution(p.solve.Answer)
	if view := on.View(); strings.Contains(view, "★") || p.apply() == nil {
		t.Errorf("the best so far has a star, or can be applied:\n%s", view)
	}
	on.Run(again)
	if view := on.View(); strings.Count(view, "★") < 3 || p.apply() != nil {
		t.Errorf("the answer has no star, or cannot be applied:\n%s", view)
	}
}

// A row that was selected stays selected when the curve comes.
func TestSelectedTheoremStays(t *testing.T) {
	p, on := solved(t, "name: one\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n  - {mechanism: laplace, epsilon: 0.1, count: 20}\n")
	on.Press("up")
	before := p.row
	if p.showSolution(p.solve.Answer); p.row != before {
		t.Errorf("row %d became row %d", before, p.row)
	}
}

// Where nothing can be planned the foot has no keys that would do nothing, and the reason stands there.
func TestFootWhereNothingIsPlanned(t *testing.T) {
	for name, text := range map[string]string{
		"no stack":  "budget: {epsilon: 1, delta: 1e-6}\nstack: []\n",
		"no budget": "stack:\n  - {mechanism: laplace, epsilon: 0.1}\n",
	} {
		_, on := solved(t, "name: it\n"+text)
		view := on.View()
		if strings.Contains(view, "apply") || strings.Contains(view, "unknown") || !strings.Contains(view, "tab view") {
			t.Errorf("%s:\n%s", name, view)
		}
	}
	p, on := solved(t, "name: it\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n  - {mechanism: laplace, label: visits, epsilon: 0.1}\n")
	p.Refusal = format.Errors{{Field: "stack[1].epsilon", Problem: "must be greater than 0, got 0"}}
	for i := range views {
		p.switchView(i - p.view)
		view := on.View()
		if !strings.Contains(view, "entry 1 (“visits”), epsilon: must be") || strings.Contains(view, "apply") {
			t.Errorf("%s:\n%s", views[i], view)
		}
	}
}

// A long name is cut, and not what follows it: neither the end of the question, nor the value at present.
func TestLongNamesLeaveTheRest(t *testing.T) {
	p, on := solved(t, "name: long\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n  - {mechanism: laplace, label: "+
		strings.Repeat("a very long label ", 12)+", epsilon: 0.1}\n")
	for _, w := range []int{60, 80, 120} {
		on.Size(w, 22)
		for range p.questions() {
			q, _ := p.currentQuestion()
			line := strings.Split(on.View(), "\n")[2]
			if w > 60 && !strings.Contains(line, " ›") || strings.Contains(line, ", now") && strings.Contains(line, "now …") {
				t.Errorf("%d columns, %s: %q", w, q.solve, line)
			}
			if q.entry > 0 && w > 60 && !strings.Contains(line, "”") {
				t.Errorf("%d columns, %s: the name has no end: %q", w, q.solve, line)
			}
			on.Press("right")
		}
	}
}

// Where a division leaves room below its picture, all about the selected entry stands there; in a wide window the
// further column has it, once.
func TestSelectedEntryBelowTheDivision(t *testing.T) {
	p, on := solved(t, "name: two\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n  - {mechanism: laplace, label: a, epsilon: 0.1}\n"+
		"  - {mechanism: laplace, label: b, epsilon: 0.2}\n")
	p.switchView(1)
	on.Run(p.Refresh())
	for _, c := range []struct{ w, h, times int }{{80, 22, 0}, {120, 34, 1}, {200, 53, 1}} {
		on.Size(c.w, c.h)
		if view := on.View(); strings.Count(view, "What decides its part") != c.times {
			t.Errorf("%d×%d:\n%s", c.w, c.h, view)
		}
	}
	if on.Size(120, 34); !strings.Contains(on.View(), "Laplace (ε 0.1") {
		t.Errorf("not of the first entry:\n%s", on.View())
	}
	if on.Press("down"); !strings.Contains(on.View(), "Laplace (ε 0.2") {
		t.Errorf("not of the second entry:\n%s", on.View())
	}
}

// Where no division fits the page says why and what to do next, shows what the entries have, and offers nothing to
// apply.
func TestNoDivisionSaysWhatToDo(t *testing.T) {
	const stack = "stack:\n  - {mechanism: laplace, label: a, epsilon: 0.1, count: 20}\n  - {mechanism: laplace, label: b, epsilon: 0.1}\n"
	for _, c := range []struct {
		budget string
		locks  []int
		says   string
	}{
		{"1", []int{1, 2}, "Every entry is locked: there is nothing to divide"},
		{"1e-3", []int{1}, "The locked entries leave too little"},
	} {
		p, on := solved(t, "name: two\nbudget: {epsilon: "+c.budget+", delta: 1e-6}\n"+stack)
		p.switchView(1)
		for _, n := range c.locks {
			p.locked[n] = true
		}
		on.Run(p.Refresh())
		for _, size := range [][2]int{{80, 22}, {120, 34}, {200, 53}} {
			on.Size(size[0], size[1])
			view := on.View()
			for _, words := range []string{c.says, "space unlocks", "t sets another budget", "goes back", "±"} {
				if !strings.Contains(view, words) {
					t.Errorf("%v: no %q:\n%s", c.locks, words, view)
				}
			}
			if strings.Contains(view, "enter apply") || size[1] > 30 && !strings.Contains(view, "The selected entry") {
				t.Errorf("%v, %v:\n%s", c.locks, size, view)
			}
		}
	}
}
