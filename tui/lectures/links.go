package lectures

import (
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms/labs"
	"epsiloscope/scenarios/lectures"
)

// Links is where a topic can lead to in the explorer around the screen.
type Links interface {
	// Has reports whether there is a screen, or a chart, of that name.
	Has(screen string) bool
	// About says what it shows.
	About(screen string) string
	// Go shows it.
	Go(screen string) tea.Cmd
	// Lab shows a lab.
	Lab(name string) tea.Cmd
	// Open opens a bundled scenario and then a screen, if one is named. It takes the
	// place of the document, so unsaved changes are asked about first.
	Open(scenario, screen string) tea.Cmd
}

// follow opens what a link names.
func (l *Screen) follow(to lectures.Link) tea.Cmd {
	switch to.Kind() {
	case "scenario":
		return l.links.Open(to.Name(), "")
	case "lab":
		return l.links.Lab(to.Name())
	}
	return l.links.Go(to.Name())
}

// linkTitle is how a link reads: what it opens and what that is about.
func (l *Screen) linkTitle(to lectures.Link) (name, about string) {
	switch to.Kind() {
	case "scenario":
		return to.Name(), scenarioTitles()[to.Name()]
	case "lab":
		about := "a lab"
		if lab, ok := labs.Lookup(to.Name()); ok {
			about = "lab: " + lab.Title
		}
		return to.Name(), about
	}
	return to.Name(), l.links.About(to.Name())
}
