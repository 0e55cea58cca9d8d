// Package labsview is the screen on which the experiments of teach/labs run.
package labsview

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms/param"
	"epsiloscope/teach/labs"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/plot"
)

// Screen runs the experiments of the lectures: a list and the parameters of the
// chosen one on the left, its chart, its numbers and its cost on the right.
type Screen struct {
	kit.Base
	labs    []state
	at      int  // the chosen lab
	param   int  // the chosen parameter of it
	turning bool // the arrows move among the parameters, not the labs
	chart   int  // which chart of the run is shown
	wanted  bool // the chosen lab has not been run: run it once it is on the screen

	playback   playback
	job        jobs.Job
	done       float64 // part of the run under way that is done
	runningLab int     // the index of the lab that is running; −1 for none

	plot *plot.Plot
	text kit.Scroll
	box  kit.Cached
}

// state is a lab as the user left it.
type state struct {
	labs.Lab
	values param.Values
	seed   uint64
	run    *labs.Outcome // nil before the first run
	err    error
}

// New makes the screen, every lab at its defaults.
func New(s *kit.Shell) *Screen {
	l := &Screen{Base: kit.Base{Shell: s}, plot: plot.New(), runningLab: -1, playback: playback{pace: 1}}
	for _, lab := range labs.All() {
		state := state{Lab: lab, values: param.Values{}, seed: 1}
		for _, p := range lab.Params {
			state.values[p.Name] = p.Default
		}
		l.labs = append(l.labs, state)
	}
	return l
}

func (l *Screen) Keys() kit.Table {
	move := func(by int) func() tea.Cmd { return kit.NoCmd(func() { l.move(by) }) }
	turn := func(by int, coarse bool) func() tea.Cmd { return func() tea.Cmd { return l.turn(by, coarse) } }
	return kit.NewTable("Labs screen",
		kit.Action("labs.run", "enter", "run", "Run the lab; esc stops it", l.begin),
		kit.Action("labs.seed", "r", "seed", "Run it again with the next seed", func() tea.Cmd { l.currentLab().seed++; return l.start() }),
		kit.Action("labs.to-stack", "a", "to stack", "Put the lab's mechanisms on the stack", l.Try(l.stack)),
		kit.Action("labs.play", "space", "play", "Go through the run step by step, or pause", l.play),
		kit.Action("labs.step", ".", "", "One step of it", func() tea.Cmd { return l.step(+1) }),
		kit.Action("labs.step-back", ",", "", "One step back", func() tea.Cmd { return l.step(-1) }),
		kit.Action("labs.next-paid", "n", "", "To the next step that is paid for", l.skipToMarkedStep),
		kit.Action("labs.pace", "v", "", "Pace: slow, normal, fast", l.nextPace),
		kit.Action("labs.next-chart", "c", "chart", "Next chart of the run", kit.NoCmd(func() { l.chart++; l.stopPlayback() })),
		kit.Action("labs.switch", "tab", "", "From the labs to the parameters and back", kit.NoCmd(func() { l.turning = !l.turning })),
		kit.Action("labs.up", "up k", "", "Lab or parameter above", move(-1)),
		kit.Action("labs.down", "down j", "", "Lab or parameter below", move(+1)),
		kit.Action("labs.turn-down", "left h -", "", "Turn the parameter down", turn(-1, false)),
		kit.Action("labs.turn-up", "right l +", "", "Turn the parameter up", turn(+1, false)),
		kit.Action("labs.tenth", "shift+left [", "", "A tenth of the parameter", turn(-1, true)),
		kit.Action("labs.ten-times", "shift+right ]", "", "Ten times the parameter", turn(+1, true)),
		kit.Action("labs.type", "e =", "", "Type the parameter", l.typeParam),
		kit.Action("labs.scroll-down", "J shift+down", "", "Scroll the text down", l.text.ScrollBy(+1)),
		kit.Action("labs.scroll-up", "K shift+up", "", "Scroll the text up", l.text.ScrollBy(-1)),
		kit.Action("labs.page-down", "pgdown", "", "Page down", kit.NoCmd(func() { l.text.PageDown() })),
		kit.Action("labs.page-up", "pgup", "", "Page up", kit.NoCmd(func() { l.text.PageUp() })),
	)
}

func (l *Screen) HandleKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	esc := msg.String() == "esc"
	switch {
	case esc && l.job.Busy: // esc first stops a run, then its playback, then leaves the screen
		l.stop()
		return nil, true
	case esc && l.playback.on:
		l.stopPlayback()
		return nil, true
	}
	return nil, false
}

func (l *Screen) HandleMouse(x, y int, m tea.MouseMsg) tea.Cmd {
	left, top := l.split()
	if l.Projector { // there is no list
		left = 0
	}
	switch {
	case x >= left:
		l.text.Wheel(m)
	case kit.Wheel(m) != 0:
		l.turning = y >= top
		l.move(kit.Wheel(m))
	case kit.Click(m) && y < top:
		if i := first(l.at, len(l.labs), top-2) + y - 1; y >= 1 && y < top-1 && i < len(l.labs) {
			l.turning = false
			l.choose(i)
		}
	case kit.Click(m):
		n := len(l.currentLab().Params) // and the seed below them
		if i := first(l.param, n+1, l.H-top-2) + y - top - 1; y > top && i < n {
			l.turning, l.param = true, i
		}
	}
	return nil
}

// currentLab returns the chosen lab.
func (l *Screen) currentLab() *state { return &l.labs[l.at] }

func (l *Screen) move(by int) {
	if l.turning {
		l.param = max(0, min(len(l.currentLab().Params)-1, l.param+by))
		return
	}
	l.choose(max(0, min(len(l.labs)-1, l.at+by)))
}

func (l *Screen) choose(i int) {
	if i == l.at {
		return
	}
	l.at, l.param, l.chart = i, 0, 0
	l.stopPlayback()
	l.text.GotoTop()
	l.wanted = l.currentLab().run == nil
}

// OnShow lets [Screen.Refresh] run the chosen lab if it has not been run.
func (l *Screen) OnShow() tea.Cmd {
	l.wanted = l.wanted || l.currentLab().run == nil
	return nil
}

// Choose puts a lab on the screen by name, to be run when it is shown.
func (l *Screen) Choose(name string) {
	if i := slices.IndexFunc(l.labs, func(s state) bool { return s.Name == name }); i >= 0 {
		l.choose(i)
	}
}

// Refresh runs the lab that was chosen, once it is on the screen.
func (l *Screen) Refresh() tea.Cmd {
	if !l.wanted {
		return nil
	}
	l.wanted = false
	return l.start()
}
