package dialogs

import (
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/tui/kit"
)

// AskSensitivity asks by how much one changed record moves the answers, if an edit made it a
// question: the adjacency became replace, or an entry came that does not say it. If again is true
// it also asks about entries that left it open before. The answer is written into the entries.
func AskSensitivity(sh *kit.Shell, before *scenarios.Scenario, again bool) {
	now := sh.Doc.Scenario()
	open, switched := len(now.OpenSensitivities()), before.Adjacency != mechanisms.Replace
	if now.Adjacency != mechanisms.Replace || now.Sensitivities() == 0 || !switched && (open == 0 || !again && open <= len(before.OpenSensitivities())) {
		return
	}
	answer := func(factor float64) func() tea.Cmd {
		return func() tea.Cmd {
			if sh.Doc.Scenario() != now {
				return sh.Complain(ErrMeanwhile)
			}
			s := now.Clone()
			if err := s.ScaleSensitivities(factor, !switched); err != nil {
				return sh.Complain(err)
			}
			if switched && factor == 1 {
				if _, err := s.DropMonotone(); err != nil {
					return sh.Complain(err)
				}
			}
			sh.Doc.Replace(s, "sensitivities under replace", false)
			return nil
		}
	}
	later := kit.Bind("esc", "", "not sure: leave it open, and nothing is said to fit", kit.NoCmd(func() {}))
	if switched {
		later = kit.Bind("esc", "", "not sure: back to "+string(before.Adjacency), kit.NoCmd(func() {
			if sh.Doc.Scenario() == now {
				sh.Doc.Undo()
			}
		}))
	}
	stays := "by 1: every Δ stays as it is"
	if n, err := now.Clone().DropMonotone(); switched && (n > 0 || err != nil) {
		stays = "by 1: every Δ stays; scores are no longer monotone"
	}
	Ask(sh, "What does Δ mean under replace?",
		"Does one changed record move this by 1 or by 2? A count moves by 1. A histogram and a sum lose one record and gain another: they move by twice what one contributes (a histogram with Gaussian noise by √2: edit the entry).",
		kit.Bind("1", "", stays, answer(1)), kit.Bind("2", "", "by 2: every Δ doubles, which is safe for all", answer(2)), later)
}
