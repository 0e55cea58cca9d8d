package oracle_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting"
	"epsiloscope/accounting/internal/oracle"
)

func drawCount(t *rapid.T) float64 {
	switch rapid.IntRange(0, 5).Draw(t, "K") {
	case 0:
		note("K = 1", true)
		return 1
	case 1:
		note("K = 1e12", true)
		return 1e12
	}
	return math.Round(logDraw(t, "K", 1, 1e12))
}

func drawDelta(t *rapid.T) float64 {
	switch rapid.IntRange(0, 5).Draw(t, "δ") {
	case 0:
		note("δ = 1e-300", true)
		return 1e-300
	case 1:
		note("δ = 0.5", true)
		return 0.5
	}
	return logDraw(t, "δ", 1e-300, 0.5)
}

func columns(stack []accounting.Entry, target accounting.Target) map[accounting.Method]accounting.Bound {
	m := map[accounting.Method]accounting.Bound{}
	for _, b := range accounting.ClosedForms(context.Background(), stack, target) {
		m[b.Method] = b
	}
	return m
}

// same holds a valid column against its own theorem: never below beyond rounding,
// and not above by more than slack.
func same(t *rapid.T, b accounting.Bound, want oracle.Real, slack float64) {
	t.Helper()
	truth := math.Max(0, want.Float())
	if b.Status != accounting.Valid {
		if !math.IsInf(truth, 1) && b.Status != accounting.Vacuous {
			t.Errorf("%s is %s (%s), the theorem says %.17g", b.Method, b.Status, b.Note, truth)
		}
		return
	}
	if !(b.Epsilon >= truth*(1-1e-12)) || !(b.Epsilon <= truth*(1+slack)+1e-300) {
		t.Errorf("%s = %.17g, the theorem says %.17g", b.Method, b.Epsilon, truth)
	}
}

// The closed columns on stacks of stated prices, each against its theorem in 320 bits.
func TestClosedForms(t *testing.T) {
	check(t, 0.15, func(t *rapid.T) {
		delta := drawDelta(t)
		var stack []accounting.Entry
		var costs []oracle.Cost
		stated := rapid.Bool().Draw(t, "with δ₀")
		for range rapid.IntRange(1, 4).Draw(t, "entries") {
			c := oracle.Cost{Epsilon: logDraw(t, "ε", 1e-9, 30), Count: drawCount(t)}
			if stated {
				c.Delta = math.Min(0.5, delta/c.Count*logDraw(t, "δ₀/δ", 1e-6, 0.6))
			}
			costs = append(costs, c)
			stack = append(stack, accounting.Entry{Release: accounting.ApproximateDP(c.Epsilon,
				c.Delta), Count: c.Count})
		}
		got := columns(stack, accounting.Target{Delta: delta})
		if oracle.Stated(costs).Cmp(oracle.R(delta)) <= 0 {
			same(t, got[accounting.Basic], oracle.Basic(costs), 1e-12)
		}
		// What is left of δ after the stated ones is a difference: its relative error
		// moves ln(1/δ′), and so ε, by far less than the slack.
		if want, ok := oracle.Advanced(costs, delta); ok {
			same(t, got[accounting.Advanced], want, 1e-9)
		}
		if want, ok := oracle.AdvancedKOV(costs, delta); ok {
			same(t, got[accounting.AdvancedKOV], want, 1e-9)
		}
		left := oracle.Left(costs, delta)
		if left.Sign() <= 0 {
			return
		}
		rho := oracle.R(0)
		for _, c := range costs {
			e := oracle.R(c.Epsilon).Exp()
			rho = rho.Add(oracle.R(c.Count).Mul(oracle.R(c.Epsilon)).Mul(e.Sub(oracle.R(1)).Div(e.Add(oracle.R(1)))))
		}
		same(t, got[accounting.ZCDPClassic], oracle.ConcentratedClassic(rho, left), 1e-9)
		if b := got[accounting.ZCDP]; b.Status == accounting.Valid && b.Alpha > 1 {
			alpha := oracle.R(b.Alpha)
			same(t, b, oracle.Tight(alpha, alpha.Mul(rho), left), 1e-9) // at its own order
			if least := math.Max(0, oracle.ConcentratedTight(rho.Float(),
				left.Float()).Float()); b.Epsilon > least*(1+1e-6)+1e-300 {
				t.Errorf("zcdp = %.17g, another order gives %.17g", b.Epsilon, least)
			}
		}
		renyiAt(t, got[accounting.RDP], costs, left, oracle.Tight)
		renyiAt(t, got[accounting.RDPClassic], costs, left, oracle.Classic)
	})
}

// renyiAt redoes a Rényi column at the order it says it used.
func renyiAt(t *rapid.T, b accounting.Bound, costs []oracle.Cost, left oracle.Real,
	convert func(alpha, r, delta oracle.Real) oracle.Real) {
	if b.Status != accounting.Valid || math.IsInf(b.Alpha, 1) || b.Alpha > 1e12 {
		return
	}
	r := oracle.R(0)
	for _, c := range costs {
		if b.Alpha*c.Epsilon > 1e6 {
			return // beyond the exponents of the oracle's numbers
		}
		r = r.Add(oracle.R(c.Count).Mul(oracle.ResponseRenyi(c.Epsilon, 2, 1, b.Alpha)))
	}
	// The conversion subtracts logarithms: 1e-12 is of the largest term.
	want := math.Max(0, convert(oracle.R(b.Alpha), r, left).Float())
	scale := math.Max(want, left.Log().Neg().Float()/(b.Alpha-1))
	if !(b.Epsilon >= want-1e-12*scale) || !(b.Epsilon <= want+1e-8*scale) {
		t.Errorf("%s = %.17g at α = %v, the theorem says %.17g", b.Method, b.Epsilon, b.Alpha, want)
	}
}

