package tui

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/layout"
)

func click(a *App, x, y int, b tea.MouseButton) {
	send(a, tea.MouseMsg{X: x, Y: y, Button: b, Action: tea.MouseActionPress})
}

func TestMouse(t *testing.T) {
	a := start(t, 120, 36, setup{})
	r := a.home.Lay.Slots[layout.Stack]
	click(a, r.X+5, r.Y+3, tea.MouseButtonLeft)
	if a.Doc.Cursor() != 1 || a.home.Focused() != a.home.Pane(layout.Stack) {
		t.Errorf("a click on the second entry selects %d", a.Doc.Cursor())
	}
	k := a.home.Lay.Slots[layout.Knobs]
	before := a.Doc.Scenario().Stack[1].Values["sigma"].Number
	click(a, k.X+5, k.Y+1, tea.MouseButtonWheelUp)
	if got := a.Doc.Scenario().Stack[1].Values["sigma"].Number; got <= before {
		t.Errorf("the wheel over σ gave %v", got)
	}
	click(a, k.X+k.W-15, k.Y+1, tea.MouseButtonLeft) // before 12 cells of words and the border
	if got := a.Doc.Scenario().Stack[1].Values["sigma"].Number; got < before*2 {
		t.Errorf("a click at the end of the slider gave σ = %v", got)
	}
	c := a.home.Lay.Slots[layout.Chart]
	a.View() // a plot knows its axes once it was drawn
	click(a, c.X+40, c.Y+5, tea.MouseButtonLeft)
	at := a.View()
	click(a, c.X+60, c.Y+5, tea.MouseButtonLeft)
	if a.View() == at || a.home.Focused() != a.home.Pane(layout.Chart) {
		t.Error("a click in the chart sets no crosshair")
	}
	for x := range 120 { // no cell of the upper edge does harm; the tabs are there
		click(a, x, c.Y, tea.MouseButtonLeft)
		exact(t, a, "clicking tabs")
	}
	if a.home.Shown().Key == "1" {
		t.Error("clicking every tab shows the first")
	}
	press(a, "M")
	cursor := a.Doc.Cursor()
	click(a, r.X+5, r.Y+2, tea.MouseButtonLeft)
	if a.Doc.Cursor() != cursor {
		t.Error("the mouse works although it is off")
	}
}
