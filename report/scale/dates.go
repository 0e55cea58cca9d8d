package scale

import (
	"math"
	"time"
)

const day = 24 * time.Hour

// dateSteps are the distances that ticks of time may have, up to a week.
var dateSteps = []time.Duration{
	time.Second, 5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute,
	time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, day, 2 * day, 7 * day,
}

// dateTicks returns at most n times of day, days, or firsts of a month.
func (s Scale) dateTicks(n int) []Tick {
	for _, step := range dateSteps {
		if (s.Max-s.Min)*float64(day) > float64(n)*float64(step) {
			continue
		}
		layout := "2 Jan"
		switch {
		case step < time.Minute:
			layout = "15:04:05"
		case step < day:
			layout = "15:04"
		}
		first := s.timeAt(s.Min).Truncate(step)
		return s.dateTicksAt(layout, func(i int) time.Time { return first.Add(time.Duration(i) * step) })
	}
	for _, months := range []int{1, 2, 3, 6, 12, 24, 60, 120, 600} {
		if (s.Max-s.Min)/30 > float64(n*months) {
			continue
		}
		from := s.timeAt(s.Min)
		first := time.Date(from.Year(), from.Month()-(from.Month()-1)%time.Month(months), 1, 0, 0, 0, 0, time.UTC)
		return s.dateTicksAt("Jan 2006", func(i int) time.Time { return first.AddDate(0, i*months, 0) })
	}
	return s.linearTicks(n) // spans of centuries: plain numbers
}

// dateTicksAt returns the ticks of a row of times that lie on the axis.
func (s Scale) dateTicksAt(layout string, at func(i int) time.Time) []Tick {
	var ticks []Tick
	for i := range 100 {
		t := at(i)
		v := float64(t.Sub(s.Since)) / float64(day)
		if v > s.Max*(1+1e-9) {
			break
		}
		if v >= s.Min-1e-9 {
			ticks = append(ticks, Tick{v, t.Format(layout)})
		}
	}
	return ticks
}

// timeAt returns the time of a value.
func (s Scale) timeAt(v float64) time.Time {
	const far = 1e5 // days: a duration holds no more
	return s.Since.UTC().Add(time.Duration(math.Max(-far, math.Min(far, v)) * float64(day)))
}
