package tui

import (
	"errors"
	"slices"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/labs"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/plot"
)

// labsPane runs the experiments of the lectures: a list and the parameters of the
// chosen one on the left, its chart, its figures and its cost on the right.
type labsPane struct {
	base
	labs    []labState
	at      int  // the chosen lab
	param   int  // the chosen parameter of it
	turning bool // the arrows move among the parameters, not the labs
	chart   int  // which chart of the run is shown
	wanted  bool // a link asked for a lab: run it once it is on the screen

	job  job
	done float64 // part of the run under way that is done
	runs int     // the lab under way

	plot  *plot.Plot
	shown int // serial of the run the plot has, times charts
	view  viewport.Model
	text  cached[labLook]
	box   cached[labChartLook]
	count int // runs that have ended
}

// labState is one lab as the user left it.
type labState struct {
	labs.Lab
	values mechanisms.Values
	seed   uint64
	run    report.LabRun // Outcome is nil before the first run
	err    error
	serial int // which run it was
}

type labLook struct{ w, theme, lab, serial int }

type labChartLook struct {
	w, h, theme, lab, serial, chart int
	busy                            bool
}

func newLabsPane(a *App) *labsPane {
	l := &labsPane{base: base{a: a}, plot: plot.New(), view: viewport.New(0, 0), runs: -1}
	for _, lab := range labs.All() {
		s := labState{Lab: lab, values: mechanisms.Values{}, seed: 1}
		for _, p := range lab.Params {
			s.values[p.Name] = p.Default
		}
		l.labs = append(l.labs, s)
	}
	return l
}

func (l *labsPane) Keys() Table {
	move := func(by int) func(*App) tea.Cmd { return just(func(*App) { l.move(by) }) }
	turn := func(by int, coarse bool) func(*App) tea.Cmd {
		return func(*App) tea.Cmd { return l.turn(by, coarse) }
	}
	scroll := func(by int) func(*App) tea.Cmd {
		return just(func(*App) { l.view.SetYOffset(l.view.YOffset + by) })
	}
	return Table{"Labs screen", []Binding{
		{[]string{"enter"}, "run", "Run the lab, or stop it", func(*App) tea.Cmd { return l.toggle() }},
		{[]string{"r"}, "seed", "Run it again with the next seed", func(*App) tea.Cmd { return l.reseed() }},
		{[]string{"a"}, "to stack", "Put the lab's mechanisms on the stack", try(func(a *App) error { return l.stack() })},
		{[]string{"c"}, "chart", "Next chart of the run", just(func(*App) { l.chart++ })},
		{[]string{"tab"}, "", "From the labs to the parameters and back", just(func(*App) { l.turning = !l.turning })},
		{[]string{"up", "k"}, "", "Lab or parameter above", move(-1)},
		{[]string{"down", "j"}, "", "Lab or parameter below", move(+1)},
		{[]string{"left", "h"}, "", "Turn the parameter down", turn(-1, false)},
		{[]string{"right", "l"}, "", "Turn the parameter up", turn(+1, false)},
		{[]string{"shift+left"}, "", "A tenth of the parameter", turn(-1, true)},
		{[]string{"shift+right"}, "", "Ten times the parameter", turn(+1, true)},
		{[]string{"e"}, "", "Type the parameter", func(*App) tea.Cmd { return l.typeParam() }},
		{[]string{"J", "shift+down"}, "", "Scroll the text down", scroll(+1)},
		{[]string{"K", "shift+up"}, "", "Scroll the text up", scroll(-1)},
		{[]string{"pgdown"}, "", "Page down", just(func(*App) { l.view.PageDown() })},
		{[]string{"pgup"}, "", "Page up", just(func(*App) { l.view.PageUp() })},
	}}
}

func (l *labsPane) HandleKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	if msg.String() == "esc" && l.job.busy { // the run goes before the screen does
		return l.toggle(), true
	}
	return l.a.dispatch(msg, l.Keys())
}

