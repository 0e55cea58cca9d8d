package oracle_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/accounting/internal/oracle"
	"epsiloscope/internal/gauge"
)

// TestClosedFormsHoldInEveryDigit compares each closed form with its theorem in 320 bits, without any allowance: the
// float64 that is printed is at least the real number. Ten releases of ε = 0.1 at δ = 1e-6 were 4e-17 below by RDP.
func TestClosedFormsHoldInEveryDigit(t *testing.T) {
	look := gauge.OneIn(3)
	for _, epsilon := range []float64{0.001, 0.1, 0.3, 2.7} {
		for _, count := range []float64{1, 2, 10, 137, 1e4} {
			for _, delta := range []float64{0.1, 1e-3, 1e-6, 1e-15} {
				for _, stated := range []float64{0, delta / count / 10} {
					if look() {
						checkDigits(t, oracle.Cost{Epsilon: epsilon, Delta: stated, Count: count}, delta)
					}
				}
			}
		}
	}
}

func checkDigits(t *testing.T, c oracle.Cost, delta float64) {
	t.Helper()
	costs := []oracle.Cost{c}
	stack := []accounting.Entry{{Release: accounting.ApproximateDP(c.Epsilon, c.Delta), Count: c.Count}}
	got := map[accounting.Method]accounting.Bound{}
	for _, theorem := range accounting.Methods() { // one by one: together, ties get the smallest ε
		if m := theorem.Method; m != accounting.Numerical {
			got[m] = accounting.Evaluate(context.Background(), m, stack, accounting.Target{Delta: delta, Alpha: 8})
		}
	}
	hold := func(m accounting.Method, want oracle.Real) {
		b := got[m]
		// The plain sum of typed numbers keeps their digits: 10 × 0.1 is 1, though 0.1 in binary is larger.
		if b.Status == accounting.Valid && b.Epsilon != got[accounting.Basic].Epsilon &&
			oracle.R(b.Epsilon).Cmp(want) < 0 {
			t.Errorf("%+v, δ = %v: %s = %.17g at α = %v is %g of itself below its theorem", c, delta, m, b.Epsilon, b.Alpha,
				want.Sub(oracle.R(b.Epsilon)).Float()/b.Epsilon)
		}
	}
	left := oracle.Left(costs, delta)
	if want, ok := oracle.Advanced(costs, delta); ok {
		hold(accounting.Advanced, oracle.Min(want, oracle.Basic(costs)))
	}
	if want, ok := oracle.AdvancedKOV(costs, delta); ok {
		hold(accounting.AdvancedKOV, want)
	}
	e := oracle.R(c.Epsilon).Exp()
	rho := oracle.R(c.Count).Mul(oracle.R(c.Epsilon)).Mul(e.Sub(oracle.R(1)).Div(e.Add(oracle.R(1))))
	hold(accounting.ZCDPClassic, oracle.ConcentratedClassic(rho, left))
	if alpha := got[accounting.ZCDP].Alpha; alpha > 1 {
		hold(accounting.ZCDP, oracle.Tight(oracle.R(alpha), oracle.R(alpha).Mul(rho), left))
	}
	for m, convert := range map[accounting.Method]func(alpha, r, delta oracle.Real) oracle.Real{
		accounting.RDP: oracle.Tight, accounting.RDPPinned: oracle.Tight, accounting.RDPClassic: oracle.Classic} {
		if alpha := got[m].Alpha; !math.IsInf(alpha, 1) && alpha*c.Epsilon < 1e6 {
			r := oracle.R(c.Count).Mul(oracle.ResponseRenyi(c.Epsilon, 2, 1, alpha))
			hold(m, convert(oracle.R(alpha), r, left))
		}
	}
}

// responseDelta returns the exact δ at ε of Count randomized responses, after failures with probability Delta each
// (Kairouz, Oh & Viswanath 2015), in 320 bits.
func responseDelta(c oracle.Cost, epsilon float64) oracle.Real {
	each, at, one := oracle.R(c.Epsilon).Exp(), oracle.R(epsilon).Exp(), oracle.R(1)
	truth, lie := each.Div(one.Add(each)), one.Div(one.Add(each))
	powers := func(x oracle.Real) []oracle.Real {
		list := []oracle.Real{one}
		for range int(c.Count) {
			list = append(list, list[len(list)-1].Mul(x))
		}
		return list
	}
	truths, lies, kept := powers(truth), powers(lie), powers(one.Sub(oracle.R(c.Delta)))
	sum, binomial, k := oracle.R(0), one, int(c.Count)
	for j := 0; 2*j <= k; j++ {
		term := truths[k-j].Mul(lies[j]).Sub(at.Mul(truths[j]).Mul(lies[k-j]))
		if term.Sign() > 0 {
			sum = sum.Add(binomial.Mul(term))
		}
		binomial = binomial.Mul(oracle.R(float64(k - j))).Div(oracle.R(float64(j + 1)))
	}
	return one.Sub(kept[k]).Add(kept[k].Mul(sum))
}

// TestNoEndIsBelowTheTruth compares every method on equal releases, and on Gaussian noise, with the exact δ in 320
// bits, without any allowance: at the ε that is printed it is at most δ, and at the lower end of the interval at least.
func TestNoEndIsBelowTheTruth(t *testing.T) {
	look := gauge.OneIn(2)
	for _, epsilon := range []float64{0.01, 0.1, 1} {
		for _, count := range []float64{1, 2, 10, 137} {
			for _, delta := range []float64{1e-3, 1e-6, 1e-12} {
				if !look() {
					continue
				}
				c := oracle.Cost{Epsilon: epsilon, Delta: delta / count / 8, Count: count}
				stack := []accounting.Entry{{Release: accounting.ApproximateDP(c.Epsilon, c.Delta), Count: count}}
				holdEnds(t, fmt.Sprintf("%+v", c), stack, delta, func(epsilon float64) oracle.Real {
					return responseDelta(c, epsilon)
				})
				mu := oracle.R(count).Sqrt().Mul(oracle.R(epsilon))
				noise := []accounting.Entry{{Release: accounting.GaussianDP(epsilon), Count: count}}
				holdEnds(t, fmt.Sprintf("%v × μ %v", count, epsilon), noise, delta,
					func(epsilon float64) oracle.Real { return oracle.GaussianProfile(mu, oracle.R(epsilon)) })
			}
		}
	}
}

func holdEnds(t *testing.T, name string, stack []accounting.Entry, delta float64,
	at func(epsilon float64) oracle.Real) {
	t.Helper()
	for _, b := range accounting.Compare(context.Background(), stack, accounting.Target{Delta: delta}) {
		if b.Fault != nil {
			t.Fatal(b.Fault)
		}
		if b.Status != accounting.Valid || b.Method == accounting.Basic || b.By == accounting.Basic {
			continue
		}
		if off := at(b.Epsilon).Sub(oracle.R(delta)); off.Sign() > 0 {
			t.Errorf("%s, δ = %v: at %s %.17g δ is %g too large", name, delta, b.Method, b.Epsilon, off.Float())
		}
		if b.Method != accounting.Numerical || b.Lower == 0 {
			continue
		}
		if off := at(b.Lower).Sub(oracle.R(delta)); off.Sign() < 0 {
			t.Errorf("%s, δ = %v: at the lower end %.17g δ is %g too small", name, delta, b.Lower, -off.Float())
		}
	}
}
