package tui

import (
	"fmt"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/tui/home"
)

// A scenario of ten thousand different entries opens, scrolls, is edited and undone;
// every frame is whole. (In package cli the real program does so, whose accountants
// need longer than a hand.)
func TestTenThousandEntriesOnScreen(t *testing.T) {
	n := gauge.Cases(500, 10_000)
	var b strings.Builder
	b.WriteString("version: 1\nname: Long\nbudget: {epsilon: 3, delta: 1e-6}\nstack:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - {mechanism: laplace, label: entry %d, epsilon: %.8f}\n", i+1, 1e-4*(1+float64(i)/float64(n)))
	}
	s, err := scenarios.Parse("", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	before := gauge.Read().Heap
	a := start(t, 120, 36, setup{scenario: s})
	for _, step := range []struct{ key, sees string }{
		{"end", fmt.Sprint("entry ", n)}, {"pgup", ""}, {"home", "entry 1"}, {"pgdown", ""}, {"down", ""}, {"+", ""}, {"c", ""}, {"x", ""}, {"u", ""}, {"u", ""}, {"u", ""},
	} {
		press(a, step.key)
		exact(t, a, step.key)
		if !onScreen(a, step.sees) {
			t.Errorf("%s: %q is not on the screen", step.key, step.sees)
		}
	}
	if a.Doc.Dirty() || a.Result == nil || len(a.Doc.Scenario().Stack) != n {
		t.Errorf("after undoing everything: dirty %v, %d entries", a.Doc.Dirty(), len(a.Doc.Scenario().Stack))
	}
	if grown := int64(gauge.Read().Heap-before) >> 20; grown > 256 {
		t.Errorf("it holds %d MiB", grown)
	}
}

// A selection among a million candidates (fewer where time is short) opens, and its
// charts are drawn: forty bars, the rest as one.
func TestManyCandidatesOnScreen(t *testing.T) {
	n := gauge.Cases(3_000, 30_000)
	if gauge.Long() {
		n = 1_000_000
	}
	scores := make([]float64, n)
	for i := range scores {
		scores[i] = float64(i * 7919 % 1000)
	}
	before := gauge.Read().Heap
	s := city()
	s.Stack = []scenarios.Entry{{Mechanism: "exponential", Label: "one of many", Count: 1, Sampling: 1, Values: param.Values{
		"epsilon": param.NumberValue(0.5), "scores": param.ScoresValue(scores...),
	}}}
	a := start(t, 120, 36, setup{scenario: s, accountant: plan.New(), charts: home.ChartKinds()})
	for _, key := range []string{"5", "8", "4", "+", "u", "enter", "esc", "w", "esc"} {
		press(a, key)
		exact(t, a, key)
	}
	press(a, "chart.5")
	if c, _, err := a.home.NewestChart(); len(c.Bars) != 40 {
		t.Errorf("%d bars: %v", len(c.Bars), err)
	}
	grown := int64(gauge.Read().Heap-before) >> 20
	if grown > 512 {
		t.Errorf("it holds %d MiB", grown)
	}
	t.Logf("%d candidates, %d MiB", n, grown)
}
