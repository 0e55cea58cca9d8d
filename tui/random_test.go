package tui

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"epsiloscope/scenarios"
)

// keyboard is everything a hand may fall on, dangerous keys included.
var keyboard = []string{
	"a", "c", "x", "J", "K", "g", " ", "i", "+", "-", "[", "]", "=", "n", "N", "d", "1", "2", "3", "4", "5", "6", "7", "8", "0", "f", "z", "Z",
	"tab", "shift+tab", "up", "down", "left", "right", "home", "end", "pgup", "pgdown", "enter", "enter", "esc", "esc", "esc", "u", "U", "t", "o", "w",
	"?", ":", "T", "M", "y", "Y", "R", "backspace", "e", "E", "p", "m", "D", "*", "/", "r", "b", ".", "shift+right",
}

// Whatever is pressed, clicked and resized: no panic, every line in its place, and
// undo returns to what was opened.
func TestRandomUse(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		first := long(rapid.IntRange(0, 12).Draw(rt, "entries"))
		if len(first.Stack) == 0 {
			first = scenarios.New()
		}
		a := start(t, 120, 36, setup{scenario: first})
		defer a.Jobs.Close()
		doc := a.Doc
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			switch rapid.IntRange(0, 11).Draw(rt, "kind") {
			case 0:
				send(a, tea.WindowSizeMsg{Width: rapid.IntRange(1, 220).Draw(rt, "w"), Height: rapid.IntRange(1, 60).Draw(rt, "h")})
			case 1:
				send(a, tea.MouseMsg{X: rapid.IntRange(0, 219).Draw(rt, "x"), Y: rapid.IntRange(0, 59).Draw(rt, "y"),
					Button: rapid.SampledFrom([]tea.MouseButton{tea.MouseButtonLeft, tea.MouseButtonWheelUp, tea.MouseButtonWheelDown}).Draw(rt, "button"),
					Action: rapid.SampledFrom([]tea.MouseAction{tea.MouseActionPress, tea.MouseActionMotion, tea.MouseActionRelease}).Draw(rt, "action")})
			case 2:
				send(a, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(rapid.String().Draw(rt, "paste")), Paste: true})
			default:
				press(a, rapid.SampledFrom(keyboard).Draw(rt, "key"))
			}
			exact(t, a, "random")
		}
		if a.Doc != doc { // another scenario was opened
			return
		}
		for doc.CanUndo() {
			doc.Undo()
		}
		if doc.Scenario() != first {
			rt.Fatal("undo did not return to the start")
		}
	})
}
