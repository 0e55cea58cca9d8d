package tui

import (
	"path/filepath"
	"slices"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// monkeyKeys are the keys a hand may hit; those that end the program or open files
// of the machine are left out.
var monkeyKeys = []string{
	"up", "down", "left", "right", "tab", "shift+tab", "enter", "esc", "pgup", "pgdown", "home", "end", "backspace", "shift+right",
	"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "p", "r", "t", "u", "v", "w", "x", "y", "z",
	"A", "D", "G", "J", "K", "R", "U", "X", "Z", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9",
	"+", "-", "=", "<", ">", "[", "]", "(", ")", ".", ",", "/", "?", ":", " ", "ctrl+n", "ctrl+r",
}

// shake sends one random event.
func shake(t *rapid.T, a *App) {
	switch rapid.IntRange(0, 9).Draw(t, "event") {
	case 0:
		send(a, tea.WindowSizeMsg{Width: rapid.IntRange(1, 220).Draw(t, "w"), Height: rapid.IntRange(1, 70).Draw(t, "h")})
	case 1, 2:
		send(a, tea.MouseMsg{
			X: rapid.IntRange(-2, 230).Draw(t, "x"), Y: rapid.IntRange(-2, 80).Draw(t, "y"),
			Action: rapid.SampledFrom([]tea.MouseAction{
				tea.MouseActionPress, tea.MouseActionRelease, tea.MouseActionMotion,
			}).Draw(t, "action"),
			Button: rapid.SampledFrom([]tea.MouseButton{
				tea.MouseButtonLeft, tea.MouseButtonRight, tea.MouseButtonNone,
				tea.MouseButtonWheelUp, tea.MouseButtonWheelDown,
			}).Draw(t, "button"),
		})
	case 3:
		send(a, tea.KeyMsg{Type: tea.KeyRunes, Paste: true, Runes: []rune(rapid.SampledFrom([]string{
			"0.25", "1e999", "\x1b[2J", "ln(3)", "\u202egpj", "a\nb\tc", "日本語", "NaN", "-1", "{mechanism: laplace}",
		}).Draw(t, "paste"))})
	default:
		press(a, rapid.SampledFrom(monkeyKeys).Draw(t, "key"))
	}
}

func monkeyPlan(t *rapid.T) *scenarios.Scenario {
	s := city()
	for _, spec := range mechanisms.Catalogue() {
		if rapid.IntRange(0, 4).Draw(t, spec.Name) == 0 {
			entry := scenarios.Entry{Mechanism: spec.Name, Count: 1, Sampling: 1, Values: spec.Initials()}
			s.Stack = append(s.Stack, entry)
		}
	}
	return s
}

// Whatever keys, clicks, pastes and sizes come, in whatever order: no panic, every
// frame exactly fills the screen, nothing but text reaches the terminal, and undoing
// everything leads back to the start.
func TestMonkey(t *testing.T) {
	gauge.Sequential(t)
	// A dialog may save where it pleases: here, where nothing else is.
	t.Chdir(t.TempDir())
	events := gauge.Cases(40, 120)
	gauge.Check(t, gauge.Cases(8, 40), func(rt *rapid.T) {
		s := monkeyPlan(rt)
		first, err := s.Marshal()
		if err != nil {
			rt.Fatal(err)
		}
		a := start(t, 120, 36, setup{scenario: s})
		defer a.Jobs.Close()
		opened := a.Doc
		for range events {
			shake(rt, a)
			exact(t, a, "monkey")
			harmless(rt, a.View())
		}
		if a.Doc != opened {
			return // another file was opened
		}
		for range 20 * events {
			if _, ok := a.Doc.Undo(); !ok {
				break
			}
		}
		last, err := a.Doc.Scenario().Marshal()
		if err != nil {
			rt.Fatal(err)
		}
		if string(first) != string(last) {
			rt.Errorf("undoing everything gives\n%s\nnot\n%s", last, first)
		}
	})
	stray, _ := filepath.Glob("*")
	stray = slices.DeleteFunc(stray, func(name string) bool { // an export, which writes nothing over
		return slices.Contains([]string{".png", ".svg", ".csv", ".txt", ".html"}, filepath.Ext(name))
	})
	if len(stray) > 0 {
		t.Errorf("files were written: %v", stray)
	}
}

// keyboard is everything a hand may fall on, dangerous keys included.
var keyboard = []string{
	"a", "c", "x", "J", "K", "g", " ", "i", "+", "-", "[", "]", "=", "n", "N", "d", "1", "2", "3", "4", "5", "6", "7", "8", "0", "f", "z", "Z",
	"tab", "shift+tab", "up", "down", "left", "right", "home", "end", "pgup", "pgdown", "enter", "enter", "esc", "esc", "esc", "u", "U", "t", "o", "w",
	"?", ":", "T", "M", "y", "Y", "R", "backspace", "e", "E", "p", "m", "D", "*", "/", "r", "b", ".", "shift+right",
}

// Whatever is pressed, clicked and resized: no panic, every line in its place, and
// undo returns to what was opened.
func TestRandomUse(t *testing.T) {
	gauge.Check(t, gauge.Cases(10, 50), func(rt *rapid.T) {
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
				w, h := rapid.IntRange(1, 220).Draw(rt, "w"), rapid.IntRange(1, 60).Draw(rt, "h")
				send(a, tea.WindowSizeMsg{Width: w, Height: h})
			case 1:
				send(a, tea.MouseMsg{X: rapid.IntRange(0, 219).Draw(rt, "x"), Y: rapid.IntRange(0, 59).Draw(rt, "y"),
					Button: rapid.SampledFrom([]tea.MouseButton{
						tea.MouseButtonLeft, tea.MouseButtonWheelUp, tea.MouseButtonWheelDown,
					}).Draw(rt, "button"),
					Action: rapid.SampledFrom([]tea.MouseAction{
						tea.MouseActionPress, tea.MouseActionMotion, tea.MouseActionRelease,
					}).Draw(rt, "action")})
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
		for _, ok := doc.Undo(); ok; _, ok = doc.Undo() {
		}
		if doc.Scenario() != first {
			rt.Fatal("undo did not return to the start")
		}
	})
}
