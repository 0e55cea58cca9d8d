package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"epsiloscope/mechanisms"
)

// openLabs shows the labs with the first of them, made quick.
func openLabs(t testing.TB, w, h int) (*App, *labsPane) {
	t.Helper()
	a := start(t, w, h, looks["no-color"])
	press(a, "b")
	l, ok := a.screens[a.screen].pane.(*labsPane)
	if !ok {
		t.Fatal("b shows no labs")
	}
	l.now().values["repeats"] = mechanisms.WholeValue(100)
	return a, l
}

func TestLabRunsAndGoesOnTheStack(t *testing.T) {
	a, l := openLabs(t, 120, 36)
	before := len(a.Doc.Scenario().Stack)
	press(a, "a")
	if len(a.Doc.Scenario().Stack) != before || !strings.Contains(ansi.Strip(a.View()), "run the lab first") {
		t.Error("a lab that has not been run was put on the stack")
	}
	press(a, "enter")
	if l.now().run.Outcome == nil || l.job.Busy {
		t.Fatalf("the lab did not run: %v", l.now().err)
	}
	for _, want := range []string{"508 − 503 = 5", "laplace × 200", "The attacker's estimate"} {
		if !strings.Contains(ansi.Strip(a.View()), want) {
			t.Errorf("%q is not on the screen:\n%s", want, ansi.Strip(a.View()))
		}
	}
	press(a, "a")
	stack := a.Doc.Scenario().Stack
	if len(stack) != before+1 || stack[before].Mechanism != "laplace" || stack[before].Count != 200 {
		t.Fatalf("the stack is %+v", stack)
	}
	press(a, "u")
	if len(a.Doc.Scenario().Stack) != before {
		t.Error("undo does not take it back")
	}
}

// Another seed and a turned parameter run the lab again; one that has not been run
// waits for enter.
func TestLabFollowsItsParameters(t *testing.T) {
	a, l := openLabs(t, 120, 36)
	press(a, "tab", "right")
	if l.now().run.Outcome != nil {
		t.Error("a lab ran before it was asked to")
	}
	was := l.now().values["epsilon"].Number
	press(a, "enter", "right")
	if got := l.now().run.Values["epsilon"].Number; got <= was {
		t.Errorf("the run has ε = %v; it was %v before the turn", got, was)
	}
	press(a, "r")
	if l.now().run.Seed != 2 {
		t.Errorf("seed %d", l.now().run.Seed)
	}
	press(a, "e")
	typed(a, "1/4")
	press(a, "enter")
	if got := l.now().run.Values["epsilon"].Number; got != 0.25 {
		t.Errorf("typed 1/4, the run has ε = %v", got)
	}
	press(a, "down", "e")
	typed(a, "9")
	press(a, "enter")
	if !strings.Contains(ansi.Strip(a.View()), "must be at least 1 and at most 6, got 9") {
		t.Error("a person that is not in the data is not refused")
	}
	press(a, "esc", "tab", "down")
	if l.now().Name != "randomized-response" {
		t.Errorf("the arrows went to %s", l.now().Name)
	}
}

// A choice goes round.
func TestLabTurnsChoices(t *testing.T) {
	a, l := openLabs(t, 80, 24)
	l.Choose("exponential")
	l.wanted = false
	for range len(l.now().Params[0].Choices) {
		press(a, "right")
	}
	if got := l.now().values["example"].Text; got != "hair-colour" {
		t.Errorf("after a full round: %s", got)
	}
}

// A run under way can be stopped; what it would still have sent is dropped.
func TestLabStops(t *testing.T) {
	a, l := openLabs(t, 80, 24)
	cmd := l.start() // not run yet: to the screen it is under way
	l.done = 0.4
	exact(t, a, "a running lab")
	if view := ansi.Strip(a.View()); !strings.Contains(view, "40%") || !strings.Contains(view, "esc stops it") {
		t.Errorf("no progress on the screen:\n%s", view)
	}
	press(a, "esc")
	if l.job.Busy || a.screens[a.screen].name != "labs" {
		t.Error("esc did not stop the run, or left the screen")
	}
	drain(a, cmd)
	if l.now().run.Outcome != nil {
		t.Error("a stopped run has come to an end")
	}
}

// A link of a lecture shows its lab and runs it.
func TestLinksOpenLabs(t *testing.T) {
	a := start(t, 120, 36, looks["no-color"])
	drain(a, host{a}.Lab("exponential"))
	send(a, nil)
	l, ok := a.screens[a.screen].pane.(*labsPane)
	if !ok || l.now().Name != "exponential" || l.now().run.Outcome == nil {
		t.Error("the link did not open and run its lab")
	}
}

func TestGoldenLabs(t *testing.T) {
	for _, size := range sizes[:2] {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			a, _ := openLabs(t, size[0], size[1])
			press(a, "enter")
			golden.RequireEqual(t, []byte(a.View()))
		})
	}
}
