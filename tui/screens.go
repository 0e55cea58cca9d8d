package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/home"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/labsview"
	"epsiloscope/tui/lecturesview"
	"epsiloscope/tui/ledgerview"
	"epsiloscope/tui/planview"
	"epsiloscope/tui/reading"
	"epsiloscope/tui/variants"
)

// screen is an entry of the registry. A new screen is one file with its pane and
// one line in makeScreens; the key, the palette, the help and docs/keys.md follow.
type screen struct {
	name  string // "why"
	key   string
	title string // the sentence of the palette
	foot  string // two words at the foot of the bounds
	pane  kit.Pane
	// tables act on this screen before the general ones.
	tables []kit.Table
}

// makeScreens lists the screens, home first.
func makeScreens(a *App) []screen {
	sh := a.Shell
	a.ledger = ledgerview.New(sh, ledgerview.Options{Now: a.opt.clock, Live: a.opt.watch})
	a.variants = variants.New(sh)
	a.exercises = lecturesview.NewExercises(sh)
	all := []screen{
		{name: "home", title: "Home: stack, knobs, bounds and chart", pane: a.home, tables: append(a.home.Tables(), a.home.KnobKeys)},
		{name: "review", key: "r", title: "Review: whether the claim holds, and what to ask", pane: reading.NewReview(sh)},
		{name: "why", key: "w", title: "Why: each theorem with the numbers put in", foot: "why these differ", pane: reading.NewWhy(sh, a.home.Theorem, a.home.Review)},
		{name: "plan", key: "p", title: "Plan: solve backwards, divide the budget, price entries", foot: "plan", pane: planview.New(sh)},
		{name: "person", key: "m", title: "Person: what it means for one person in the data", foot: "what it means", pane: reading.NewPerson(sh)},
		{name: "statement", key: "E", title: "Statement: what may be quoted, in every format", foot: "statement", pane: reading.NewStatement(sh)},
		{name: "versus", key: "D", title: "Differences: what changed, and what it costs", pane: reading.NewVersus(sh)},
		{name: "others", key: "O", title: "Others: what other tools would print for this training", pane: reading.NewPeers(sh)},
		{name: "audit", key: "!", title: "Audit: an attack’s result beside what is proven", pane: reading.NewAudit(sh)},
		{name: "variants", key: "v", title: "What if: pinned scenarios, and a map of two knobs", pane: a.variants},
		{name: "lectures", key: "L", title: "Lectures: the decks slide by slide, and what shows each", pane: lecturesview.New(sh)},
		{name: "proofs", key: "Q", title: "Proofs: step by step, with your numbers", pane: lecturesview.NewProofs(sh)},
		{name: "exercises", key: "X", title: "Exercises: your answers, checked", pane: a.exercises},
		{name: "labs", key: "b", title: "Labs: the algorithms of the lectures, running", pane: labsview.New(sh)},
		{name: "ledger", key: "$", title: "Ledger: what was spent and what is left", pane: a.ledger},
	}
	switches := kit.Table{Name: "Screens"}
	for i, s := range all {
		if s.foot != "" {
			a.home.Feet = append(a.home.Feet, kit.Hint(s.key, s.foot))
		}
		if s.key != "" {
			show := func() tea.Cmd { return a.switchTo(i) }
			switches.Bindings = append(switches.Bindings, kit.Action("screen."+s.name, s.key, "", s.title, show))
		}
	}
	switches.Bindings = append(switches.Bindings,
		kit.Action("next-topic", ">", "", "Open the next topic of the lectures", func() tea.Cmd { return a.openNeighbourTopic(+1) }),
		kit.Action("previous-topic", "<", "", "Open the previous topic of the lectures", func() tea.Cmd { return a.openNeighbourTopic(-1) }))
	for i := range all {
		if i > 0 {
			all[i].tables = []kit.Table{all[i].pane.Keys(), kit.NewTable("On every screen but home",
				kit.Action("back", "esc", "back", "Back to where you came from", a.Back),
				kit.Action("home", "0", "", "To home", func() tea.Cmd { a.trail = nil; return a.put(0) }))}
		}
		if all[i].name == "why" { // its text follows the knobs
			all[i].tables = append(all[i].tables, a.home.KnobKeys)
		}
		all[i].tables = append(all[i].tables, switches.Exclude(all[i].tables[0]))
	}
	return all
}

// switchTo puts a screen up; its own key pressed again goes back.
func (a *App) switchTo(i int) tea.Cmd {
	if i == a.screen {
		return a.Back()
	}
	a.leaveTrace()
	return a.put(i)
}

// put puts a screen up and remembers nothing.
func (a *App) put(i int) tea.Cmd {
	a.screen = i
	a.Arrange()
	a.arrived = a.home.Charting()
	if s, ok := a.screens[i].pane.(interface{ OnShow() tea.Cmd }); ok {
		return s.OnShow()
	}
	return nil
}

// trace is the screen and place before a step.
type trace struct {
	screen int
	home   home.Place
}

// longestTrail is the largest number of steps that can be retraced.
const longestTrail = 32

// leaveTrace remembers the current screen, so that esc comes back to it.
func (a *App) leaveTrace() {
	a.trail = append(a.trail, trace{a.screen, a.home.Place})
	a.trail = a.trail[max(0, len(a.trail)-longestTrail):]
}

// Back retraces the last step. On home a chart chosen there goes first.
func (a *App) Back() tea.Cmd {
	n := len(a.trail)
	if charting := a.home.Charting(); a.screen == 0 && (n == 0 || charting != "" && charting != a.arrived) {
		a.home.ShowBounds()
		return nil
	}
	to := trace{home: a.home.Place}
	if n > 0 {
		to, a.trail = a.trail[n-1], a.trail[:n-1]
	}
	if to.screen == 0 {
		a.home.Place = to.home
	}
	return a.put(to.screen)
}

// oneStep lets one esc undo all that do does.
func (a *App) oneStep(do func() tea.Cmd) tea.Cmd {
	before := a.trail
	cmd := do()
	if len(a.trail) >= len(before) { // a full trail loses its first step, not its last
		a.trail = before
	}
	a.arrived = a.home.Charting()
	return cmd
}
