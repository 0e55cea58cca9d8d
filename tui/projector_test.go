package tui

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/teach/exercises"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/layout"
	"epsiloscope/tui/theme"
)

// For a projector there are the answer and the chart, or one text: no header, no footer, no keys, on every screen a
// lecture is given from, in the same colours. P again brings everything back.
func TestProjector(t *testing.T) {
	for look, s := range looks {
		for _, size := range append(sizes, [2]int{60, 18}) {
			a := start(t, size[0], size[1], s)
			before := plainView(a)
			press(a, "projector")
			if a.Pen.Theme.Name != s.theme {
				t.Errorf("%s: the theme is %s", look, a.Pen.Theme.Name)
			}
			slots := a.home.Lay.Slots
			if !slots[layout.Bounds].Visible() || !slots[layout.Chart].Visible() || slots[layout.Stack].Visible() ||
				onScreen(a, "more fit") {
				t.Errorf("%s at %v: more or less than the answer and the chart:\n%s", look, size, plainView(a))
			}
			for name, keys := range map[string][]string{
				"bounds": {"0"}, "chart": {"1"}, "topic": {"L", "down"}, "proof": {"L", "Q", " "}, "exercise": {"X"}, "lab": {"b", "enter", "."},
			} {
				press(a, keys...)
				press(a, "redraw") // a key after which the status is gone
				view := plainView(a)
				lines := strings.Split(view, "\n")
				if len(lines) != size[1] {
					t.Fatalf("%s at %v: %d lines", name, size, len(lines))
				}
				for _, l := range lines {
					if draw.Width(l) != size[0] {
						t.Fatalf("%s at %v: a line of %d cells: %q", name, size, draw.Width(l), l)
					}
				}
				for _, foot := range []string{"epsiloscope", "? help", "enter open", "next step", "esc back", "1 ε–K"} {
					if strings.Contains(view, foot) {
						t.Errorf("%s at %v: %q is on the screen:\n%s", name, size, foot, view)
					}
				}
				press(a, "0")
			}
			press(a, "projector", "chart.none", "redraw")
			if after := plainView(a); a.Projector || after != before {
				t.Errorf("%s at %v: it is not as it was:\n%s", look, size, after)
			}
		}
	}
}

// A theme without colours, chosen on a terminal that has them, draws every screen: the map of two knobs
// asked it for shades that it does not have. What stands behind a dialog is faint.
func TestMonoOnATerminalWithColours(t *testing.T) {
	for _, s := range sights() {
		if s.name != "what if, map" && s.name != "confirm" && !gauge.All() {
			continue
		}
		s.set.theme, s.set.accountant, s.set.charts = theme.Mono, &fake{}, fakeCharts()
		view := s.open(t, 120, 36).View()
		if strings.Contains(view, "\x1b[38") || strings.Contains(view, "\x1b[48") {
			t.Errorf("%s has colours: %q", s.name, view)
		}
		if s.name == "confirm" && !strings.Contains(view, "\x1b[2m") {
			t.Errorf("nothing is faint: %q", view)
		}
	}
}

// What goes wrong is said on the last line, projector or not, and every frame stays closed: the message stands in its
// lower edge, or below it.
func TestProjectorSaysErrors(t *testing.T) {
	for look, s := range looks {
		a := start(t, 80, 24, s)
		press(a, "projector")
		said := func(words string) []string {
			a.Complain(errors.New(words))
			lines := strings.Split(plainView(a), "\n")
			for _, l := range lines {
				if len(lines) != 24 || draw.Width(l) != 80 {
					t.Fatalf("%s: %d lines, one of %d cells: %q", look, len(lines), draw.Width(l), l)
				}
			}
			return lines
		}
		a.Status.Text = ""
		edge := strings.Split(plainView(a), "\n")[23]
		if !a.lowerEdge(edge) {
			t.Fatalf("%s: the last line is no edge: %q", look, edge)
		}
		left, right, ok := strings.Cut(said("no such thing")[23], " "+a.Pen.Glyphs.Cross+" no such thing ")
		if !ok || draw.Width(left) != 2 || !strings.HasPrefix(edge, left) || !strings.HasSuffix(edge, right) {
			t.Errorf("%s: the last line is %q and %q", look, left, right)
		}
		if lines := said(strings.Repeat("a", 73)); !strings.Contains(lines[23], "aaa") || lines[22] != edge {
			t.Errorf("%s: one that fits between the corners no longer: %q", look, lines[22:])
		}
		if lines := said(strings.Repeat("a long story ", 20)); !strings.Contains(lines[21], "a long story") || lines[20] != edge {
			t.Errorf("%s: a long one takes the lines %q", look, lines[20:])
		}
	}
	a := start(t, 120, 36, setup{})
	a.Complain(errors.New(strings.Repeat("a long story ", 30)))
	if lines := strings.Split(plainView(a), "\n"); !strings.Contains(lines[33], "a long story") || !a.lowerEdge(lines[32]) {
		t.Errorf("with a footer, a long one takes the lines %q", lines[32:])
	}
}

