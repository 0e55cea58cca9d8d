package labsview

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"epsiloscope/internal/stand"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/tui/kit"
)

// open shows the labs with the first of them, made quick.
func open(t testing.TB, w, h int) (*stand.Stand, *kit.Shell, *Screen) {
	t.Helper()
	sh := stand.Shell(t, scenarios.New())
	l := New(sh)
	l.currentLab().values["repeats"] = param.WholeValue(100)
	return stand.New(t, sh, l, w, h), sh, l
}

func TestLabRunsAndGoesOnTheStack(t *testing.T) {
	on, sh, l := open(t, 120, 34)
	on.Press("labs.to-stack")
	if len(sh.Doc.Scenario().Stack) != 0 || !strings.Contains(sh.Status.Text, "run the lab first") {
		t.Error("a lab that has not been run was put on the stack")
	}
	on.Press("enter")
	if l.currentLab().run == nil || l.job.Busy {
		t.Fatalf("the lab did not run: %v", l.currentLab().err)
	}
	for _, want := range []string{"400 − 395 = 5", "200 × Laplace", "The attacker's estimate"} {
		if view := on.View(); !strings.Contains(view, want) {
			t.Errorf("%q is not on the screen:\n%s", want, view)
		}
	}
	on.Press("labs.to-stack")
	stack := sh.Doc.Scenario().Stack
	if len(stack) != 1 || stack[0].Mechanism != "laplace" || stack[0].Count != 200 {
		t.Fatalf("the stack is %+v", stack)
	}
	sh.Doc.Undo()
	if len(sh.Doc.Scenario().Stack) != 0 {
		t.Error("undo does not take it back")
	}
	sh.Doc.Change("adjacency", func(s *scenarios.Scenario) { s.Adjacency = mechanisms.Replace })
	if on.Press("labs.to-stack"); sh.Doc.Scenario().Adjacency != mechanisms.AddRemove || sh.Doc.Scenario().Unit != "person" {
		t.Errorf("an empty stack takes a lab's entries under %s, unit %q", sh.Doc.Scenario().Adjacency, sh.Doc.Scenario().Unit)
	}
	sh.Doc.Change("adjacency", func(s *scenarios.Scenario) { s.Adjacency = mechanisms.Replace })
	if on.Press("labs.to-stack"); len(sh.Doc.Scenario().Stack) != 1 || !strings.Contains(sh.Status.Text, "hold for adding or removing one record") {
		t.Errorf("Δ for other neighbours is taken over with %q", sh.Status.Text)
	}
}

// A run that no ε covers says so and cannot be put on the stack.
func TestLabWithoutAGuarantee(t *testing.T) {
	on, sh, l := open(t, 120, 40)
	l.Choose("natural-filter")
	l.currentLab().values["samples"] = param.WholeValue(200)
	on.Press("enter")
	if view := on.View(); !strings.Contains(view, "no guarantee: the last release was chosen") || strings.Contains(view, "at δ = 1e-6 by") {
		t.Errorf("the run is not refused a guarantee:\n%s", view)
	}
	if on.Press("labs.to-stack"); len(sh.Doc.Scenario().Stack) != 0 || !strings.Contains(sh.Status.Text, "without a guarantee") {
		t.Errorf("it was put on the stack: %q", sh.Status.Text)
	}
}

// Before it runs, a lab says where it comes from, which need not be a deck.
func TestLabSaysWhereItComesFrom(t *testing.T) {
	on, _, l := open(t, 120, 34)
	for name, want := range map[string]string{"differencing": "From the lectures of ", "tuning": "Beyond the decks."} {
		l.Choose(name)
		if view := on.View(); !strings.Contains(view, want) || strings.Contains(view, "of beyond") {
			t.Errorf("%s: %q is not on the screen:\n%s", name, want, view)
		}
	}
}

// Another seed and a turned parameter run the lab again; one that has not been run
// waits for enter.
func TestLabFollowsItsParameters(t *testing.T) {
	on, sh, l := open(t, 120, 34)
	on.Press("tab", "right")
	if l.currentLab().run != nil {
		t.Error("a lab ran before it was asked to")
	}
	was := l.currentLab().values["epsilon"].Number
	on.Press("enter", "right")
	if got := l.currentLab().run.Values["epsilon"].Number; got <= was {
		t.Errorf("the run has ε = %v; it was %v before the turn", got, was)
	}
	on.Press("labs.seed")
	if l.currentLab().run.Seed != 2 {
		t.Errorf("seed %d", l.currentLab().run.Seed)
	}
	on.Press("labs.type")
	on.Type("1/4")
	on.Press("enter")
	if got := l.currentLab().run.Values["epsilon"].Number; got != 0.25 {
		t.Errorf("typed 1/4, the run has ε = %v", got)
	}
	on.Press("down", "labs.type")
	on.Type("9")
	on.Press("enter")
	if view := strings.Join(sh.Dialogs[0].View(120, 34), "\n"); !strings.Contains(view, "must be at least 0 and at most 5, got 9") {
		t.Error("a person that is not in the data is not refused")
	}
	on.Press("esc", "tab", "down")
	if l.currentLab().Name != "randomized-response" {
		t.Errorf("the arrows went to %s", l.currentLab().Name)
	}
}

