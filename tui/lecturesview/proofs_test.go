package lecturesview

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/internal/stand"
	"epsiloscope/scenarios"
	"epsiloscope/tui/kit"
)

// A proof is shown step by step with the document's numbers; a step with a slide's
// constants is shown failing.
func TestProofStepByStep(t *testing.T) {
	s, err := scenarios.LoadBundled("gaussian-zcdp")
	if err != nil {
		t.Fatal(err)
	}
	sh := stand.Shell(t, s)
	q := NewProofs(sh)
	on := stand.New(t, sh, q, 120, 34)
	q.Choose("privacy-loss")
	view := on.View()
	for _, want := range []string{"entry 1", "P(L > ε)", "6 more"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not on the screen:\n%s", want, view)
		}
	}
	on.Press(" ", "enter", "right")
	if view = on.View(); !strings.Contains(view, "the slide’s constants fail here") || !strings.Contains(view, "3 more") {
		t.Errorf("the fourth step does not fail:\n%s", view)
	}
	on.Press("left")
	if strings.Contains(on.View(), "fail here") {
		t.Error("a step back did not take the step away")
	}
	on.Press("proofs.all-steps")
	if !strings.Contains(on.View(), "That is all of it") {
		t.Error("a does not show all")
	}
	for range q.list { // every proof at every size, all steps and one
		on.Press("tab")
		for _, size := range [][2]int{{60, 16}, {80, 22}, {200, 53}} {
			on.Size(size[0], size[1])
			on.View()
			on.Press("proofs.all-steps")
			on.View()
		}
	}
}

// followed remembers what was asked for.
type followed struct {
	kit.Explorer
	to       *string
	scenario *string
}

func (f followed) Follow(to string, scenario string, _ ...accounting.Method) tea.Cmd {
	*f.to, *f.scenario = to, scenario
	return nil
}

func TestExerciseIsChecked(t *testing.T) {
	sh := stand.Shell(t, scenarios.New())
	var to, scenario string
	sh.Explorer = followed{sh.Explorer, &to, &scenario}
	x := NewExercises(sh)
	on := stand.New(t, sh, x, 100, 30)
	x.Choose("park")
	reply := func(words string) string {
		on.Press("enter")
		on.Type(words)
		on.Press("enter")
		return on.View()
	}
	for _, c := range []struct{ reply, sees string }{
		{"2", "2 is too large"},
		{"1", "1 is too small"},
		{"ln 3 or so", "is not a number"},
		{"ln(3)", "ln(3) is right: 1.099"},
	} {
		if view := reply(c.reply); !strings.Contains(view, c.sees) {
			t.Errorf("%q: no %q on the screen:\n%s", c.reply, c.sees, view)
		}
	}
	if view := on.View(); strings.Contains(view, "Hint:") || !strings.Contains(view, "1 right so far") {
		t.Errorf("before the hint:\n%s", view)
	}
	on.Press("exercises.hint")
	if !strings.Contains(on.View(), "Hint: The true answer is given") {
		t.Error("no hint")
	}
	on.Press("exercises.explain")
	if to != "coin-survey" || scenario != "coin-survey" {
		t.Errorf("explained by %q of %q", to, scenario)
	}
	for range x.list {
		on.Press("right", "exercises.hint")
		for _, size := range [][2]int{{60, 16}, {80, 22}, {200, 53}} {
			on.Size(size[0], size[1])
			on.View()
		}
	}
	on.Press("enter", "enter")
	if !x.typing {
		t.Error("an empty reply was taken")
	}
}

// Letters typed into an answer are its letters, whatever they do elsewhere; esc gives them up, and the list says what
// was right.
func TestLettersOfAnAnswerAreNoCommands(t *testing.T) {
	sh := stand.Shell(t, scenarios.New())
	x := NewExercises(sh)
	on := stand.New(t, sh, x, 120, 36)
	x.Choose("park")
	at := x.at
	on.Press("enter", "h", "e", "f", "l", "j", "q", "?", " ", "0", "left", "tab")
	view := on.View()
	if !strings.Contains(view, "hefljq? ") || x.at != at || len(sh.Dialogs) != 0 || x.currentQuestion().hint {
		t.Errorf("question %d after %d, %d dialogs:\n%s", x.at, at, len(sh.Dialogs), view)
	}
	if on.Press("esc"); x.typing || x.currentQuestion().reply != "" {
		t.Error("what was given up counts")
	}
	on.Press("enter")
	on.Type("ln(3)")
	on.Press("enter")
	if view := on.View(); !strings.Contains(view, "▸ ✓ ") || !strings.Contains(view, "ln(3) is right") {
		t.Error(view)
	}
}

// A reply that is still being judged is judged to the end while another is given.
func TestExercisesDoNotWaitForEachOther(t *testing.T) {
	sh := stand.Shell(t, scenarios.New())
	x := NewExercises(sh)
	on := stand.New(t, sh, x, 100, 30)
	x.Choose("park")
	first := x.check("2")
	on.Press("right")
	second := x.check("0.5")
	on.Run(second)
	on.Run(first)
	if view := on.View(); !strings.Contains(view, "0.5 is right") {
		t.Errorf("the second:\n%s", view)
	}
	on.Press("left", "exercises.hint")
	if view := on.View(); !strings.Contains(view, "2 is too large") || strings.Contains(view, "h shows the hint") {
		t.Errorf("the first, with its hint:\n%s", view)
	}
	x.currentQuestion().Hint, x.currentQuestion().hint = "", false
	if view := on.View(); strings.Contains(view, "h shows the hint") {
		t.Errorf("a hint is offered where there is none:\n%s", view)
	}
	on.Press("exercises.hint")
	if view := on.View(); !strings.Contains(view, "Hint: none is given.") {
		t.Errorf("without a hint:\n%s", view)
	}
}
