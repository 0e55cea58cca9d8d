package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms/labs"
	"epsiloscope/scenarios/lectures"
)

// chartScreens are the names under which the lectures know the charts of home.
var chartScreens = map[string]string{"curves": "1", "noise": "4", "utility": "5"}

// ScreenNames lists what a lecture may link to: the screens of the registry, the
// charts by the names the lectures give them, and the library.
func ScreenNames() []string {
	a := bareApp()
	defer a.pool.close()
	names := []string{"library"}
	for _, s := range a.screens {
		names = append(names, s.name)
	}
	for name := range chartScreens {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// follow opens what a link names. A scenario takes the place of the document, so
// unsaved changes are asked about first.
func (a *App) follow(l lectures.Link) tea.Cmd {
	switch l.Kind() {
	case "scenario":
		return a.openLecture(l.Name(), "")
	case "lab":
		return a.goLab(l.Name())
	}
	return a.goScreen(l.Name())
}

// openLecture opens a bundled scenario and then the screen that shows the topic.
func (a *App) openLecture(name, screen string) tea.Cmd {
	return a.guarded("Opening another", func(a *App) tea.Cmd {
		read := a.read("", name)
		return func() tea.Msg {
			msg := read()
			if m, ok := msg.(openedMsg); ok && screen != "" {
				m.then = func(a *App) tea.Cmd { return a.goScreen(screen) }
				return m
			}
			return msg
		}
	})
}

// hasScreen reports whether there is a screen, or a chart of that name.
func (a *App) hasScreen(name string) bool {
	return chartScreens[name] != "" || slices.ContainsFunc(a.screens, func(s screen) bool { return s.name == name })
}

// goScreen shows a screen, or the chart of that name.
func (a *App) goScreen(name string) tea.Cmd {
	for i, c := range a.charts {
		if chartScreens[name] == c.key {
			a.goHome()
			a.showChart(i)
			return nil
		}
	}
	switch {
	case name == "library":
		return a.openOpen()
	case name == "home":
		a.goHome()
		a.showBounds()
		return nil
	case a.hasScreen(name):
		if a.screens[a.screen].name == name {
			return nil
		}
		return a.showScreen(name)
	}
	a.say("there is no screen “" + name + "” in this version")
	return nil
}

func (a *App) goHome() {
	a.screen = 0
	a.arrange()
}

// labChooser is the screen of the labs, once it can be told which one to show.
type labChooser interface{ Choose(lab string) }

// goLab shows a lab on its screen; without one it runs from the command line.
func (a *App) goLab(name string) tea.Cmd {
	for _, s := range a.screens {
		if s.name != "labs" {
			continue
		}
		if p, ok := s.pane.(labChooser); ok {
			p.Choose(name)
		}
		return a.goScreen("labs")
	}
	a.say("run this lab with: epsiloscope lab " + name)
	return nil
}

// linkTitle is how a link reads: what it opens and what that is about.
func (a *App) linkTitle(l lectures.Link) (name, about string) {
	switch l.Kind() {
	case "scenario":
		return l.Name(), scenarioTitles()[l.Name()]
	case "lab":
		about := "a lab"
		if lab, ok := labs.Lookup(l.Name()); ok {
			about = "lab: " + lab.Title
		}
		return l.Name(), about
	}
	for _, c := range a.charts {
		if chartScreens[l.Name()] == c.key {
			return l.Name(), "chart: " + c.title
		}
	}
	for _, s := range a.screens {
		if s.name == l.Name() {
			_, about, _ := strings.Cut(s.title, ": ")
			return l.Name(), "screen: " + about
		}
	}
	if l.Name() == "library" {
		return l.Name(), "every bundled scenario"
	}
	return l.Name(), "screen"
}
