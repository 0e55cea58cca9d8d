package labsview

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms/param"
	"epsiloscope/report"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
	"epsiloscope/teach/labs"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/document"
	"epsiloscope/tui/export"
)

// pause lets a held key turn a parameter without starting a run at every step.
const pause = 120 * time.Millisecond

// isRunning reports whether the chosen lab is under way.
func (l *Screen) isRunning() bool { return l.job.Busy && l.runningLab == l.at }

// begin starts the chosen lab unless it is under way: a lab that is shown starts by itself, and the
// key that runs it must not stop it.
func (l *Screen) begin() tea.Cmd {
	s := l.currentLab()
	switch {
	case l.isRunning():
		return l.Say("it is running; esc stops it")
	case s.run != nil && !s.isStale():
		l.Say(fmt.Sprintf("run again with the seed %d, so the result is the same; r takes the next seed", s.seed))
	}
	return l.start()
}

func (l *Screen) stop() {
	l.job.Stop()
	l.runningLab = -1
	l.Say("stopped")
}

// start runs the chosen lab in the background; a run under way gives way to it.
func (l *Screen) start() tea.Cmd {
	s, at := *l.currentLab(), l.at
	l.runningLab, l.done = at, 0
	l.stopPlayback()
	account := l.Accountant
	return l.Jobs.Start(&l.job, pause, func(ctx context.Context, tell func(func())) {
		told := 0.0
		out, err := labs.Run(ctx, s.Name, labs.Options{Seed: s.seed, Values: s.values, Progress: func(part float64) {
			if part-told >= 0.01 {
				told = part
				tell(func() { l.done = part })
			}
		}})
		if err == nil && out.NoGuarantee == "" {
			var priced *scenarios.Scenario
			if priced, err = out.Scenario(); err == nil {
				out.Cost, err = account.Evaluate(ctx, priced, scenarios.Options{ClosedFormsOnly: true})
			}
		}
		tell(func() { l.take(&l.labs[at], out, err) })
	})
}

// take keeps the outcome of a run.
func (l *Screen) take(s *state, run *labs.Outcome, err error) {
	l.runningLab = -1
	if errors.Is(err, context.Canceled) {
		return
	}
	if s.err = err; err == nil {
		s.run = run
	}
}

// isStale reports whether the last run was with other parameters: a newer one is running, was
// stopped or failed.
func (s *state) isStale() bool {
	return s.run != nil && (s.run.Seed != s.seed || slices.ContainsFunc(s.Params, func(p param.Param) bool {
		return labs.ValueText(s.run.Values[p.Name]) != labs.ValueText(s.values[p.Name])
	}))
}

var (
	errNotRun   = errors.New("run the lab first: enter")
	errOutdated = errors.New("this is the run before the parameters were changed: let the lab run to its end first")
)

// stack puts the mechanisms of the last run on the stack, as one change.
func (l *Screen) stack() error {
	run := l.currentLab().run
	switch {
	case run == nil:
		return errNotRun
	case l.currentLab().isStale():
		return errOutdated
	}
	priced, err := run.Scenario()
	if err != nil {
		return err
	}
	here, entries := l.Doc.Scenario(), priced.Stack
	if empty := len(here.Stack) == 0; !empty && here.Adjacency != priced.Adjacency {
		return fmt.Errorf("the sensitivities of this lab hold for %s, and the stack is for %s: put it on an empty stack",
			report.NeighboursOf(priced.Adjacency).Relation, report.NeighboursOf(here.Adjacency).Relation)
	}
	l.Doc.Change("mechanisms of the lab "+l.currentLab().Name, func(s *scenarios.Scenario) {
		if len(s.Stack) == 0 {
			s.Adjacency = priced.Adjacency
		}
		if s.Unit == "" {
			s.Unit = priced.Unit
		}
		s.Stack = slices.Concat(s.Stack, entries)
	})
	what := entries[0].Mechanism + " × " + report.Short(entries[0].Count)
	if len(entries) > 1 {
		what = report.Short(float64(len(entries))) + " entries"
	}
	what += " put on the stack, for " + report.NeighboursOf(priced.Adjacency).Relation + "; u takes it back"
	l.Say(what)
	return nil
}

// Share gives the chart of the run that is shown.
func (l *Screen) Share() export.Subject {
	s := l.currentLab()
	if s.run == nil {
		return export.Subject{Title: s.Title, Stem: "lab-" + s.Name}
	}
	c := s.run.Charts[l.chart%len(s.run.Charts)]
	var with []string
	for _, p := range s.Params {
		with = append(with, p.Name+" "+s.run.UsedValue(p.Name))
	}
	return export.Subject{
		Title: s.Title, Stem: "lab-" + s.Name, Caption: fmt.Sprintf("lab %s: %s, seed %d; generated data", s.Name, strings.Join(with, ", "), s.run.Seed),
		Chart: func(context.Context) (chart.Chart, error) { return c, nil },
	}
}

// turn steps the chosen parameter; a lab that has been run runs again.
func (l *Screen) turn(by int, coarse bool) tea.Cmd {
	s := l.currentLab()
	p := s.Params[l.param]
	v := s.values[p.Name]
	if p.Type == param.Choice {
		i := slices.Index(p.Choices, v.Text)
		v.Text = p.Choices[(i+by+len(p.Choices))%len(p.Choices)]
	} else {
		x, err := document.Knob{Name: p.Name, Value: v.Number, Log: p.Log, Digits: 1, Param: p}.NextValue(by, coarse)
		if err != nil || x == v.Number {
			return nil
		}
		v.Number = x
	}
	return l.set(p, v)
}

func (l *Screen) set(p param.Param, v param.Value) tea.Cmd {
	s := l.currentLab()
	s.values = s.values.Clone()
	s.values[p.Name] = v
	if s.run == nil && !l.isRunning() {
		return nil
	}
	return l.start()
}

// typeParam asks for the chosen parameter's value.
func (l *Screen) typeParam() tea.Cmd {
	p := l.currentLab().Params[l.param]
	title := p.Name + ", now " + labs.ValueText(l.currentLab().values[p.Name])
	return dialogs.AskValue(l.Shell, title, p.Help, p, func(v param.Value) tea.Cmd { return l.set(p, v) })
}
