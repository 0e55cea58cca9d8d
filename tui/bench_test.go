package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"epsiloscope/scenarios"
	"epsiloscope/tui/plot"
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

// BenchmarkFrame is a frame with nothing cached, and one full-screen border drawn
// by Lip Gloss for comparison.
func BenchmarkFrame(b *testing.B) {
	for _, size := range sizes[1:] {
		a := start(b, size[0], size[1], setup{scenario: long(100)})
		b.Run(fmt.Sprintf("explorer-%dx%d", size[0], size[1]), func(b *testing.B) {
			for b.Loop() {
				a.themes++ // every cache key holds it
				chart := a.panes[chartSlot].(*chartPane)
				chart.plot, chart.serial = plot.New(), 0
				a.View()
			}
		})
		b.Run(fmt.Sprintf("lipgloss-border-%dx%d", size[0], size[1]), func(b *testing.B) {
			box := a.pen.Styles.Renderer.NewStyle().Border(lipgloss.RoundedBorder()).Width(size[0] - 2).Height(size[1] - 2)
			body := strings.Repeat("x\n", size[1]-3)
			for b.Loop() {
				box.Render(body)
			}
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
