package labs

import (
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report/chart"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/document"
)

// turn steps the chosen parameter; a lab that has been run runs again.
func (l *Screen) turn(by int, coarse bool) tea.Cmd {
	s := l.now()
	p := s.Params[l.param]
	v := s.values[p.Name]
	if p.Type == param.Choice {
		i := slices.Index(p.Choices, v.Text)
		v.Text = p.Choices[(i+by+len(p.Choices))%len(p.Choices)]
	} else {
		x, err := document.Knob{Name: p.Name, Value: v.Number, Log: p.Log, Digits: 1, Param: p}.Stepped(by, coarse)
		if err != nil || x == v.Number {
			return nil
		}
		v.Number = x
	}
	return l.set(p, v)
}

func (l *Screen) set(p param.Param, v param.Value) tea.Cmd {
	s := l.now()
	s.values = s.values.Clone()
	s.values[p.Name] = v
	if s.run.Outcome == nil && !l.running() {
		return nil
	}
	return l.start()
}

// typeParam asks for the chosen parameter's value.
func (l *Screen) typeParam() tea.Cmd {
	p := l.now().Params[l.param]
	parse := func(s string) (param.Value, error) {
		v, err := scenarios.ParseValue(p, s)
		var pe *param.Error
		if errors.As(err, &pe) { // in a sentence: "epsilon is not a number"
			err = errors.New(pe.Param + " " + pe.Problem)
		}
		return v, err
	}
	return dialogs.Prompt{
		Title: p.Name + ", now " + chart.LabValue(l.now().values[p.Name]), Help: p.Help,
		Check: func(s string) (string, error) {
			_, err := parse(s)
			if s == "" {
				err = nil
			}
			return "", err
		},
		Done: func(s string) (tea.Cmd, error) {
			v, err := parse(s)
			if err != nil {
				return nil, err
			}
			return l.set(p, v), nil
		},
	}.Open(l.Shell, "")
}
