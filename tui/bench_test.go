package tui

import (
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"epsiloscope/internal/stand"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/tui/home"
)

// long returns a stack of n entries.
func long(n int) *scenarios.Scenario {
	s := city()
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
				keys := []tea.KeyMsg{stand.Key("+"), stand.Key("-")}
				for i := 0; b.Loop(); i++ {
					a.Update(keys[i%2])
					a.View()
				}
			})
		}
	}
}

// uncached draws home with nothing remembered but the pictures of charts that have not changed: every pane
// anew, with the figures and curves of the real accountants. What a changed chart may cost is BenchmarkFrame of
// tui/plot.
func uncached(t testing.TB, w, h, entries int, chart string) func() {
	a := start(t, w, h, setup{scenario: long(entries), accountant: plan.New(), charts: home.ChartKinds()})
	press(a, chart)
	return func() {
		a.Themes++ // every cache key holds it
		a.View()
	}
}

// border draws the yardstick: one empty box as large as the screen, by Lip Gloss.
func border(w, h int) func() {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.TrueColor)
	box := r.NewStyle().Border(lipgloss.RoundedBorder()).Width(w - 2).Height(h - 2)
	return func() { box.Render("") }
}

// frameLimit is how many of those borders a frame with nothing cached may cost.
const frameLimit = 3

// BenchmarkFrame is such a frame, over stacks of three sizes and with each chart. Its
// cost in borders is the quotient of medians over pairs taken one right after the
// other, so that a busy machine slows both; with enough pairs, too dear a frame fails.
func BenchmarkFrame(b *testing.B) {
	for _, size := range sizes[1:] {
		for _, n := range []int{5, 100, 1000} {
			b.Run(fmt.Sprintf("%dx%d/entries=%d", size[0], size[1], n), func(b *testing.B) {
				inBorders(b, uncached(b, size[0], size[1], n, "1"), border(size[0], size[1]))
			})
		}
		for _, c := range home.ChartKinds()[1:] {
			b.Run(fmt.Sprintf("%dx%d/chart=%s", size[0], size[1], c.Key), func(b *testing.B) {
				inBorders(b, uncached(b, size[0], size[1], 5, c.Key), border(size[0], size[1]))
			})
		}
	}
}

func inBorders(b *testing.B, frame, box func()) {
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
	if len(frames) >= 300 && f > frameLimit*x {
		b.Errorf("a frame costs %v, more than %d borders of %v", f, frameLimit, x)
	}
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// The cost of a frame is that of what is visible: a stack of a thousand entries
// allocates no more than one that just fills its pane.
func TestFrameDoesNotGrowWithTheStack(t *testing.T) {
	for _, size := range sizes {
		var allocs []float64
		for _, n := range []int{20, 100, 1000} {
			a := start(t, size[0], size[1], setup{scenario: long(n)})
			allocs = append(allocs, testing.AllocsPerRun(10, func() {
				a.Themes++
				a.View()
			}))
		}
		if slices.Max(allocs) > 1.05*allocs[0] {
			t.Errorf("at %d×%d frames allocate %v times with 20, 100 and 1000 entries", size[0], size[1], allocs)
		}
	}
}
