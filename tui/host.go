package tui

import (
	"slices"
	"strings"
	"sync"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms/labs"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/lectures"
	"epsiloscope/scenarios/lectures/proofs"
	"epsiloscope/tui/kit"
)

// host is the explorer as its rooms may ask it: the interfaces that home, the lectures
// and the tour declare.
type host struct{ *App }

func (h host) Arrange() { h.arrange() }

// Show puts a screen up by name.
func (h host) Show(name string) tea.Cmd {
	if i := h.screenNamed(name); i >= 0 {
		return h.show(i)
	}
	return nil
}

// Go puts a screen up and leaves it there if it stands already.
func (h host) Go(name string) tea.Cmd {
	if h.screens[h.screen].name == name {
		return nil
	}
	return h.Show(name)
}

func (h host) screenNamed(name string) int {
	return slices.IndexFunc(h.screens, func(s screen) bool { return s.name == name })
}

// Feet are the screens that the foot of the bounds names.
func (h host) Feet() []kit.Binding { return h.feet }

// choosers are the screens that show one of many things, by the kind of link.
var choosers = map[string]string{"lab": "labs", "proof": "proofs", "exercise": "exercises"}

// Follow shows what a link of the lectures names.
func (h host) Follow(to lectures.Link, scenario string) tea.Cmd {
	if h.About(to) == "" {
		h.Say("there is nothing called “" + string(to) + "” in this version")
		return nil
	}
	show := func() tea.Cmd {
		cmd := h.goTo(to)
		h.arrived = h.home.Charting()
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
	if scenario == "" || to == "screen:library" || h.Doc.Bundle == bundle && h.Doc.Path == path && !h.Doc.Dirty() {
		return show()
	}
	return h.guarded("Opening another", func() tea.Cmd {
		return h.read(path, bundle, func() tea.Cmd { return h.oneStep(show) })
	})
}

// goTo shows it with the present scenario.
func (h host) goTo(to lectures.Link) tea.Cmd {
	switch kind, name := to.Kind(), to.Name(); {
	case kind == "chart":
		h.goHome()
		h.home.ShowChart(name)
	case kind == "scenario" || name == "home":
		h.goHome()
		h.home.ShowBounds()
	case name == "library":
		return h.openOpen()
	case kind == "screen":
		return h.Show(name)
	default:
		i := h.screenNamed(choosers[kind])
		h.screens[i].pane.(interface{ Choose(name string) }).Choose(name)
		return h.show(i)
	}
	return nil
}

func (h host) goHome() {
	if h.screen != 0 {
		h.leaveTrace()
	}
	h.put(0)
}

// Back retraces the last step.
func (h host) Back() tea.Cmd { return h.back() }

// scenarioTitles are the titles of the library by name.
var scenarioTitles = sync.OnceValue(func() map[string]string {
	titles := map[string]string{}
	for _, info := range scenarios.Bundled() {
		titles[info.Name] = info.Title
	}
	return titles
})

// About says what a link shows; "" if there is no such thing.
func (h host) About(to lectures.Link) string {
	kind, name, title := to.Kind(), to.Name(), ""
	switch kind {
	case "scenario":
		return scenarioTitles()[name]
	case "chart":
		title = h.home.ChartTitle(name)
	case "lab":
		lab, _ := labs.Lookup(name)
		title = lab.Title
	case "proof":
		proof, _ := proofs.Lookup(name)
		title = proof.Title
	case "exercise":
		if slices.ContainsFunc(lectures.Decks(), func(d lectures.Deck) bool { return d.Key == name }) {
			return "exercises on this lecture"
		}
	case "screen":
		if name == "library" {
			return "every bundled scenario"
		}
		if i := h.screenNamed(name); i >= 0 {
			_, title, _ = strings.Cut(h.screens[i].title, ": ")
		}
	}
	if title == "" {
		return ""
	}
	return kind + ": " + title
}

// walk opens the topic of the lectures before or after the one selected.
func (a *App) walk(by int) tea.Cmd {
	i := (host{a}).screenNamed("lectures")
	if a.screen != i {
		was := len(a.trail) - 1
		for was >= 0 && a.trail[was].screen != i {
			was--
		}
		if was >= 0 { // back to the index, as esc would go: a walk is one step
			a.trail = a.trail[:was]
			a.put(i)
		} else {
			a.show(i)
		}
	}
	return a.screens[i].pane.(interface{ Walk(by int) tea.Cmd }).Walk(by)
}
