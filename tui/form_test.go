package tui

import (
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

func TestFormKeepsAlternativesInStep(t *testing.T) {
	a := start(t, 120, 36, setup{})
	press(a, "enter")
	f := a.Dialogs[0].(*form)
	if !f.field("scale").derived || f.field("scale").value() != "10" {
		t.Errorf("scale %q beside ε 0.1", f.field("scale").value())
	}
	typed(a, "0.5")
	if got := f.field("scale").value(); got != "2" {
		t.Errorf("scale %q beside ε 0.5", got)
	}
	press(a, "tab")
	typed(a, "4")
	if !f.field("epsilon").derived || f.field("epsilon").value() != "0.25" {
		t.Errorf("ε %q beside scale 4", f.field("epsilon").value())
	}
	press(a, "enter")
	v := a.Doc.Scenario().Stack[0].Values
	if len(a.Dialogs) != 0 || v.Has("epsilon") || v["scale"].Number != 4 {
		t.Errorf("entry has %v", v)
	}
	press(a, "u")
	if a.Doc.Dirty() {
		t.Error("a form is one step of undo")
	}
}

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
		t.Fatalf("a valid form was refused: %v", a.Dialogs[0].(*form).err)
	}
}

// Every mechanism of the catalogue can be added, opened and taken unchanged.
func TestEveryMechanismHasAForm(t *testing.T) {
	for _, spec := range mechanisms.Catalogue() {
		t.Run(spec.Name, func(t *testing.T) {
			a := start(t, 120, 36, setup{scenario: scenarios.New()})
			(&adder{Shell: a.Shell}).add(spec.Name, "", 0)
			before := a.Doc.Scenario()
			send(a, keyMsg("enter"))
			exact(t, a, "form")
			press(a, "enter")
			if len(a.Dialogs) > 0 {
				t.Fatalf("refused its own initial values: %v", a.Dialogs[0].(*form).err)
			}
			if !a.Doc.Scenario().Stack[0].Equal(before.Stack[0]) {
				t.Errorf("changed from %v to %v", before.Stack[0].Values, a.Doc.Scenario().Stack[0].Values)
			}
			press(a, "enter", "esc")
			for range a.home.knobs() { // every knob turns both ways without leaving its range
				press(a, "+", "+", "-", "]", "[", "n")
			}
			row := a.Doc.Scenario().Stack[0]
			if _, err := mechanisms.New(row.Mechanism, row.Values); err != nil {
				t.Errorf("turning the knobs broke it: %v", err)
			}
		})
	}
}

func TestItemsReadBack(t *testing.T) {
	named := mechanisms.Param{Type: mechanisms.Scores, Named: true}
	v, err := parseItems("dark: 500, old town: 4e2", named)
	if err != nil || formatItems(v) != "dark: 500, old town: 400" {
		t.Errorf("%q, %v", formatItems(v), err)
	}
	points, err := parseItems("2: 0.1, 8: 1/2", mechanisms.Param{Type: mechanisms.Points})
	if err != nil || formatItems(points) != "2: 0.1, 8: 0.5" {
		t.Errorf("%q, %v", formatItems(points), err)
	}
	for _, bad := range []string{"dark", "dark: x", "5"} {
		if _, err := parseItems(bad, named); err == nil {
			t.Errorf("%q was read as candidates", bad)
		}
	}
}

func TestTypedValues(t *testing.T) {
	a := start(t, 120, 36, setup{})
	for typing, want := range map[string]float64{"1/800": 1.0 / 800, "ln(3)": math.Log(3), "1e-3": 1e-3} {
		press(a, "=")
		typed(a, typing)
		press(a, "enter")
		if got := a.Doc.Scenario().Stack[0].Values["epsilon"].Number; got != want {
			t.Errorf("%s gave %v", typing, got)
		}
	}
	press(a, "=")
	typed(a, "0")
	press(a, "enter")
	if len(a.Dialogs) != 1 {
		t.Error("ε = 0 was taken")
	}
	press(a, "esc", "n", "n", "n", "n", "=") // α
	typed(a, "8")
	press(a, "enter")
	if a.Doc.Scenario().Alpha != 8 || !strings.Contains(ansi.Strip(a.View()), "α=8 pin") {
		t.Errorf("α = %v", a.Doc.Scenario().Alpha)
	}
	press(a, "=")
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