func (l *labsPane) HandleMouse(x, y int, m tea.MouseMsg) tea.Cmd {
	left, top := l.split()
	step := map[tea.MouseButton]int{tea.MouseButtonWheelUp: -1, tea.MouseButtonWheelDown: +1}[m.Button]
	switch press := m.Button == tea.MouseButtonLeft && m.Action == tea.MouseActionPress; {
	case step != 0 && x < left:
		l.turning = y >= top
		l.move(step)
	case step != 0:
		l.view.SetYOffset(l.view.YOffset + 3*step)
	case press && x < left && y < top:
		if i := l.first(top-2) + y - 1; y >= 1 && y < top-1 && i < len(l.labs) {
			l.turning = false
			l.choose(i)
		}
	case press && x < left:
		if i := y - top - 1; i >= 0 && i < len(l.now().Params) {
			l.turning, l.param = true, i
		}
	}
	return nil
}

// now is the chosen lab.
func (l *labsPane) now() *labState { return &l.labs[l.at] }

func (l *labsPane) move(by int) {
	if l.turning {
		l.param = max(0, min(len(l.now().Params)-1, l.param+by))
		return
	}
	l.choose(max(0, min(len(l.labs)-1, l.at+by)))
}

func (l *labsPane) choose(i int) {
	if i == l.at {
		return
	}
	l.at, l.param, l.chart = i, 0, 0
	l.view.GotoTop()
}

// Choose puts a lab on the screen by name, to be run when it is shown.
func (l *labsPane) Choose(name string) {
	if i := slices.IndexFunc(l.labs, func(s labState) bool { return s.Name == name }); i >= 0 {
		l.choose(i)
		l.wanted = l.now().run.Outcome == nil
	}
}

// Refresh runs the lab a link has asked for.
func (l *labsPane) Refresh() tea.Cmd {
	if !l.wanted {
		return nil
	}
	l.wanted = false
	return l.start()
}

// turn steps the chosen parameter; a lab that has been run runs again.
func (l *labsPane) turn(by int, coarse bool) tea.Cmd {
	s := l.now()
	p := s.Params[l.param]
	v := s.values[p.Name]
	if p.Type == mechanisms.Choice {
		i := slices.Index(p.Choices, v.Text)
		v.Text = p.Choices[(i+by+len(p.Choices))%len(p.Choices)]
	} else {
		x, err := knob{name: p.Name, value: v.Number, log: p.Log, digits: 1, param: p}.stepped(by, coarse)
		if err != nil || x == v.Number {
			return nil
		}
		v.Number = x
	}
	return l.set(p, v)
}

func (l *labsPane) set(p mechanisms.Param, v mechanisms.Value) tea.Cmd {
	s := l.now()
	s.values = s.values.Clone()
	s.values[p.Name] = v
	if s.run.Outcome == nil && !l.running() {
		return nil
	}
	return l.start()
}

// typeParam asks for the chosen parameter's value.
func (l *labsPane) typeParam() tea.Cmd {
	p := l.now().Params[l.param]
	l.a.push(&prompt{
		a: l.a, title: p.Name + ", now " + report.LabValue(l.now().values[p.Name]), help: p.Help, input: l.a.newInput(""),
		check: func(s string) (string, error) {
			if s == "" {
				return "", nil
			}
			_, err := scenarios.ParseValue(p, s)
			return "", named(err)
		},
		done: func(_ *App, s string) (tea.Cmd, error) {
			v, err := scenarios.ParseValue(p, s)
			if err != nil {
				return nil, named(err)
			}
			return l.set(p, v), nil
		},
	})
	return nil
}

// named writes what is wrong with a parameter as a sentence: "epsilon is not a number".
func named(err error) error {
	var pe *mechanisms.ParamError
	if errors.As(err, &pe) {
		return errors.New(pe.Param + " " + pe.Problem)
	}
	return err
}