// K equal (ε, δ) releases: the optimal column is exact, the others lie above it, and
// the certified interval holds it.
func TestOptimalIsExact(t *testing.T) {
	check(t, 0.1, func(t *rapid.T) {
		epsilon0 := logDraw(t, "ε₀", 1e-4, 8)
		count := int(math.Round(logDraw(t, "K", 1, 1e6)))
		delta := drawDelta(t)
		delta0 := 0.0
		if rapid.Bool().Draw(t, "with δ₀") {
			delta0 = delta / float64(count) * logDraw(t, "δ₀/δ", 1e-6, 0.5)
		}
		stack := []accounting.Entry{{Release: accounting.ApproximateDP(epsilon0, delta0), Count: float64(count)}}
		target := accounting.Target{Delta: delta, Precision: 1e-2}
		bounds := accounting.ClosedForms(context.Background(), stack, target)
		if count <= 3000 && delta > 1e-200 {
			bounds = accounting.Compare(context.Background(), stack, target)
		}
		for _, b := range bounds {
			if b.Fault != nil {
				t.Fatal(b.Fault)
			}
			if b.Status != accounting.Valid {
				continue
			}
			at := func(epsilon float64) float64 { return oracle.PureDelta(epsilon0, delta0, count, epsilon) }
			if d := at(b.Epsilon * (1 + 1e-12)); d > b.Delta*(1+1e-9) {
				t.Errorf("ε₀ = %v, δ₀ = %v, K = %d: %s says %.17g at δ = %v, where δ is %.12g", epsilon0, delta0, count, b.Method, b.Epsilon, b.Delta, d)
			}
			if b.Method == accounting.Optimal && b.Epsilon > 0 {
				if d := at(b.Epsilon * (1 - 1e-7)); d < delta*(1-1e-6) && b.Epsilon < float64(count)*epsilon0*(1-1e-9) {
					t.Errorf("ε₀ = %v, δ₀ = %v, K = %d: optimal %.17g is not exact at δ = %v: %.12g a hair below", epsilon0, delta0, count, b.Epsilon, delta, d)
				}
			}
			if b.Method == accounting.Numerical && b.Lower > 0 {
				if d := at(b.Lower * (1 - 1e-12)); d < delta*(1-1e-9) && b.Lower < float64(count)*epsilon0*(1-1e-9) {
					t.Errorf("ε₀ = %v, δ₀ = %v, K = %d: the lower end %.17g is above the truth: δ = %.12g < %v", epsilon0, delta0, count, b.Lower, d, delta)
				}
			}
		}
	})
}

func drawSigma(t *rapid.T) float64 {
	sigma := rapid.SampledFrom([]float64{1e-3, 1e9, 0, 0, 0, 0}).Draw(t, "σ")
	note("σ = 1e-3", sigma == 1e-3)
	note("σ = 1e9", sigma == 1e9)
	if sigma == 0 {
		sigma = logDraw(t, "σ", 1e-3, 1e9)
	}
	return sigma
}

// Gaussian stacks from next to no noise to next to no signal: GDP is exact, the
// others lie above, the interval holds it.
func TestGaussians(t *testing.T) {
	check(t, 0.05, func(t *rapid.T) {
		var stack []accounting.Entry
		square := oracle.R(0)
		for range rapid.IntRange(1, 3).Draw(t, "entries") {
			sigma, count := drawSigma(t), drawCount(t)
			mu := 1 / sigma
			if mu*mu*count > 1e6 {
				count = math.Max(1, math.Round(1e6/(mu*mu)))
			}
			stack = append(stack, accounting.Entry{Release: accounting.GaussianDP(mu), Count: count})
			square = square.Add(oracle.R(mu).Mul(oracle.R(mu)).Mul(oracle.R(count)))
		}
		delta := drawDelta(t)
		mu := square.Sqrt()
		for _, b := range accounting.Compare(context.Background(), stack, accounting.Target{Delta: delta}) {
			if b.Fault != nil {
				t.Fatal(b.Fault)
			}
			if b.Status != accounting.Valid {
				continue
			}
			at := func(epsilon float64) float64 { return oracle.GaussianProfile(mu, oracle.R(epsilon)).Float() }
			if d := at(b.Epsilon * (1 + 1e-12)); d > b.Delta*(1+1e-9) {
				t.Errorf("μ = %v: %s says %.17g at δ = %v, where δ is %.12g", mu.Float(), b.Method, b.Epsilon, b.Delta, d)
			}
			low := b.Epsilon
			if b.Method == accounting.Numerical {
				low = b.Lower
			}
			if (b.Method == accounting.GDP || b.Method == accounting.Numerical) && low > 0 {
				if d := at(low * (1 - 1e-10)); d < delta*(1-1e-9) {
					t.Errorf("μ = %v: %s %.17g lies above the truth: δ = %.12g < %v", mu.Float(), b.Method, low, d, delta)
				}
			}
		}
	})
}
