package dialogs

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/internal/stand"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/tui/kit"
)

func pressed(key string) tea.KeyMsg {
	if key == "esc" {
		return tea.KeyMsg{Type: tea.KeyEsc}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(key)}
}

// Switching to replace asks in place by how much a changed record moves each answer, and writes
// the answer into the entries; whoever is not sure is back where they were.
func TestSwitchingToReplaceAsksWhatDeltaMeans(t *testing.T) {
	for key, want := range map[string]struct {
		adjacency mechanisms.Adjacency
		first     float64 // sensitivity of the entry that stated 1
		second    float64 // of the one that stated none
		monotone  bool    // of the selection: with Δ = 1, one score may rise by 1 and another fall by 1, which costs 2ε
	}{"1": {mechanisms.Replace, 1, 1, false}, "2": {mechanisms.Replace, 2, 2, true}, "esc": {mechanisms.AddRemove, 1, 0, true}} {
		s := scenarios.New()
		s.Stack = []scenarios.Entry{
			{Mechanism: "laplace", Count: 1, Sampling: 1, Values: param.Values{"epsilon": param.NumberValue(0.1), "sensitivity": param.NumberValue(1)}},
			{Mechanism: "gaussian", Count: 1, Sampling: 1, Values: param.Values{"sigma": param.NumberValue(4)}},
			{Mechanism: "exponential", Count: 1, Sampling: 1, Values: param.Values{"epsilon": param.NumberValue(1), "sensitivity": param.NumberValue(1), "monotone": param.FlagValue(true), "outputs": param.WholeValue(3)}},
		}
		sh := stand.Shell(t, s)
		Target(sh, "adjacency")
		f := sh.Dialogs[0].(*form)
		f.field("adjacency").Pick(string(mechanisms.Replace))
		f.HandleKey(tea.KeyMsg{Type: tea.KeyEnter})
		if len(sh.Dialogs) != 1 {
			t.Fatalf("%d dialogs are open: nothing was asked", len(sh.Dialogs))
		}
		ask, ok := sh.Dialogs[0].(*Confirm)
		if !ok || !strings.Contains(kit.Plain(ask.View(100, 30)), "Does one changed record move this by 1 or by 2?") {
			t.Fatalf("it asks\n%s", kit.Plain(sh.Dialogs[0].View(100, 30)))
		}
		if !strings.Contains(kit.Plain(ask.View(100, 30)), "no longer monotone") {
			t.Errorf("it does not say that scores are no longer monotone:\n%s", kit.Plain(ask.View(100, 30)))
		}
		ask.HandleKey(pressed(key))
		now := sh.Doc.Scenario()
		if now.Stack[2].Values["monotone"].Flag != want.monotone {
			t.Errorf("%s: monotone %t", key, !want.monotone)
		}
		if now.Adjacency != want.adjacency || now.Stack[0].Values["sensitivity"].Number != want.first || now.Stack[1].Values["sensitivity"].Number != want.second || len(now.OpenSensitivities()) != 0 {
			t.Errorf("%s: %s, %v, %v", key, now.Adjacency, now.Stack[0].Values, now.Stack[1].Values)
		}
	}
}

// What was answered is not asked again; an entry that comes without an answer is.
func TestAnsweredSensitivitiesAreNotAskedAgain(t *testing.T) {
	s := scenarios.New()
	s.Adjacency = mechanisms.Replace
	s.Stack = []scenarios.Entry{{Mechanism: "laplace", Count: 1, Sampling: 1, Values: param.Values{"epsilon": param.NumberValue(0.1), "sensitivity": param.NumberValue(2)}}}
	sh := stand.Shell(t, s)
	if AskSensitivity(sh, s, true); len(sh.Dialogs) != 0 {
		t.Error("it asks about what is stated")
	}
	sh.Doc.Add(scenarios.Entry{Mechanism: "gaussian", Count: 1, Sampling: 1, Values: param.Values{"sigma": param.NumberValue(4)}})
	if AskSensitivity(sh, s, false); len(sh.Dialogs) != 1 {
		t.Fatal("it does not ask about the new entry")
	}
	sh.Dialogs[0].(*Confirm).HandleKey(pressed("2"))
	now := sh.Doc.Scenario()
	if now.Stack[0].Values["sensitivity"].Number != 2 || now.Stack[1].Values["sensitivity"].Number != 2 {
		t.Errorf("%v, %v", now.Stack[0].Values, now.Stack[1].Values)
	}
}
