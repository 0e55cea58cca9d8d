package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/home"
)

// trace is where the user was before a step.
type trace struct {
	screen int
	home   home.Place
}

// longestTrail bounds what is remembered; nobody retraces more steps.
const longestTrail = 32

// leaveTrace remembers the screen that stands, so that esc comes back to it.
func (a *App) leaveTrace() {
	a.trail = append(a.trail, trace{a.screen, a.home.Place})
	a.trail = a.trail[max(0, len(a.trail)-longestTrail):]
}

// back retraces the last step. On home a chart chosen there goes first.
func (a *App) back() tea.Cmd {
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

// oneStep makes one step for esc of all that do does.
func (a *App) oneStep(do func() tea.Cmd) tea.Cmd {
	before := a.trail
	cmd := do()
	if len(a.trail) >= len(before) { // a full trail loses its first step, not its last
		a.trail = before
	}
	a.arrived = a.home.Charting()
	return cmd
}
