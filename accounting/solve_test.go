package accounting

import (
	"context"
	"errors"
	"math"
	"testing"

	"epsiloscope/accounting/numeral"

	"pgregory.net/rapid"
)

func costOf(m Method, delta float64, stack func(x float64) []Entry) func(context.Context, float64) (float64, error) {
	return func(ctx context.Context, x float64) (float64, error) {
		b := Evaluate(ctx, m, stack(x), Target{Delta: delta})
		if b.Status != Valid {
			return math.Inf(1), nil
		}
		return b.Epsilon, nil
	}
}

// Bob asks 10⁴ queries with δ′ = e⁻³² and a budget of 1: what each may cost, by
// theorem. The slide prints 1/800.
func TestBob(t *testing.T) {
	const k = 1e4
	delta := math.Exp(-32)
	for _, c := range []struct {
		method Method
		want   float64 // 1/ε, to the digits known
	}{
		// The improved form's ln(1/δ′) term alone gives 806.2; its third term is smaller here.
		{Advanced, 812.318}, {AdvancedKOV, 780.3}, {ZCDPClassic, 806.2}, {ZCDP, 741.4}, {RDP, 741.0}, {Optimal, 715.5},
	} {
		s, err := Solve(context.Background(), Search{Rising: true, Low: 1e-9, High: 10,
			Cost: costOf(c.method, delta, func(x float64) []Entry { return []Entry{{PureDP(x), k}} })}, 1)
		if err != nil || !s.Feasible || s.Epsilon > 1 {
			t.Fatalf("%s: %+v, %v", c.method, s, err)
		}
		if math.Abs(1/s.Value-c.want) > 0.06 {
			t.Errorf("%s: 1/%.4f, want 1/%g", c.method, 1/s.Value, c.want)
		}
	}
	within(t, AdvancedEpsilon(1.0/800, delta, k), 1.015635, 1e-6)
}

func TestSolveIsSafeAndTight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom([]Method{Basic, AdvancedKOV, RDP, ZCDP, Optimal}).Draw(t, "method")
		delta, target := drawLog(t, "δ", 1e-12, 1e-3), drawLog(t, "ε", 0.05, 20)
		k := math.Round(drawLog(t, "K", 1, 1e4))
		cost := costOf(m, delta, func(x float64) []Entry { return []Entry{{PureDP(x), k}} })
		s, err := Solve(context.Background(), Search{Rising: true, Low: 1e-9, High: 1e4, Cost: cost}, target)
		if err != nil || !s.Feasible {
			t.Fatalf("%+v, %v", s, err)
		}
		at, _ := cost(context.Background(), s.Value)
		beyond, _ := cost(context.Background(), s.Value*(1+1e-6))
		if at > target || beyond <= target {
			t.Errorf("%s: %.15g costs %.15g, a little more %.15g, target %.15g", m, s.Value, at, beyond, target)
		}
	})
}

func TestSolveWholeIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom([]Method{Basic, RDP, ZCDP, Optimal}).Draw(t, "method")
		each, target := drawLog(t, "ε₀", 1e-3, 0.5), drawLog(t, "ε", 0.6, 10)
		cost := costOf(m, 1e-6, func(x float64) []Entry { return []Entry{{PureDP(each), x}} })
		s, err := Solve(context.Background(), Search{Rising: true, Whole: true, Low: 1, High: 1e12, Cost: cost}, target)
		if err != nil || s.Value != math.Trunc(s.Value) {
			t.Fatalf("%+v, %v", s, err)
		}
		if !s.Feasible { // zCDP of a single release may cost more than its ε
			if s.Value != 1 || s.Epsilon <= target {
				t.Errorf("%s: %+v at a target of %g", m, s, target)
			}
			return
		}
		next, _ := cost(context.Background(), s.Value+1)
		if s.Epsilon > target || next <= target {
			t.Errorf("%s: %g cost %.15g, one more %.15g, target %.15g", m, s.Value, s.Epsilon, next, target)
		}
	})
}

