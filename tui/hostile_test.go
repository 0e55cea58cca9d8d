package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms/param"
)

// own are the only escape sequences the explorer writes into a frame: colours.
var own = regexp.MustCompile("\x1b\\[[0-9;]*m")

func harmless(t *rapid.T, view string) {
	rest := own.ReplaceAllString(view, "")
	for _, r := range rest {
		switch {
		case r == '\n':
		case r < ' ' || r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069,
			r == 0x200e, r == 0x200f, r == 0xfeff:
			t.Fatalf("%U reached the terminal", r)
		}
	}
}

// nasty are texts that could move the cursor, break a line, or take other cells than they seem to.
var nasty = rapid.OneOf(
	rapid.SampledFrom([]string{
		"\x1b[2J\x1b[H\x1b]0;owned\x07", "\u202egpj.exe", "a\u0301\u0302\u0303\u0304", "日本語の名前", strings.Repeat("W", 10_000),
		"line\nbreak\ttab\r", "\u009b31m", "👩‍👩‍👧‍👦🏳️‍🌈", "\xff\xfe", "\u200b\u200d", strings.Repeat("́", 500), "ﷺ",
		"a\u0d4e", "\u0d4e", "की कि\u093f", "กำ ำ", "각 \u1100\u1161\u11a8", "🇩🇪🇩", "1\ufe0f\u20e3", strings.Repeat("漢", 60),
	}), rapid.String())

// Names, labels, units and candidates from a file can neither move the cursor nor
// break a line.
func TestHostileTextStaysText(t *testing.T) {
	gauge.Check(t, gauge.Cases(4, 100), func(rt *rapid.T) {
		s := city()
		s.Name, s.Unit, s.Description = nasty.Draw(rt, "name"), nasty.Draw(rt, "unit"), nasty.Draw(rt, "description")
		s.Stack[0].Label = nasty.Draw(rt, "label")
		s.Stack[1].Mechanism = nasty.Draw(rt, "mechanism")
		s.Stack[2].Values = param.Values{"epsilon": param.NumberValue(0.2),
			"candidates": param.CandidatesValue(param.Item{Name: nasty.Draw(rt, "candidate"), Value: 1})}
		a := start(t, 120, 36, setup{scenario: s})
		for _, keys := range [][]string{nil, {"w"}, {"esc", "enter"}, {"esc", "t"}, {"esc", "down", "down", "enter"}, {"esc", "S"}, {"esc", "K", "q"}} {
			press(a, keys...)
			exact(t, a, "hostile")
			harmless(rt, a.View())
		}
		send(a, tea.WindowSizeMsg{Width: 80, Height: 24})
		exact(t, a, "hostile at 80")
		a.Jobs.Close()
	})
}

// What is typed into any field, and with the cursor anywhere in it, stays text too.
func TestHostileTyping(t *testing.T) {
	gauge.Sequential(t)
	t.Chdir(t.TempDir())
	fields := [][]string{
		{"="}, {"o"}, {"a"}, {":"}, {"S"}, {"enter", "up", "up"}, {"t", "up", "up"}, {"t", "down", "down", "down"}, {"G"},
		{"ctrl+n", "up"}, {"ctrl+n", "tab"},
		{"L", "/"}, {"X", "enter"}, {"b", "tab", "e"}, {"$", "f"}, {"F"}, {"p", "r"}, {"m", "r"}, {"D", "c"}}
	gauge.Check(t, gauge.Cases(1, 20), func(rt *rapid.T) {
		for _, keys := range fields {
			a := start(t, 80, 24, setup{})
			press(a, keys...)
			words := []rune(nasty.Draw(rt, "typed"))
			for _, paste := range []bool{false, true} {
				if !paste { // a terminal is read 256 bytes at a time: no more keys come at once
					send(a, tea.KeyMsg{Type: tea.KeyRunes, Runes: words[:min(len(words), 256)]})
				} else {
					send(a, tea.KeyMsg{Type: tea.KeyRunes, Runes: words, Paste: true})
				}
				for _, k := range []string{"", "left", "left", "x", "left", "home", "tab", "shift+tab"} {
					if k != "" {
						press(a, k)
					}
					exact(t, a, strings.Join(keys, " "))
					harmless(rt, a.View())
				}
			}
			if keys[0] == "S" { // a file of any name could be written, anywhere
				press(a, "esc")
			}
			if press(a, "enter"); !a.quiet { // what is said of it quotes it
				exact(t, a, strings.Join(keys, " ")+" enter")
				harmless(rt, a.View())
			}
			a.Jobs.Close()
		}
	})
}

// Names of files and folders are no better than what stands in files, nor are the errors that
// quote them.
func TestHostileFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a\u0d4e\x1b[2J\n日本")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Skip("no such names here: " + err.Error())
	}
	t.Chdir(dir)
	bad := "version: 1\nname: \"\\e[2Ja\u0d4e\"\nstack:\n  - {mechanism: \"a\u0d4e\u202e\", \"\u0d4e\u202e\": 1}\n"
	good := "version: 1\nname: \"a\u0d4e\"\nunit: \"\u0d4e\u202e person\"\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n  - {mechanism: pure, epsilon: 0.1, label: \"a\u0d4e\"}\n"
	for i, words := range []string{good, bad, "\x1b[2J: [", "{\"v\":\"a\u0d4e\"}\n"} {
		for _, ending := range []string{".yaml", ".ledger"} {
			if err := os.WriteFile(fmt.Sprintf("%d\x1b[2Ja\u0d4e\u202e\n漢%s", i, ending), []byte(words), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	check := func(a *App, what string) {
		t.Helper()
		for _, size := range [][2]int{{80, 24}, {150, 40}} {
			send(a, tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			exact(t, a, what)
			if strings.ContainsAny(own.ReplaceAllString(a.View(), ""), "\x1b\u202e") {
				t.Fatalf("%s: an escape sequence reached the terminal", what)
			}
		}
	}
	for first, open := range []string{"o", "$ f", "D c", "F"} {
		for i := range 4 {
			if i != first && !gauge.All() { // each of the files is met, one by each way to open
				continue
			}
			a := start(t, 80, 24, setup{})
			press(a, strings.Fields(open)...)
			check(a, open)
			for range i {
				press(a, "down")
				check(a, open)
			}
			press(a, "enter")
			check(a, open+" enter")
			for _, k := range []string{"W", "esc", "E", "esc", "p", "esc", "m", "esc", "V", "v", "esc", "S", "enter", "o", "esc", "+", "s", "esc"} {
				press(a, k)
				check(a, open+" … "+k)
			}
			a.Jobs.Close()
		}
	}
}

// Text pasted into a field is cleaned too, and outside a field it runs nothing.
func TestPaste(t *testing.T) {
	a := start(t, 120, 36, setup{})
	before := a.Doc.Version()
	send(a, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("xxq"), Paste: true})
	if a.Doc.Version() != before || a.quiet {
		t.Error("a paste ran commands")
	}
	if !strings.Contains(a.Status.Text, "no field to paste into") {
		t.Errorf("of a paste that goes nowhere it says %q", a.Status.Text)
	}
	press(a, "knob.type")
	send(a, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("0\x1b[2J.25"), Paste: true})
	exact(t, a, "pasted")
	if strings.Contains(own.ReplaceAllString(a.View(), ""), "\x1b") {
		t.Error("a pasted escape sequence reached the terminal")
	}
}
