package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"epsiloscope/scenarios"
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

// BenchmarkFrame is a frame with nothing cached, the chart drawn anew too, and for
// comparison one border that Lip Gloss draws around a screenful of text. Their
// quotient is reported as borders/frame.
func BenchmarkFrame(b *testing.B) {
	for _, size := range sizes[1:] {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			a := start(b, size[0], size[1], setup{scenario: long(100)})
			chart := a.panes[chartSlot].(*chartPane).plot
			box := a.pen.Styles.Renderer.NewStyle().Border(lipgloss.RoundedBorder()).Width(size[0] - 2).Height(size[1] - 2)
			body := strings.TrimSuffix(strings.Repeat(strings.Repeat("x", size[0]-2)+"\n", size[1]-2), "\n")
			var frame, border time.Duration
			for i := 0; b.Loop(); i++ {
				a.themes++ // every cache key holds it
				chart.Highlight([]string{"basic", "advanced"}[i%2])
				from := time.Now()
				a.View()
				frame += time.Since(from)
				from = time.Now()
				box.Render(body)
				border += time.Since(from)
			}
			b.ReportMetric(float64(frame.Microseconds())/float64(b.N), "µs/frame")
			b.ReportMetric(float64(frame)/float64(border), "borders/frame")
		})
	}
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
