package tui

import (
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
		case r < ' ' || r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0xfeff:
			t.Fatalf("%U reached the terminal", r)
		}
	}
}

// Names, labels, units and candidates from a file can neither move the cursor nor
// break a line.
func TestHostileTextStaysText(t *testing.T) {
	nasty := rapid.OneOf(
		rapid.SampledFrom([]string{
			"\x1b[2J\x1b[H\x1b]0;owned\x07", "\u202egpj.exe", "a\u0301\u0302\u0303\u0304", "日本語の名前", strings.Repeat("W", 10_000),
			"line\nbreak\ttab\r", "\u009b31m", "👩‍👩‍👧‍👦🏳️‍🌈", "\xff\xfe", "\u200b\u200d", strings.Repeat("́", 500), "ﷺ",
		}), rapid.String())
	gauge.Check(t, gauge.Cases(20, 100), func(rt *rapid.T) {
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

// Text pasted into a field is cleaned too, and outside a field it runs nothing.
func TestPaste(t *testing.T) {
	a := start(t, 120, 36, setup{})
	before := a.Doc.Version()
	send(a, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("xxq"), Paste: true})
	if a.Doc.Version() != before || a.quiet {
		t.Error("a paste ran commands")
	}
	press(a, "=")
	send(a, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("0\x1b[2J.25"), Paste: true})
	exact(t, a, "pasted")
	if strings.Contains(own.ReplaceAllString(a.View(), ""), "\x1b") {
		t.Error("a pasted escape sequence reached the terminal")
	}
}
