package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/home"
)

// host is the explorer as its rooms may ask it: the interfaces that home, the lectures
// and the tour declare.
type host struct{ *App }

func (h host) Arrange() { h.arrange() }

// Show puts a screen up by name.
func (h host) Show(name string) tea.Cmd {
	for i, s := range h.screens {
		if s.name == name {
			return h.show(i)
		}
	}
	return nil
}

// Feet are the screens that the foot of the bounds names.
func (h host) Feet() []home.Foot { return h.feet }

// chartScreens are the names under which the lectures know the charts of home.
var chartScreens = map[string]string{"curves": "1", "noise": "4", "utility": "5"}

// ScreenNames lists what a lecture may link to: the screens of the registry, the
// charts by the names the lectures give them, and the library.
func ScreenNames() []string {
	a := bareApp()
	defer a.Jobs.Close()
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

// Open opens a bundled scenario and then the screen that shows the topic.
func (h host) Open(name, screen string) tea.Cmd {
	return h.guarded("Opening another", func() tea.Cmd {
		read := h.read("", name)
		return func() tea.Msg {
			msg := read()
			if m, ok := msg.(openedMsg); ok && screen != "" {
				m.then = func() tea.Cmd { return h.oneStep(func() tea.Cmd { return h.Go(screen) }) }
				return m
			}
			return msg
		}
	})
}

// Has reports whether there is a screen, or a chart of that name.
func (h host) Has(name string) bool {
	return chartScreens[name] != "" || slices.ContainsFunc(h.screens, func(s screen) bool { return s.name == name })
}

// Go shows a screen, or the chart of that name.
func (h host) Go(name string) tea.Cmd {
	if key := chartScreens[name]; key != "" {
		h.goHome()
		h.home.ShowChart(key)
		h.arrived = key
		return nil
	}
	switch {
	case name == "library":
		return h.openOpen()
	case name == "home":
		h.goHome()
		h.home.ShowBounds()
		return nil
	case h.Has(name):
		if h.screens[h.screen].name == name {
			return nil
		}
		return h.Show(name)
	}
	h.Say("there is no screen “" + name + "” in this version")
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

// Lab shows a lab on its screen; without one it runs from the command line.
func (h host) Lab(name string) tea.Cmd {
	for _, s := range h.screens {
		if p, ok := s.pane.(interface{ Choose(lab string) }); ok {
			p.Choose(name)
			return h.Go(s.name)
		}
	}
	h.Say("run this lab with: epsiloscope lab " + name)
	return nil
}

// About says what a screen or a chart shows.
func (h host) About(name string) string {
	if key := chartScreens[name]; key != "" {
		return "chart: " + h.home.ChartTitle(key)
	}
	for _, s := range h.screens {
		if s.name == name {
			_, about, _ := strings.Cut(s.title, ": ")
			return "screen: " + about
		}
	}
	if name == "library" {
		return "every bundled scenario"
	}
	return "screen"
}