// A choice goes round.
func TestLabTurnsChoices(t *testing.T) {
	on, _, l := open(t, 80, 22)
	l.Choose("exponential")
	for range len(l.currentLab().Params[0].Choices) {
		on.Press("right")
	}
	if got := l.currentLab().values["example"].Text; got != "hair-colour" {
		t.Errorf("after a full round: %s", got)
	}
}

// Where 0 stands for the example's own ε, the ε that the run had stands beside it.
func TestLabSaysWhatItUsed(t *testing.T) {
	on, _, l := open(t, 120, 34)
	l.Choose("exponential")
	l.currentLab().values["samples"] = param.WholeValue(100)
	if on.Press("enter"); !strings.Contains(on.View(), "0 here 0.1 ") {
		t.Errorf("the ε of the run is not beside its parameter:\n%s", on.View())
	}
}

// A run under way can be stopped; what it would still have sent is dropped.
func TestLabStops(t *testing.T) {
	on, _, l := open(t, 80, 22)
	cmd := l.start() // not run yet: to the screen it is under way
	l.done = 0.4
	if view := on.View(); !strings.Contains(view, "40%") || !strings.Contains(view, "esc stops it") {
		t.Errorf("no progress on the screen:\n%s", view)
	}
	on.Press("esc")
	if l.job.Busy || slices.Contains(on.Left, "esc") {
		t.Error("esc did not stop the run, or left the screen")
	}
	on.Run(cmd)
	if l.currentLab().run != nil {
		t.Error("a stopped run has come to an end")
	}
}

// Enter runs the lab that is chosen, also while another is under way.
func TestEnterRunsTheLabThatIsChosen(t *testing.T) {
	on, _, l := open(t, 80, 22)
	l.start() // of the first lab, not done yet
	l.Choose("exponential")
	if on.Press("esc"); l.job.Busy || l.currentLab().run != nil {
		t.Error("esc did not stop the other lab, or ran this one")
	}
	l.Choose("differencing")
	l.start()
	l.Choose("exponential")
	on.Press("enter")
	if l.currentLab().run == nil {
		t.Errorf("enter did not run it:\n%s", on.View())
	}
}

// What a stopped run leaves on the screen is of the parameters before: it says so, is exported
// under them, and does not go on the stack under the new ones.
func TestStoppedLabShowsWhichRunItIs(t *testing.T) {
	on, sh, l := open(t, 120, 34)
	on.Press("enter")
	const note = "before the parameters were changed"
	if view := on.View(); strings.Contains(view, note) {
		t.Errorf("the run is of these parameters:\n%s", view)
	}
	late := l.set(l.currentLab().Params[0], param.NumberValue(0.25))
	on.Press("esc", "labs.to-stack")
	on.Run(late)
	if view := on.View(); !strings.Contains(view, note) || !sh.Status.Bad || len(sh.Doc.Scenario().Stack) > 0 {
		t.Errorf("it says %q:\n%s", sh.Status.Text, view)
	}
	if caption := l.Share().Caption; !strings.Contains(caption, "epsilon 0.5,") {
		t.Errorf("the chart is exported as %q", caption)
	}
	on.Press("enter", "labs.to-stack")
	if view := on.View(); strings.Contains(view, note) || len(sh.Doc.Scenario().Stack) != 1 {
		t.Errorf("it says %q:\n%s", sh.Status.Text, view)
	}
}

// Every way of picking the winner is named at the end of its curve.
func TestLegendOfTheSelection(t *testing.T) {
	on, _, l := open(t, 120, 34)
	l.Choose("selection")
	l.currentLab().values["samples"] = param.WholeValue(1000)
	on.Press("enter")
	view := on.View()
	for _, name := range []string{"─ exp.", "─ max exp.", "─ max Lap(2/ε)", "─ counts, Lap(1/ε)", "─ all, Lap(m/ε)"} {
		if !strings.Contains(view, name) {
			t.Errorf("no %q:\n%s", name, view)
		}
	}
}

// Of two mechanisms it is said what they cost together.
func TestCostOfTwoMechanisms(t *testing.T) {
	on, _, l := open(t, 160, 60)
	l.Choose("median")
	l.currentLab().values["queries"] = param.WholeValue(100)
	on.Press("enter")
	if view := on.View(); !strings.Contains(view, "The cost of Sparse vector (easy or hard) and 12 × Laplace (hard answers), together:") {
		t.Errorf("the sum is not said to be one:\n%s", view)
	}
}

// No name of a lab is cut within a word, however narrow the list is.
func TestLabsEndAfterAWord(t *testing.T) {
	for _, w := range []int{60, 80, 100, 120, 200} {
		_, _, l := open(t, w, 60)
		left, _ := l.split()
		for _, row := range l.listBox(left, 60) {
			if before, _, cut := strings.Cut(ansi.Strip(row), "…"); cut && !strings.HasSuffix(before, " ") {
				t.Errorf("%d columns: %s", w, ansi.Strip(row))
			}
		}
	}
}
