package tui

import (
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"epsiloscope/internal/stand"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

func TestFormRefusesOnTheField(t *testing.T) {
	a := start(t, 120, 36, setup{})
	press(a, "enter")
	typed(a, "-1")
	if !strings.Contains(ansi.Strip(a.View()), "must be greater than 0") {
		t.Errorf("no word about −1:\n%s", ansi.Strip(a.View()))
	}
	press(a, "enter")
	if len(a.Dialogs) != 1 || a.Doc.Dirty() {
		t.Error("an invalid form was taken")
	}
	exact(t, a, "invalid form")
	typed(a, "ln(3)/2") // the first letter replaces
	press(a, "enter")
	if len(a.Dialogs) != 0 {
		t.Fatalf("a valid form was refused:\n%s", ansi.Strip(a.View()))
	}
}

// Every mechanism of the catalogue can be added, opened and taken unchanged.
func TestEveryMechanismHasAForm(t *testing.T) {
	for _, spec := range mechanisms.Catalogue() {
		t.Run(spec.Name, func(t *testing.T) {
			a := start(t, 120, 36, setup{scenario: scenarios.New()})
			a.Doc.Add(scenarios.Entry{Mechanism: spec.Name, Count: 1, Sampling: 1, Values: spec.Initials()})
			before := a.Doc.Scenario()
			send(a, stand.Key("enter"))
			exact(t, a, "form")
			press(a, "enter")
			if len(a.Dialogs) > 0 {
				t.Fatalf("refused its own initial values:\n%s", ansi.Strip(a.View()))
			}
			if !a.Doc.Scenario().Stack[0].Equal(before.Stack[0]) {
				t.Errorf("changed from %v to %v", before.Stack[0].Values, a.Doc.Scenario().Stack[0].Values)
			}
			press(a, "enter", "esc")
			for range a.Doc.Knobs(math.NaN()) { // every knob turns both ways without leaving its range
				press(a, "knob.up", "knob.up", "knob.down", "knob.ten-times", "knob.tenth", "knob.next")
			}
			row := a.Doc.Scenario().Stack[0]
			if _, err := mechanisms.New(row.Mechanism, row.Values); err != nil {
				t.Errorf("turning the knobs broke it: %v", err)
			}
		})
	}
}

func TestTypedValues(t *testing.T) {
	a := start(t, 120, 36, setup{})
	for typing, want := range map[string]float64{"1/800": 1.0 / 800, "ln(3)": math.Log(3), "1e-3": 1e-3} {
		press(a, "knob.type")
		typed(a, typing)
		press(a, "enter")
		if got := a.Doc.Scenario().Stack[0].Values["epsilon"].Number; got != want {
			t.Errorf("%s gave %v", typing, got)
		}
	}
	press(a, "knob.type")
	typed(a, "0")
	press(a, "enter")
	if len(a.Dialogs) != 1 {
		t.Error("ε = 0 was taken")
	}
	press(a, "esc", "knob.next", "knob.next", "knob.next", "knob.next", "knob.type") // α
	typed(a, "8")
	press(a, "enter")
	if a.Doc.Scenario().Alpha != 8 || !strings.Contains(ansi.Strip(a.View()), "α=8 pin") {
		t.Errorf("α = %v", a.Doc.Scenario().Alpha)
	}
	press(a, "knob.type")
	typed(a, "auto")
	press(a, "enter")
	if a.Doc.Scenario().Alpha != 0 {
		t.Error("auto did not unpin α")
	}
}

// The form says what the stack would cost before anything is taken.
func TestFormShowsTheEffect(t *testing.T) {
	a := start(t, 120, 36, setup{})
	press(a, "enter")
	typed(a, "1")
	if view := ansi.Strip(a.View()); !strings.Contains(view, "the stack would cost ε =") || !strings.Contains(view, "over the budget") {
		t.Errorf("no effect shown:\n%s", view)
	}
	if a.Doc.Dirty() {
		t.Error("showing the effect changed the document")
	}
	press(a, "backspace")
	if strings.Contains(ansi.Strip(a.View()), "would cost") {
		t.Error("an invalid form still shows an effect")
	}
}

// What was said of the stack before it was edited goes with the keys of the form.
func TestFormLetsOldWordsGo(t *testing.T) {
	a := start(t, 80, 24, setup{})
	a.Say("the stack fits its budget")
	press(a, "enter", "9", "enter")
	if a.Status.Text != "" || !a.Doc.Dirty() {
		t.Errorf("it still says %q", a.Status.Text)
	}
}
