package labsview

import (
	"context"
	"math"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/report/chart"
	"epsiloscope/report/scale"
	"epsiloscope/teach/labs"
	"epsiloscope/tui/jobs"
)

// frames is the number of steps a chart is played in, from left to right, if the run has no steps of
// its own.
const frames = 40

// paces are the pauses between two of them, slow to fast.
var paces = []time.Duration{800 * time.Millisecond, 200 * time.Millisecond, 40 * time.Millisecond}

// playback is the state of playing a run.
type playback struct {
	job  jobs.Job
	on   bool // it is shown step by step, not as a whole
	at   int  // steps shown
	pace int  // index into paces
}

// steps returns the steps of the run that is shown.
func (l *Screen) steps() []labs.Step {
	if l.currentLab().run == nil {
		return nil
	}
	return l.currentLab().run.Sequence.Steps
}

// playbackLength returns how many steps the run is played in.
func (l *Screen) playbackLength() int {
	if n := len(l.steps()); n > 0 {
		return n
	}
	return frames
}

// play goes through the run, or pauses; at the end it starts again.
func (l *Screen) play() tea.Cmd {
	r := &l.playback
	switch {
	case l.currentLab().run == nil:
		return l.start()
	case r.job.Busy:
		r.job.Stop()
		return nil
	case !r.on || r.at >= l.playbackLength():
		r.on, r.at = true, 0
	}
	return l.continuePlayback()
}

func (l *Screen) continuePlayback() tea.Cmd {
	r, pause := &l.playback, paces[l.playback.pace]
	from, to := r.at, l.playbackLength()
	return l.Jobs.Start(&r.job, 0, func(ctx context.Context, tell func(func())) {
		for i := from + 1; i <= to; i++ {
			tell(func() { r.at = i })
			if !l.Jobs.Wait(ctx, pause) {
				return
			}
		}
	})
}

// step shows one step more, or one less, and stays there.
func (l *Screen) step(by int) tea.Cmd {
	r := &l.playback
	r.job.Stop()
	if l.currentLab().run == nil {
		return l.start()
	}
	switch {
	case !r.on && by < 0:
		r.at = l.playbackLength() + 1
	case !r.on || by > 0 && r.at >= l.playbackLength():
		r.at = 0
	}
	r.on, r.at = true, max(1, min(l.playbackLength(), r.at+by))
	return nil
}

// skipToMarkedStep goes to the next step that is marked: one that costs something.
func (l *Screen) skipToMarkedStep() tea.Cmd {
	r, steps := &l.playback, l.steps()
	r.job.Stop()
	from := 0
	if r.on {
		from = min(r.at, len(steps))
	}
	if i := slices.IndexFunc(steps[from:], func(s labs.Step) bool { return s.Marked }); i >= 0 {
		r.on, r.at = true, from+i+1
	} else {
		l.Say("no step after this one is marked")
	}
	return nil
}

// nextPace goes to the next pace.
func (l *Screen) nextPace() tea.Cmd {
	r := &l.playback
	r.pace = (r.pace + 1) % len(paces)
	l.Say("playing " + []string{"slowly", "at normal pace", "fast"}[r.pace])
	if r.job.Busy {
		return l.continuePlayback()
	}
	return nil
}

// stopPlayback stops playing and shows all of the run.
func (l *Screen) stopPlayback() {
	l.playback.job.Stop()
	l.playback.on = false
}

// leftPart returns the left part of a chart, on the axes of the whole.
func leftPart(c chart.Chart, part float64) chart.Chart {
	if part >= 1 {
		return c
	}
	x, y := scale.Fit(c)
	if len(c.Bars) > 0 {
		y = scale.FitBars(c)
	}
	c.X.Min, c.X.Max, c.Y.Min, c.Y.Max = x.Min, x.Max, y.Min, y.Max
	c.Series, c.Bars = slices.Clone(c.Series), slices.Clone(c.Bars)
	for k, s := range c.Series {
		c.Series[k].Y = slices.Clone(s.Y)
		for i := range s.X {
			if s.X[i] > x.Value(part) {
				c.Series[k].Y[i] = math.NaN()
			}
		}
	}
	for i := range c.Bars {
		if float64(i) >= part*float64(len(c.Bars)) {
			c.Bars[i].Value = 0
		}
	}
	return c
}
