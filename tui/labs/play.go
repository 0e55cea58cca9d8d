package labs

import (
	"context"
	"math"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios/report/chart"
	"epsiloscope/tui/jobs"
)

// frames is in how many steps a chart is played, from left to right.
const frames = 40

// paces are the pauses between two of them, slow to fast.
var paces = []time.Duration{400 * time.Millisecond, 150 * time.Millisecond, 50 * time.Millisecond}

// reel is how much of a run's chart is shown, for who wants to see it grow.
type reel struct {
	job  jobs.Job
	at   int // frames shown; all of them if it is frames
	pace int // index into paces
}

// play lets the chart grow, or pauses it; one that is whole begins anew.
func (l *Screen) play() tea.Cmd {
	r := &l.reel
	switch {
	case l.now().run.Outcome == nil:
		return l.start()
	case r.job.Busy:
		r.job.Stop()
		return nil
	case r.at >= frames:
		r.at = 0
	}
	return l.roll()
}

func (l *Screen) roll() tea.Cmd {
	r, pause := &l.reel, paces[l.reel.pace]
	from := r.at
	return l.Jobs.Start(&r.job, 0, func(ctx context.Context, emit func(tea.Msg)) {
		for i := from + 1; i <= frames; i++ {
			if !l.Jobs.Wait(ctx, pause) {
				return
			}
			emit(jobs.Found(func() { r.at = i }))
		}
	})
}

// step shows one frame more, or one less, and stays there.
func (l *Screen) step(by int) tea.Cmd {
	r := &l.reel
	r.job.Stop()
	if by > 0 && r.at >= frames {
		r.at = 0
	}
	r.at = max(0, min(frames, r.at+by))
	return nil
}

// faster goes to the next pace.
func (l *Screen) faster() tea.Cmd {
	r := &l.reel
	r.pace = (r.pace + 1) % len(paces)
	l.Say("playing " + []string{"slowly", "at normal pace", "fast"}[r.pace])
	if r.job.Busy {
		return l.roll()
	}
	return nil
}

// whole shows all of the chart: another one is on the screen.
func (l *Screen) whole() {
	l.reel.job.Stop()
	l.reel.at = frames
}

// grown is the left part of a chart, on the axes of the whole.
func grown(c chart.Chart, part float64) chart.Chart {
	if part >= 1 {
		return c
	}
	x, y := span{}, span{}
	for _, s := range c.Series {
		for i := range s.X {
			x.take(s.X[i], c.X.Log)
			y.take(s.Y[i], c.Y.Log)
		}
	}
	cut := x.low + part*(x.high-x.low)
	if c.X.Log {
		cut = x.low * math.Pow(x.high/x.low, part)
	}
	series := make([]chart.Series, len(c.Series))
	for k, s := range c.Series {
		series[k] = s
		series[k].Y = append([]float64(nil), s.Y...)
		for i := range s.X {
			if s.X[i] > cut {
				series[k].Y[i] = math.NaN()
			}
		}
	}
	c.Series = series
	bars := append([]chart.Bar(nil), c.Bars...)
	for i := range bars {
		y.take(bars[i].Value, c.Y.Log)
		if float64(i) >= part*float64(len(bars)) {
			bars[i].Value = 0
		}
	}
	if len(bars) > 0 {
		c.Bars = bars
		y.take(0, c.Y.Log)
	}
	c.X.Min, c.X.Max = x.ends(c.X)
	c.Y.Min, c.Y.Max = y.ends(c.Y)
	return c
}

// span is what an axis has to hold.
type span struct {
	low, high float64
	any       bool
}

func (s *span) take(v float64, log bool) {
	if math.IsNaN(v) || math.IsInf(v, 0) || log && v <= 0 {
		return
	}
	if !s.any {
		s.low, s.high, s.any = v, v, true
	}
	s.low, s.high = math.Min(s.low, v), math.Max(s.high, v)
}

// ends are those of an axis: its own, or what it holds.
func (s *span) ends(a chart.Axis) (low, high float64) {
	low, high = a.Min, a.Max
	if s.any && s.low < s.high {
		if math.IsNaN(low) {
			low = s.low
		}
		if math.IsNaN(high) {
			high = s.high
		}
	}
	return low, high
}
