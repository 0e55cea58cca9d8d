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
			var costs []time.Duration
			for b.Loop() {
				from := time.Now()
				p.redraw()
				p.View()
				costs = append(costs, time.Since(from))
			}
			slices.Sort(costs)
			if median := costs[len(costs)/2]; len(costs) >= 300 && median > chartLimit {
				b.Errorf("a changed chart costs %v, more than %v", median, chartLimit)
			}
		})
	}
}

// chartLimit is what a chart that has changed may cost; it is drawn once for a key press.
const chartLimit = 2 * time.Millisecond

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
			box := lipgloss.NewRenderer(io.Discard).NewStyle().Border(lipgloss.RoundedBorder()).Width(size.w - 2).Height(size.h - 2)
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
