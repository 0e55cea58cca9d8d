package tui

import (
	"path/filepath"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/ledger"
	"epsiloscope/scenarios"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/document"
	guided "epsiloscope/tui/start"
)

// newScenario starts an empty one.
func (a *App) newScenario() tea.Cmd {
	return a.confirmLoss("Starting a new one loses them", func() tea.Cmd {
		a.replaceDoc(document.New(scenarios.New()))
		return a.sayWithAsideNote("a new scenario: t sets its budget, a adds the first mechanism")
	})
}

// startQuestions asks what will be released and builds a plan of it.
func (a *App) startQuestions() tea.Cmd {
	if a.newPlan != nil {
		return a.newPlan.Open()
	}
	a.newPlan = guided.New(a.Shell, func(s *scenarios.Scenario) tea.Cmd {
		return a.confirmLoss("Starting a new one loses them", func() tea.Cmd {
			a.newPlan = nil // its answers have become the plan
			a.replaceDoc(document.Recover(s))
			return a.sayWithAsideNote("the scenario is built: t has its target, E what may be quoted, s saves it, $ opens its ledger")
		})
	}, a.newScenario)
	return a.newPlan.Open()
}

// adopt puts another document on the screen.
func (a *App) adopt(d *document.Document) {
	a.Doc = d
	if a.told == gone {
		a.told = ""
	}
	a.backed = d.Version()
	a.Result, a.Full, a.Refusal = nil, nil, nil
	a.evaluationTime, a.Knob, a.evaluated, a.lastComplete = "", "", nil, nil
	a.Arrived++
	if a.screen != 0 {
		a.leaveTrace()
	}
	a.put(0)
}

// openOpen lets a scenario be chosen and opens it; a ledger opens on its own screen.
func (a *App) openOpen() tea.Cmd {
	first := slices.Concat(a.asideItems(), a.lostItems(false))
	return dialogs.Choose(a.Shell, "Open", "open", "", first, a.lostItems(true), func(it dialogs.Item) tea.Cmd {
		switch it.Group {
		case groupAside:
			return a.bringBack(it)
		case groupLost, groupLostBundled:
			return a.recover(it)
		}
		if it.Group != "library" && (filepath.Ext(it.Name) == ".ledger" || ledger.IsAddress(it.Name)) {
			return a.openLedger(it.Name)
		}
		return a.confirmLoss("Opening another loses them", func() tea.Cmd {
			if it.Group == "library" {
				return a.read("", it.Name, nil)
			}
			return a.read(it.Name, "", nil)
		})
	})
}

// read opens a file or a bundled scenario in the background, and goes on. Another document that
// was opened meanwhile stays, and changes made meanwhile are asked about.
func (a *App) read(path, bundle string, then func() tea.Cmd) tea.Cmd {
	st, doc, version := a.Store, a.Doc, a.Doc.Version()
	return a.Jobs.Do(func() (func() tea.Cmd, error) {
		load, name := scenarios.Load, path
		if bundle != "" {
			load, name = scenarios.LoadBundled, bundle
		}
		s, err := load(name)
		var noted error
		if err == nil && path != "" {
			noted = st.Remember(path)
		}
		show := func() tea.Cmd {
			d := document.New(s)
			d.Path, d.Bundle = path, bundle
			a.replaceDoc(d)
			a.unreviewed = d
			a.forget()
			note := "opened " + filepath.Base(name)
			if lost := a.lostNote(); lost != "" {
				note += "; " + lost
			}
			a.sayWithAsideNote(note)
			return a.after(noted, then)()
		}
		return func() tea.Cmd {
			switch {
			case a.Doc != doc:
				return nil
			case doc.Version() != version:
				return a.confirmLoss("Opening another loses them", show)
			}
			return show()
		}, err
	})
}
