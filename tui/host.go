package tui

import (
	"slices"
	"strings"
	"sync"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/teach/labs"
	"epsiloscope/teach/lectures"
	"epsiloscope/teach/proofs"
)

// The methods that screens may call on the explorer: it is a [kit.Explorer].

// Show switches to a screen by name. It does nothing if the screen is shown already.
func (a *App) Show(name string) tea.Cmd {
	if i := a.screenIndex(name); i >= 0 && i != a.screen {
		return a.switchTo(i)
	}
	return nil
}

func (a *App) screenIndex(name string) int {
	return slices.IndexFunc(a.screens, func(s screen) bool { return s.name == name })
}

// Follow opens what a link of the lectures names, with its scenario, and the methods needed in the table of bounds.
func (a *App) Follow(link string, scenario string, needed ...accounting.Method) tea.Cmd {
	to := lectures.Link(link)
	about, way := a.resolveLink(to)
	if about == "" {
		return a.Say("there is nothing called “" + string(to) + "” in this version")
	}
	show := func() tea.Cmd {
		cmd := way()
		a.home.OpenForms(needed)
		a.arrived = a.home.Charting()
		return cmd
	}
	switch to.Kind() {
	case "scenario":
		scenario = to.Name()
	case "lab", "exercise": // they bring their own
		return show()
	}
	path, bundle := "", scenario
	if scenarioTitles()[scenario] == "" { // a lecturer's own, beside the questions
		path, bundle = scenario, ""
	}
	if scenario == "" || to == "screen:library" || a.Doc.Bundle == bundle && a.Doc.Path == path && !a.Doc.Dirty() {
		return show()
	}
	return a.confirmLoss("Opening another loses them", func() tea.Cmd {
		return a.read(path, bundle, func() tea.Cmd { return a.oneStep(show) })
	})
}

// scenarioTitles are the titles of the library by name.
var scenarioTitles = sync.OnceValue(func() map[string]string {
	titles := map[string]string{}
	for _, info := range scenarios.LibraryInfos() {
		titles[info.Name] = info.Title
	}
	return titles
})

// LinkText says what a link shows; "" if there is no such thing.
func (a *App) LinkText(link string) string {
	about, _ := a.resolveLink(lectures.Link(link))
	return about
}

// resolveLink returns a description of what a link shows and a function that opens it with the present scenario; "" if
// the link leads nowhere.
func (a *App) resolveLink(to lectures.Link) (about string, way func() tea.Cmd) {
	kind, name := to.Kind(), to.Name()
	home := func(show func()) func() tea.Cmd {
		return func() tea.Cmd { cmd := a.Show("home"); show(); return cmd }
	}
	choose := func(screen string) func() tea.Cmd { // one of the many things that it has
		i := a.screenIndex(screen)
		return func() tea.Cmd {
			a.screens[i].pane.(interface{ Choose(name string) }).Choose(name)
			return a.switchTo(i)
		}
	}
	switch kind {
	case "scenario":
		return scenarioTitles()[name], home(a.home.ShowBounds)
	case "chart":
		about, way = a.home.ChartTitle(name), home(func() { a.home.ShowChart(name) })
	case "lab":
		lab, _ := labs.Lookup(name)
		about, way = lab.Title, choose("labs")
	case "proof":
		proof, _ := proofs.Lookup(name)
		about, way = proof.Title, choose("proofs")
	case "exercise":
		if slices.ContainsFunc(lectures.Decks(), func(d lectures.Deck) bool { return d.Key == name }) {
			return "exercises on this lecture", choose("exercises")
		}
	case "screen":
		if name == "library" {
			return "every bundled scenario", a.openOpen
		}
		if way = func() tea.Cmd { return a.Show(name) }; name == "home" {
			way = home(a.home.ShowBounds)
		}
		if i := a.screenIndex(name); i >= 0 {
			_, about, _ = strings.Cut(a.screens[i].title, ": ")
		}
	}
	if about == "" {
		return "", nil
	}
	return kind + ": " + about, way
}

// openNeighbourTopic opens the topic of the lectures before or after the one selected.
func (a *App) openNeighbourTopic(by int) tea.Cmd {
	i := a.screenIndex("lectures")
	if a.screen != i {
		was := len(a.trail) - 1
		for was >= 0 && a.trail[was].screen != i {
			was--
		}
		if was >= 0 { // back to the index, as esc does: opening a neighbour is one step
			a.trail = a.trail[:was]
			a.put(i)
		} else {
			a.switchTo(i)
		}
	}
	return a.screens[i].pane.(interface{ Walk(by int) tea.Cmd }).Walk(by)
}