// A lecturer's questions are asked by flag, by key and by the palette; what explains one
// may be a scenario beside the file.
func TestQuestionsFromAFile(t *testing.T) {
	folder := t.TempDir()
	for name, words := range map[string]string{
		"mine.yaml": "version: 1\nname: Mine\nbudget: {epsilon: 3}\nstack: [{mechanism: pure, epsilon: 0.5, count: 4}]\n",
		"week3.yaml": "exercises:\n  - {deck: week 3, question: What is the sum?, scenario: mine.yaml, ask: {bound: basic}, hint: Add them., see: \"screen:why\"}\n" +
			"  - {deck: week 3, question: And the best?, scenario: welcome, ask: {best: true}}\n",
		"bad.yaml": "exercises:\n  - {question: q, scenario: welcome, ask: {best: true}}\n  - question: r\n    scenario: nowhere\n    ask: {best: true}\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(words), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a := start(t, 120, 36, setup{})
	press(a, "screen.exercises", "exercises.file")
	typed(a, filepath.Join(folder, "bad.yaml"))
	press(a, "enter")
	if view := plainView(a); len(a.Dialogs) != 1 || !strings.Contains(view, "bad.yaml:3: exercise 2:") {
		t.Fatalf("a malformed file was not refused with its place:\n%s", view)
	}
	press(a, "ctrl+u")
	typed(a, filepath.Join(folder, "week3.yaml"))
	press(a, "enter")
	if view := plainView(a); len(a.Dialogs) != 0 || !strings.Contains(view, "Exercise 1 of 2 from week3.yaml") {
		t.Fatalf("the file was not taken:\n%s", view)
	}
	press(a, "enter")
	typed(a, "2")
	press(a, "enter")
	if view := plainView(a); !strings.Contains(view, "2 is right") {
		t.Errorf("the answer was not checked:\n%s", view)
	}
	press(a, "exercises.explain")
	if a.screens[a.screen].name != "why" || a.Doc.Scenario().Name != "Mine" || a.Doc.Path != filepath.Join(folder, "mine.yaml") {
		t.Errorf("explained on %s with %q of %q", a.screens[a.screen].name, a.Doc.Scenario().Name, a.Doc.Path)
	}
	press(a, "esc", "right", "exercises.explain")
	if !strings.Contains(a.Status.Text, "names nothing") {
		t.Errorf("a question without a link says %q", a.Status.Text)
	}
	press(a, "exercises.file", "ctrl+u", "enter") // empty: the bundled ones again
	if view := plainView(a); !strings.Contains(view, "on the lecture of Aurélien Bellet") {
		t.Errorf("the bundled questions are not back:\n%s", view)
	}
	press(a, "0", "commands")
	typed(a, "questions from")
	press(a, "enter")
	if view := plainView(a); !strings.Contains(view, "Questions from a file") || a.screens[a.screen].name != "exercises" {
		t.Errorf("the palette does not lead to the file:\n%s", view)
	}
}

// The flag opens the explorer on the questions; in the lectures' own links the bundled
// ones are meant.
func TestBeginWithQuestions(t *testing.T) {
	list, err := exercises.Load(filepath.Join("testdata", "questions.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	a := start(t, 120, 36, setup{questions: list})
	if view := plainView(a); !strings.Contains(view, "Exercise 1 of 1 from questions.yaml") {
		t.Errorf("it begins with\n%s", view)
	}
	drain(a, a.Follow("exercise:park", ""))
	drain(a, a.Show("exercises"))
	if view := plainView(a); !strings.Contains(view, "on the lecture of Sangdon Park") {
		t.Errorf("the link of a lecture does not lead to its questions:\n%s", view)
	}
}
