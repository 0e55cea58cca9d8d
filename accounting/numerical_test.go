package accounting

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/internal/gauge"
)

// drawPaired draws a stack in which every release has a pair that knows as much as
// its other currencies do: bounded range is left out, where RDP may know more.
func drawPaired(t *rapid.T) []Entry {
	stack := make([]Entry, rapid.IntRange(1, 3).Draw(t, "entries"))
	for i := range stack {
		var r Release
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			r = PureDP(drawLog(t, "ε", 1e-3, 3))
		case 1:
			r = laplace(drawLog(t, "ε", 1e-3, 3))
		case 2:
			r = GaussianDP(drawLog(t, "μ", 1e-3, 2))
		default:
			r = Subsample(GaussianDP(drawLog(t, "μ", 0.1, 1.5)), drawLog(t, "q", 1e-3, 0.2))
		}
		stack[i] = Entry{r, math.Round(drawLog(t, "count", 1, 300))}
	}
	return stack
}

// The certified lower end lies below every valid column; the upper end exceeds none
// by more than the interval's own width.
func TestNumericalLiesBelowEveryColumn(t *testing.T) {
	gauge.Sequential(t)
	gauge.Check(t, gauge.Cases(20, 100), func(t *rapid.T) {
		bounds := Compare(context.Background(), drawPaired(t),
			Target{Delta: drawLog(t, "δ", 1e-12, 1e-2), Precision: 0.02})
		n := byMethod(bounds)[Numerical]
		if n.Status != Valid || n.Lower > n.Epsilon {
			t.Fatalf("numerical: %+v", n)
		}
		width := n.Epsilon - n.Lower
		for _, b := range bounds {
			if b.Status != Valid || b.Method == Numerical {
				continue
			}
			if n.Lower > b.Epsilon*(1+1e-9) {
				t.Errorf("lower end %.12g above %s %.12g", n.Lower, b.Method, b.Epsilon)
			}
			if n.Epsilon > (b.Epsilon+width)*(1+1e-9) {
				t.Errorf("upper end %.12g above %s %.12g", n.Epsilon, b.Method, b.Epsilon)
			}
		}
	})
}

func TestNumericalContainsTheClosedForms(t *testing.T) {
	for name, c := range map[string]struct {
		stack []Entry
		delta float64
		truth float64
	}{
		"pure ×100":         {[]Entry{{PureDP(1), 100}}, 1e-6, 83.530701678484},
		"Gaussian ×1000":    {[]Entry{{GaussianDP(0.1), 1000}}, 1e-6, 19.423656474031052},
		"Laplace ×1000":     {[]Entry{{laplace(0.05), 1000}}, 1e-6, 8.2044},
		"DP-SGD":            {[]Entry{{Subsample(GaussianDP(1/1.1), 0.01), 1e4}}, 1e-5, 5.1926},
		"(ε, δ) ×100":       {[]Entry{{ApproximateDP(0.1, 1e-8), 100}}, 1e-5, 4.329637},
		"two kinds of pure": {[]Entry{{PureDP(0.3), 1}, {PureDP(0.2), 1}, {PureDP(0.1), 1}}, 0.01, 0.537796170501605},
	} {
		b := Evaluate(context.Background(), Numerical, c.stack, Target{Delta: c.delta})
		if b.Status != Valid || b.Lower > c.truth*(1+2e-5) || b.Epsilon < c.truth*(1-2e-5) ||
			b.Epsilon-b.Lower > 2e-3*b.Epsilon {
			t.Errorf("%s: %s %.9g – %.9g, truth %.9g: %s", name, b.Status, b.Lower, b.Epsilon, c.truth, b.Note)
		}
	}
}

func TestNumericalWithoutDelta(t *testing.T) {
	b := Evaluate(context.Background(), Numerical, []Entry{{PureDP(0.5), 4}}, Target{})
	if b.Status != Valid || b.Epsilon != 2 || b.Lower != 2 {
		t.Errorf("pure at δ = 0: %+v", b)
	}
	b = Evaluate(context.Background(), Numerical, []Entry{{GaussianDP(0.5), 4}}, Target{})
	if b.Status != NotApplicable {
		t.Errorf("Gaussian at δ = 0: %+v", b)
	}
}

func TestNumericalStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	stack := []Entry{{laplace(0.05), 1000}, {GaussianDP(0.1), 7}}
	if b := Evaluate(ctx, Numerical, stack, Target{Delta: 1e-6}); b.Status == Valid && b.Lower > 0 {
		return // an answer that was already there is welcome
	} else if b.Note == "" {
		t.Errorf("stopped without a reason: %+v", b)
	}
}

func TestRefineNarrows(t *testing.T) {
	stack := []Entry{{laplace(0.05), 1000}, {GaussianDP(0.1), 7}}
	var seen []Bound
	err := Refine(context.Background(), stack, Target{Delta: 1e-6, Precision: 1e-4}, func(b Bound) bool {
		seen = append(seen, b)
		return true
	})
	if err != nil || len(seen) == 0 {
		t.Fatalf("%d bounds, %v", len(seen), err)
	}
	for i, b := range seen {
		if b.Method != Numerical || b.Status != Valid || b.Interval == nil || b.Lower > b.Epsilon {
			t.Errorf("step %d: %+v", i, b)
		}
		if i > 0 && b.Epsilon-b.Lower > (seen[i-1].Epsilon-seen[i-1].Lower)*(1+1e-9) {
			t.Errorf("step %d is wider than the one before", i)
		}
	}
	last := seen[len(seen)-1]
	if last.Epsilon-last.Lower > 1.1e-4*last.Epsilon {
		t.Errorf("the last interval is %g – %g", last.Lower, last.Epsilon)
	}
	once := 0
	_ = Refine(context.Background(), stack, Target{Delta: 1e-6, Precision: 1e-5}, func(Bound) bool {
		once++
		return false
	})
	if once != 1 {
		t.Errorf("yield was called %d times after it said no", once)
	}
	once = 0
	_ = Refine(context.Background(), []Entry{{ConcentratedDP(0, 1), 1}}, Target{Delta: 1e-6}, func(b Bound) bool {
		once++
		return b.Status == NotApplicable
	})
	if once != 1 {
		t.Errorf("a stack without pairs yields %d times", once)
	}
}

// A block of branches under the numerical bound: between its costliest branch and
// what the closed theorems say.
func TestNumericalOfAParallelBlock(t *testing.T) {
	branches := [][]Entry{{{laplace(0.5), 1}}, {{GaussianDP(0.2), 2}}, {{PureDP(0.1), 1}}}
	for _, replace := range []bool{false, true} {
		bounds := Compare(context.Background(), []Entry{{Parallel(branches, replace), 20}}, Target{Delta: 1e-5})
		n := byMethod(bounds)[Numerical]
		if n.Status != Valid {
			t.Fatalf("numerical: %s %s", n.Status, n.Note)
		}
		alone := Evaluate(context.Background(), Numerical, []Entry{{laplace(0.5), 20}}, Target{Delta: 1e-5})
		if n.Epsilon < alone.Lower {
			t.Errorf("replace=%v: the block costs %g, one branch alone %g", replace, n.Epsilon, alone.Lower)
		}
		for _, b := range bounds {
			if b.Status == Valid && n.Lower > b.Epsilon*(1+1e-9) {
				t.Errorf("replace=%v: lower end %g above %s %g", replace, n.Lower, b.Method, b.Epsilon)
			}
		}
	}
}
