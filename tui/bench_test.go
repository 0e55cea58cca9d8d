package tui

import (
	"fmt"
	"slices"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"epsiloscope/scenarios"
	"epsiloscope/tui/layout"
)

// long is a stack of n entries.
func long(n int) *scenarios.Scenario {
	s := plan()
	base := s.Stack
	s.Stack = nil
	for i := range n {
		e := base[i%len(base)]
		e.Label = fmt.Sprintf("query %d", i)
		s.Stack = append(s.Stack, e)
	}
	return s
}

// BenchmarkKey is a key press and the frame after it; the answers of the
// accountants are not waited for.
func BenchmarkKey(b *testing.B) {
	for _, size := range sizes[1:] {
		for _, n := range []int{5, 100, 1000} {
			b.Run(fmt.Sprintf("%dx%d/entries=%d", size[0], size[1], n), func(b *testing.B) {
				a := start(b, size[0], size[1], setup{scenario: long(n)})
				keys := []tea.KeyMsg{keyMsg("+"), keyMsg("-")}
				for i := 0; b.Loop(); i++ {
					a.Update(keys[i%2])
					a.View()
				}
			})
		}
	}
}

// uncached draws home with nothing remembered: every pane and both of its charts
// anew, with the figures and curves of the real accountants.
func uncached(t testing.TB, w, h, entries int) func() {
	a := start(t, w, h, setup{scenario: long(entries), accountant: scenarios.NewEvaluator(), charts: chartKinds()})
	chart, noise := a.panes[chartSlot].(*chartPane).plot, a.panes[layout.Detail].(*detailPane).plot
	names := []string{"basic", "advanced"}
	return func() {
		a.themes++ // every cache key holds it
		names[0], names[1] = names[1], names[0]
		chart.Highlight(names[0])
		noise.Highlight(names[0])
		a.View()
	}
}

// border draws the yardstick: one empty box as large as the screen, by Lip Gloss.
func border(t testing.TB, w, h int) func() {
	r := start(t, w, h, setup{}).pen.Styles.Renderer
	box := r.NewStyle().Border(lipgloss.RoundedBorder()).Width(w - 2).Height(h - 2)
	return func() { box.Render("") }
}

// BenchmarkFrame is a frame with nothing cached. Its cost in borders is the median
// over pairs taken one right after the other, so that a busy machine slows both.
func BenchmarkFrame(b *testing.B) {
	for _, size := range sizes[1:] {
		for _, n := range []int{5, 100, 1000} {
			b.Run(fmt.Sprintf("%dx%d/entries=%d", size[0], size[1], n), func(b *testing.B) {
				frame, box := uncached(b, size[0], size[1], n), border(b, size[0], size[1])
				var frames, boxes []time.Duration
				for b.Loop() {
					from := time.Now()
					frame()
					between := time.Now()
					box()
					frames, boxes = append(frames, between.Sub(from)), append(boxes, time.Since(between))
				}
				f, x := median(frames), median(boxes)
				b.ReportMetric(float64(f.Nanoseconds())/1e3, "µs/frame")
				b.ReportMetric(float64(f)/float64(x), "borders/frame")
			})
		}
	}
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// The cost of a frame is that of what is visible: a stack of a thousand entries
// allocates no more than one that just fills its pane.
func TestFrameDoesNotGrowWithTheStack(t *testing.T) {
	allocs := func(n int) float64 {
		a := start(t, 120, 36, setup{scenario: long(n)})
		return testing.AllocsPerRun(20, func() {
			a.themes++
			a.View()
		})
	}
	if small, large := allocs(20), allocs(1000); large > 1.2*small {
		t.Errorf("%v allocations for a frame with 1000 entries, %v with 20", large, small)
	}
}
