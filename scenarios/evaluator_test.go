package scenarios

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/internal/gauge"
)

// TestEvaluatorHasNoHistory plays a user who turns knobs, adds entries and takes them out again: every number and note
// of the evaluator is that of one which has seen nothing else, to the last digit. compare and the explorer tell the
// same number.
func TestEvaluatorHasNoHistory(t *testing.T) {
	gauge.Check(t, gauge.Cases(3, 40), func(r *rapid.T) {
		ev := NewEvaluator()
		s := mustParse(t, drawMixedStack(r))
		for range rapid.IntRange(1, 4).Draw(r, "edits") {
			i := rapid.IntRange(0, len(s.Stack)-1).Draw(r, "entry")
			e := &s.Stack[i]
			switch rapid.IntRange(0, 3).Draw(r, "edit") {
			case 0:
				e.Count++
			case 1:
				e.Disabled = !e.Disabled
			case 2:
				s.Rounds = 3 - s.Rounds
			case 3:
				s.Stack = append(s.Stack, s.Stack[i])
				s.Stack[len(s.Stack)-1].Label = "again"
			}
			got, err := ev.Evaluate(context.Background(), s, Options{})
			if err != nil {
				r.Fatal(err)
			}
			want, err := Evaluate(context.Background(), s, Options{})
			if err != nil {
				r.Fatal(err)
			}
			for k, b := range want.Bounds {
				a := got.Bounds[k]
				if a.Epsilon != b.Epsilon || a.Lower != b.Lower || a.Note != b.Note ||
					fmt.Sprint(a.Inputs) != fmt.Sprint(b.Inputs) {
					r.Fatalf("%s: [%.17g, %.17g] %q after edits, [%.17g, %.17g] %q at once", b.Method, a.Lower, a.Epsilon, a.Note, b.Lower, b.Epsilon, b.Note)
				}
			}
			if fmt.Sprint(got.Entries, got.Notes) != fmt.Sprint(want.Entries, want.Notes) {
				r.Fatalf("entries %v, want %v", got.Entries, want.Entries)
			}
		}
	})
}

// drawMixedStack returns a stack of releases that are computed in different ways: sampled, selected, with a profile
// alone.
func drawMixedStack(r *rapid.T) string {
	var entries []string
	for range rapid.IntRange(1, 4).Draw(r, "entries") {
		entries = append(entries, fmt.Sprintf(rapid.SampledFrom([]string{
			"{mechanism: laplace, epsilon: 0.%d, sensitivity: 1}", "{mechanism: gaussian, sigma: %d, sensitivity: 1}", "{mechanism: pure, epsilon: 0.%d}",
			"{mechanism: laplace, epsilon: 0.%d, sensitivity: 1, sampling: {rate: 0.1}}", "{mechanism: exponential, epsilon: 0.%d, sensitivity: 1}",
			"{mechanism: approximate, epsilon: 0.%d, delta: 1e-9}", "{mechanism: dp-sgd, noise_multiplier: %d, sampling_rate: 0.01, steps: 100}",
		}).Draw(r, "mechanism"), rapid.IntRange(1, 9).Draw(r, "number")))
	}
	return "version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nrounds: 1\nstack: [" + strings.Join(entries, ", ") + "]"
}

// longStack returns n different entries, a quarter of them sampled.
func longStack(tb testing.TB, n int) *Scenario {
	var entries []string
	for i := range n {
		epsilon, sigma := 0.01+0.0001*float64(i), 20+0.01*float64(i)
		entries = append(entries, []string{
			fmt.Sprintf("{mechanism: laplace, epsilon: %g, sensitivity: 1}", epsilon), fmt.Sprintf("{mechanism: gaussian, sigma: %g, sensitivity: 1}", sigma),
			fmt.Sprintf("{mechanism: pure, epsilon: %g}", epsilon), fmt.Sprintf("{mechanism: laplace, epsilon: %g, sensitivity: 1, sampling: {rate: 0.1}}", epsilon),
		}[i%4])
	}
	return mustParse(tb, "version: 1\nbudget: {epsilon: 10, delta: 1e-6}\nstack: ["+strings.Join(entries, ", ")+"]")
}

// BenchmarkOneChange is a step of a knob on a stack of 200 different entries; BenchmarkFirst is what compare does.
func BenchmarkOneChange(b *testing.B) {
	s, ev := longStack(b, 200), NewEvaluator()
	if _, err := ev.Evaluate(b.Context(), s, Options{}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s.Stack[7].Count++
		if _, err := ev.Evaluate(b.Context(), s, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFirst(b *testing.B) {
	s := longStack(b, 200)
	for b.Loop() {
		if _, err := Evaluate(b.Context(), s, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
