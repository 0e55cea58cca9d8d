package plot

import (
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// BenchmarkFrame draws a whole chart anew; BenchmarkCursor moves the crosshair over
// a finished one; BenchmarkCached asks for the same view again. BenchmarkBorder is
// the yardstick: a full-screen Lip Gloss border of the same size.
func BenchmarkFrame(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			p := benchPlot(b, size.w, size.h)
			b.ReportAllocs()
			box := lipgloss.NewStyle().Border(lipgloss.RoundedBorder()).Width(size.w - 2).Height(size.h - 2)
			var costs, borders []time.Duration
			for b.Loop() {
				from := time.Now()
				p.redraw()
				p.View()
				costs = append(costs, time.Since(from))
				from = time.Now()
				_ = box.Render("")
				borders = append(borders, time.Since(from))
			}
			slices.Sort(costs)
			slices.Sort(borders)
			chart, border := costs[len(costs)/2], borders[len(borders)/2]
			b.ReportMetric(float64(chart)/float64(border), "borders/chart")
			if len(costs) >= 300 && chart > chartLimit*border {
				b.Errorf("a changed chart costs %v, more than %d borders of %v", chart, chartLimit, border)
			}
		})
	}
}

// chartLimit is how many borders of its size a chart that has changed may cost; it is drawn once for a key press. On
// the machine it was measured on that is 2 ms at 120×36.
const chartLimit = 16

func BenchmarkCursor(b *testing.B) {
	p := benchPlot(b, 120, 36)
	p.MoveCursor(0)
	p.SetCursor(1)
	b.ReportAllocs()
	step := 1
	for b.Loop() {
		if c := p.column(); c == 0 || c == p.geo.pw-1 {
			step = -step
		}
		p.MoveCursor(-step)
		p.View()
	}
}

func BenchmarkCached(b *testing.B) {
	p := benchPlot(b, 120, 36)
	b.ReportAllocs()
	for b.Loop() {
		p.View()
	}
}

func BenchmarkBorder(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			box := lipgloss.NewRenderer(io.Discard).NewStyle().Border(lipgloss.RoundedBorder()).Width(size.w - 2).
				Height(size.h - 2)
			text := strings.Repeat(strings.Repeat("x", size.w-2)+"\n", size.h-3) + "x"
			b.ReportAllocs()
			for b.Loop() {
				box.Render(text)
			}
		})
	}
}

var sizes = []struct {
	name string
	w, h int
}{{"80x24", 80, 24}, {"120x36", 120, 36}, {"200x55", 200, 55}}

func benchPlot(b *testing.B, w, h int) *Plot {
	p := New()
	p.SetPen(styles(b, "dark", termenv.TrueColor, false))
	p.SetChart(growth())
	p.SetSize(w, h)
	return p
}
