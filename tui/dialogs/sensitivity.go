package dialogs

import (
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/tui/kit"
)

// AskSensitivity asks by how much one changed record moves the answers, before a scenario takes the place of the one on
// the screen and if that makes it a question: the adjacency becomes replace, or an entry comes that does not say it. If
// again is true it also asks about entries that left it open before. It calls take with the scenario and the answer in
// it, and reports whether it asked; nothing on the screen changes before.
func AskSensitivity(sh *kit.Shell, next *scenarios.Scenario, again bool, take func(*scenarios.Scenario) tea.Cmd) bool {
	before := sh.Doc.Scenario()
	open, switched := len(next.OpenSensitivities()), before.Adjacency != mechanisms.Replace
	known := !switched && (open == 0 || !again && open <= len(before.OpenSensitivities()))
	if next.Adjacency != mechanisms.Replace || next.Sensitivities() == 0 || known {
		return false
	}
	answer := func(factor float64) func() tea.Cmd {
		return func() tea.Cmd {
			s := next.Clone()
			if sh.Doc.Scenario() != before {
				return sh.Complain(ErrMeanwhile)
			}
			if err := s.ScaleSensitivities(factor, !switched); err != nil {
				return sh.Complain(err)
			}
			if switched && factor == 1 {
				if _, err := s.DropMonotone(); err != nil {
					return sh.Complain(err)
				}
			}
			return take(s)
		}
	}
	later := kit.Bind("esc", "", "not sure: leave it open, and nothing is said to fit", func() tea.Cmd {
		if sh.Doc.Scenario() != before {
			return sh.Complain(ErrMeanwhile)
		}
		return take(next)
	})
	if switched {
		later = kit.Bind("esc", "", "not sure: stay with "+string(before.Adjacency), kit.NoCmd(func() {}))
	}
	stays := "by 1: every Δ stays as it is"
	if n, err := next.Clone().DropMonotone(); switched && (n > 0 || err != nil) {
		stays = "by 1: every Δ stays; scores are no longer monotone"
	}
	Interrupt(sh, "What does Δ mean under replace?",
		"Does one changed record move this by 1 or by 2? A count moves by 1. A histogram and a sum lose one record and gain another: they move by twice what one contributes (a histogram with Gaussian noise by √2: edit the entry).",
		kit.Bind("", "", "by 2: every Δ doubles, which is safe for all", answer(2)), kit.Bind("", "", stays, answer(1)), later)
	return true
}
