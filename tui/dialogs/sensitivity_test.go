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
	msg, err := kit.ParseKey(key)
	if err != nil {
		panic(err)
	}
	return msg
}

// answerBy presses keys with blanks between them.
func answerBy(ask *Confirm, keys string) {
	for key := range strings.FieldsSeq(keys) {
		ask.HandleKey(pressed(key))
	}
}

// Switching to replace asks in place by how much a changed record moves each answer, and writes
// the answer into the entries; whoever is not sure is back where they were.
func TestSwitchingToReplaceAsksWhatDeltaMeans(t *testing.T) {
	for keys, want := range map[string]struct {
		adjacency mechanisms.Adjacency
		first     float64 // sensitivity of the entry that stated 1
		second    float64 // of the one that stated none
		monotone  bool    // of the selection: with Δ = 1, one score may rise by 1 and another fall by 1, which costs 2ε
	}{
		"down down enter": {mechanisms.Replace, 1, 1, false},
		"down enter":      {mechanisms.Replace, 2, 2, true},
		"esc":             {mechanisms.AddRemove, 1, 0, true},
	} {
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
		answerBy(ask, keys)
		now := sh.Doc.Scenario()
		if now.Stack[2].Values["monotone"].Flag != want.monotone {
			t.Errorf("%s: monotone %t", keys, !want.monotone)
		}
		first, second := now.Stack[0].Values["sensitivity"].Number, now.Stack[1].Values["sensitivity"].Number
		if now.Adjacency != want.adjacency || first != want.first || second != want.second ||
			len(now.OpenSensitivities()) != 0 {
			t.Errorf("%s: %s, %v, %v", keys, now.Adjacency, now.Stack[0].Values, now.Stack[1].Values)
		}
	}
}

// What was answered is not asked again; an entry that comes without an answer is.
func TestAnsweredSensitivitiesAreNotAskedAgain(t *testing.T) {
	s := scenarios.New()
	s.Adjacency = mechanisms.Replace
	stated := param.Values{"epsilon": param.NumberValue(0.1), "sensitivity": param.NumberValue(2)}
	s.Stack = []scenarios.Entry{{Mechanism: "laplace", Count: 1, Sampling: 1, Values: stated}}
	sh := stand.Shell(t, s)
	take := func(s *scenarios.Scenario) tea.Cmd { sh.Doc.Replace(s, "take", false); return nil }
	if AskSensitivity(sh, s, true, take) {
		t.Error("it asks about what is stated")
	}
	next := s.Clone()
	next.Stack = append(next.Stack, scenarios.Entry{
		Mechanism: "gaussian", Count: 1, Sampling: 1, Values: param.Values{"sigma": param.NumberValue(4)},
	})
	if !AskSensitivity(sh, next, false, take) {
		t.Fatal("it does not ask about the new entry")
	}
	if sh.Doc.Scenario() != s {
		t.Error("the entry came before the answer")
	}
	answerBy(sh.Dialogs[0].(*Confirm), "down enter")
	now := sh.Doc.Scenario()
	if now.Stack[0].Values["sensitivity"].Number != 2 || now.Stack[1].Values["sensitivity"].Number != 2 {
		t.Errorf("%v, %v", now.Stack[0].Values, now.Stack[1].Values)
	}
}

// A question that comes up by itself takes nothing that is typed on as its answer: no letter, no digit, no enter.
func TestInterruptingQuestionIsNotAnsweredByWhatIsTypedNext(t *testing.T) {
	sh := stand.Shell(t, scenarios.New())
	done := ""
	answer := func(name string) func() tea.Cmd { return func() tea.Cmd { done = name; return nil } }
	Interrupt(sh, "Changed on disk", "What now?", kit.Bind("o", "", "overwrite", answer("overwrite")), kit.Bind("r", "", "read again", answer("read")))
	ask := sh.Dialogs[0].(*Confirm)
	for _, key := range []string{"enter", "1", "2", "x", " ", "o", "r", "q", "+"} {
		if ask.HandleKey(pressed(key)); done != "" || len(sh.Dialogs) == 0 {
			t.Fatalf("%s answered it: %q", key, done)
		}
	}
	if !strings.Contains(kit.Plain(ask.View(100, 30)), "enter answer") {
		t.Errorf("it does not say how it is answered:\n%s", kit.Plain(ask.View(100, 30)))
	}
	if ask.HandleKey(pressed("enter")); done != "read" {
		t.Errorf("the selected answer was read, and %q was done", done)
	}
}
