package dialogs

import (
	"errors"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/tui/kit"
)

// adjacencyKeys are the keys that choose an adjacency.
var adjacencyKeys = map[mechanisms.Adjacency]string{
	mechanisms.AddRemove: "a", mechanisms.Replace: "r", mechanisms.ZeroOut: "z",
}

// otherAdjacencies returns the adjacencies that support a scenario which its own adjacency does not.
func otherAdjacencies(s *scenarios.Scenario) (list []mechanisms.Adjacency) {
	if _, err := scenarios.Stack(s); err == nil {
		return nil
	}
	for _, name := range scenarios.ScenarioField("adjacency").Choices {
		other := *s
		other.Adjacency = mechanisms.Adjacency(name)
		if _, err := scenarios.Stack(&other); err == nil {
			list = append(list, other.Adjacency)
		}
	}
	return list
}

// OfferAdjacency asks for another adjacency if the scenario is not supported under its own but under another,
// and calls take with the scenario under the adjacency that was chosen. It reports whether it asked.
func OfferAdjacency(sh *kit.Shell, s *scenarios.Scenario, take func(*scenarios.Scenario) tea.Cmd) bool {
	var answers []kit.Binding
	for _, a := range otherAdjacencies(s) {
		words := "with the adjacency " + string(a) + ": " + report.NeighboursOf(a).Fact
		answers = append(answers, kit.Bind(adjacencyKeys[a], "", words, func() tea.Cmd {
			other := *s
			other.StateAdjacency(a)
			return take(&other)
		}))
	}
	if answers == nil {
		return false
	}
	_, err := scenarios.Stack(s)
	answers = append(answers, kit.Bind("esc", "", "leave both as they are", kit.NoCmd(func() {})))
	Interrupt(sh, "Change the adjacency with it?", "The change is refused as it stands: "+problemWords(err)+".", answers...)
	return true
}

// problemWords returns an error of a scenario without file, line and field, which a form shows by itself.
func problemWords(err error) string {
	list, ok := errors.AsType[scenarios.Errors](err)
	if !ok {
		return err.Error()
	}
	words := make([]string, len(list))
	for i, f := range list {
		words[i] = f.Problem
	}
	return strings.Join(words, "; ")
}