func TestSolveFallingCost(t *testing.T) {
	s, err := Solve(context.Background(), Search{Low: 1e-3, High: 1e6,
		Cost: costOf(GDP, 1e-5, func(sigma float64) []Entry { return []Entry{{GaussianDP(1 / sigma), 1}} })}, 1)
	if err != nil || !s.Feasible {
		t.Fatalf("%+v, %v", s, err)
	}
	within(t, s.Value, 3.730631634815942, 1e-9) // analytic Gaussian calibration
}

func TestSolveSaysWhatCannotBe(t *testing.T) {
	pure := costOf(Basic, 0, func(x float64) []Entry { return []Entry{{PureDP(x), 10}} })
	for _, c := range []struct {
		search Search
		target float64
		want   Solution
	}{
		{Search{Cost: pure, Rising: true, Low: 1, High: 2}, 5, Solution{1, 10, false, "Even 1 costs ε = 10, more than the target of 5."}},
		{Search{Cost: pure, Rising: true, Low: 1, High: 2}, 50, Solution{2, 20, true, "The target allows even 2, the end of the range."}},
		{Search{Cost: costOf(Advanced, 0, func(x float64) []Entry { return []Entry{{PureDP(x), 1}} }), Rising: true, Low: 1, High: 2}, 5,
			Solution{1, math.Inf(1), false, "No value up to 1 gives a finite bound."}},
	} {
		got, err := Solve(context.Background(), c.search, c.target)
		if err != nil || got != c.want {
			t.Errorf("%+v, %v; want %+v", got, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Solve(ctx, Search{Cost: pure, Rising: true, Low: 1, High: 2}, 15); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search gives %v", err)
	}
	if _, err := Solve(context.Background(), Search{Cost: pure, Low: 0, High: 2}, 15); err == nil {
		t.Error("a range that starts at 0 is accepted")
	}
}

// An answer of so many digits is the last that fits, found in a few steps where the cost is smooth
// and by halving where it jumps.
func TestSolveToTheLastDigit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		power, factor := drawLog(t, "power", 0.2, 5), drawLog(t, "factor", 1e-3, 1e3)
		rising, digits := rapid.Bool().Draw(t, "rising"), rapid.IntRange(2, 12).Draw(t, "digits")
		kind := rapid.SampledFrom([]string{"power", "exponential", "steps"}).Draw(t, "kind")
		tried := 0
		cost := func(_ context.Context, x float64) (epsilon float64, err error) {
			tried++
			switch kind {
			case "power":
				epsilon = factor * math.Pow(x, power)
			case "exponential":
				epsilon = factor * math.Expm1(x)
			default:
				epsilon = factor * math.Floor(1+3*x)
			}
			if !rising {
				epsilon = 1 / epsilon
			}
			return epsilon, nil
		}
		at := drawLog(t, "x", 0.05, 20)
		target, _ := cost(context.Background(), at)
		tried = 0
		search := Search{Cost: cost, Rising: rising, Digits: digits, Low: 1e-6, High: 1e6,
			Start: at * drawLog(t, "start", 0.1, 10)}
		s, err := Solve(context.Background(), search, target)
		if most := map[string]int{"power": 12, "exponential": 24, "steps": 20 + 6*digits}[kind]; err != nil || !s.Feasible || tried > most {
			t.Fatalf("%+v, %v, after %d trials", s, err, tried)
		}
		way := -1.0
		if rising {
			way = 1
		}
		beyond, _ := cost(context.Background(), (&solver{Search: search}).next(s.Value, way))
		if s.Value != numeral.Round(s.Value, digits) ||
			beyond <= target && s.Value > search.Low && s.Value < search.High {
			t.Errorf("%.15g costs %.15g, the next one %.15g, target %.15g", s.Value, s.Epsilon, beyond, target)
		}
	})
}
