package scale

import (
	"strings"
	"testing"
	"time"
)

// Ticks of time stand on whole hours, days or months, and not closer than asked.
func TestDateTicks(t *testing.T) {
	for _, c := range []struct {
		days float64
		n    int
		want string
	}{
		{21, 4, "2 Nov|9 Nov|16 Nov"},
		{3, 4, "2 Nov|3 Nov|4 Nov"},
		{0.5, 4, "12:00|15:00|18:00|21:00"},
		{1.0 / 24, 4, "09:30|09:45|10:00|10:15"},
		{200, 4, "Jan 2027|Mar 2027|May 2027"},
		{3000, 5, "Jan 2028|Jan 2030|Jan 2032|Jan 2034"},
	} {
		s := New(0, c.days, false)
		s.Since = time.Date(2026, 11, 1, 9, 20, 0, 0, time.UTC)
		var labels []string
		for _, tick := range s.Ticks(c.n) {
			if tick.Value < s.Min || tick.Value > s.Max {
				t.Errorf("%s lies outside %g days", tick.Label, c.days)
			}
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, "|"); got != c.want {
			t.Errorf("%g days: %s, want %s", c.days, got, c.want)
		}
	}
}
