package dialogs

import (
	"errors"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/kit"
)

// adjacencyKeys are the keys that choose an adjacency.
var adjacencyKeys = map[mechanisms.Adjacency]string{mechanisms.AddRemove: "a", mechanisms.Replace: "r", mechanisms.ZeroOut: "z"}

// otherAdjacencies returns the adjacencies under which a scenario has a price, if it has none under
// its own.
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

// OfferAdjacency asks for another adjacency if a scenario has a price under one but not under its
// own, and gives take the scenario with the adjacency that was chosen. It reports whether it asked.
func OfferAdjacency(sh *kit.Shell, s *scenarios.Scenario, take func(*scenarios.Scenario) tea.Cmd) bool {
	var answers []kit.Binding
	for _, a := range otherAdjacencies(s) {
		answers = append(answers, kit.Bind(adjacencyKeys[a], "", "with the adjacency "+string(a)+": "+report.NeighboursOf(a).Fact, func() tea.Cmd {
			other := *s
			other.Adjacency = a
			return take(&other)
		}))
	}
	if answers == nil {
		return false
	}
	_, err := scenarios.Stack(s)
	answers = append(answers, kit.Bind("esc", "", "leave both as they are", kit.NoCmd(func() {})))
	Ask(sh, "Change the adjacency with it?", "The change is refused as it stands: "+problemWords(err)+".", answers...)
	return true
}

// problemWords returns what is wrong with a scenario without file, line and field: a form shows
// those by itself.
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
