//go:build unix

package tui

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/tui/document"
	"epsiloscope/tui/home"
	"epsiloscope/tui/theme"
)

// longStack returns a scenario of n different entries, a quarter of them sampled.
func longStack(tb testing.TB, n int) *scenarios.Scenario {
	var entries []string
	for i := range n {
		epsilon, sigma := 0.01+0.0001*float64(i), 20+0.01*float64(i)
		entries = append(entries, []string{
			fmt.Sprintf("{mechanism: laplace, epsilon: %g, sensitivity: 1}", epsilon),
			fmt.Sprintf("{mechanism: gaussian, sigma: %g, sensitivity: 1}", sigma),
			fmt.Sprintf("{mechanism: pure, epsilon: %g}", epsilon),
			fmt.Sprintf("{mechanism: laplace, epsilon: %g, sensitivity: 1, sampling: {rate: 0.1}}", epsilon),
		}[i%4])
	}
	text := "version: 1\nbudget: {epsilon: 10, delta: 1e-6}\nstack: [" + strings.Join(entries, ", ") + "]"
	s, err := scenarios.Parse("long.yaml", []byte(text))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// BenchmarkLong reports the processor time of an evaluation of a long stack, as compare makes it, of the explorer's
// start with that stack until its bounds are there and on the screen, and of a step of its first knob.
func BenchmarkLong(b *testing.B) {
	for _, n := range []int{200, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := longStack(b, n)
			th, _ := theme.ByName("dark")
			r := lipgloss.NewRenderer(io.Discard)
			r.SetColorProfile(termenv.TrueColor)
			var compare, start, step time.Duration
			for b.Loop() {
				from := processorTime()
				if _, err := scenarios.Evaluate(b.Context(), s, scenarios.Options{}); err != nil {
					b.Fatal(err)
				}
				compare += processorTime() - from
				from = processorTime()
				account := &timed{Planner: plan.New()}
				a := newApp(context.Background(), Options{
					theme: th, renderer: r, accountant: account, charts: home.ChartKinds(), eager: true,
					clock: time.Now,
				}, document.New(s.Clone()))
				drain(a, a.Init())
				send(a, tea.WindowSizeMsg{Width: 120, Height: 36})
				a.View()
				if n := len(account.answers); n > 0 {
					start += account.answers[n-1] - from
				}
				from = processorTime()
				press(a, "knob.up")
				a.View()
				if n := len(account.answers); n > 0 {
					step += account.answers[n-1] - from
				}
				a.Jobs.Close()
			}
			for unit, spent := range map[string]time.Duration{
				"compare-cpu-ms": compare, "start-cpu-ms": start, "step-cpu-ms": step,
			} {
				b.ReportMetric(float64(spent)/1e6/float64(b.N), unit)
			}
		})
	}
}
