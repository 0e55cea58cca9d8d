//go:build unix

package tui

import (
	"context"
	"io"
	"syscall"
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

// timed notes when the answers of an evaluation arrive, in the processor time of the process.
type timed struct {
	plan.Planner
	answers []time.Duration
}

func (t *timed) Refine(
	ctx context.Context, s *scenarios.Scenario, opt scenarios.Options, yield func(*scenarios.Result) bool,
) error {
	t.answers = nil
	return t.Planner.Refine(ctx, s, opt, func(r *scenarios.Result) bool {
		t.answers = append(t.answers, processorTime())
		return yield(r)
	})
}

func processorTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkStep turns the first knob of every bundled scenario on home, and reports how much processor time passes
// until the closed forms are there, the first certified ε, the narrowest one, and everything that is on the screen: the
// columns of the bounds, the chart with its numerical curve and the selected entry. Pauses are left out.
func BenchmarkStep(b *testing.B) {
	for _, info := range scenarios.LibraryInfos() {
		b.Run(info.Name, func(b *testing.B) {
			s, err := scenarios.LoadBundled(info.Name)
			if err != nil {
				b.Fatal(err)
			}
			th, _ := theme.ByName("dark")
			r := lipgloss.NewRenderer(io.Discard)
			r.SetColorProfile(termenv.TrueColor)
			account := &timed{Planner: plan.New()}
			a := newApp(context.Background(), Options{
				theme: th, renderer: r, accountant: account, charts: home.ChartKinds(), eager: true, clock: time.Now,
			}, document.New(s))
			defer a.Jobs.Close()
			drain(a, a.Init())
			send(a, tea.WindowSizeMsg{Width: 200, Height: 55})
			var closed, first, narrow, whole time.Duration
			for b.Loop() {
				from := processorTime()
				press(a, "knob.up")
				a.View()
				whole += processorTime() - from
				if n := len(account.answers); n > 0 {
					closed += account.answers[0] - from
					first += account.answers[min(1, n-1)] - from
					narrow += account.answers[n-1] - from
				}
			}
			for _, m := range []struct {
				spent time.Duration
				unit  string
			}{{closed, "closed-cpu-ms"}, {first, "first-cpu-ms"}, {narrow, "narrow-cpu-ms"}, {whole, "whole-cpu-ms"}} {
				b.ReportMetric(float64(m.spent)/1e6/float64(b.N), m.unit)
			}
		})
	}
}
