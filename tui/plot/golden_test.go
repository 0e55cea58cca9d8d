package plot

import (
	"fmt"
	"testing"

	"epsiloscope/report/chart"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"
)

// What people see, kept as text: run with -update after a change and look at it.
func TestGolden(t *testing.T) {
	charts := map[string]chart.Chart{"growth": growth(), "utility": utility(), "density": density(), "single": single()}
	for _, c := range []struct {
		chart   string
		w, h    int
		theme   string
		profile termenv.Profile
		ascii   bool
		cursor  bool
	}{
		{"growth", 120, 36, "dark", termenv.TrueColor, false, false},
		{"growth", 80, 24, "dark", termenv.TrueColor, false, true},
		{"growth", 80, 24, "light", termenv.ANSI256, false, false},
		{"growth", 80, 24, "mono", termenv.Ascii, false, false},
		{"growth", 80, 24, "dark", termenv.Ascii, true, true},
		{"growth", 112, 9, "mono", termenv.Ascii, false, true},
		{"growth", 60, 12, "mono", termenv.Ascii, false, false},
		{"growth", 40, 8, "mono", termenv.Ascii, false, false},
		{"growth", 20, 5, "mono", termenv.Ascii, false, false},
		{"growth", 11, 3, "mono", termenv.Ascii, false, false},
		{"utility", 60, 14, "dark", termenv.ANSI, false, false},
		{"utility", 60, 30, "mono", termenv.Ascii, false, false},
		{"utility", 60, 8, "mono", termenv.Ascii, false, true},
		{"utility", 40, 4, "mono", termenv.Ascii, true, false},
		{"density", 80, 16, "mono", termenv.Ascii, false, true},
		{"single", 60, 12, "mono", termenv.Ascii, false, true},
	} {
		name := fmt.Sprintf("%s-%dx%d-%s-%d", c.chart, c.w, c.h, c.theme, c.profile)
		if c.ascii {
			name += "-ascii"
		}
		if c.cursor {
			name += "-cursor"
		}
		t.Run(name, func(t *testing.T) {
			p := New()
			p.SetPen(styles(t, c.theme, c.profile, c.ascii))
			p.SetChart(charts[c.chart])
			p.SetSize(c.w, c.h)
			if c.cursor {
				p.MoveCursor(0)
				p.MoveCursor(2)
			}
			checkSize(t, p.View(), c.w, c.h)
			golden.RequireEqual(t, p.View())
		})
	}
}

// single returns a discrete distribution alone: spikes.
func single() chart.Chart {
	c := density()
	c.Series = c.Series[:1]
	return c
}
