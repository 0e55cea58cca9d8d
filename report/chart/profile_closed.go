package chart

import (
	"context"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/special"
	"epsiloscope/report/curve"
)

// closedProfile is a theorem read as δ(ε).
type closedProfile struct {
	method    accounting.Method
	delta     func(epsilon float64) float64
	epsilonAt func(delta float64) float64 // ε at δ
}

// rightEnd returns the ε at the smallest δ of interest; 10 if that is not finite.
func (c closedProfile) rightEnd(least float64) float64 {
	if e := c.epsilonAt(least); e > 0 && !math.IsInf(e, 1) {
		return e
	}
	return 10
}

// pointsBeyond continues a grid by its mean step, to where the theorem's δ is down to the smallest of interest, but at
// most to five times its end.
func (c closedProfile) pointsBeyond(grid []float64, least float64) (xs []float64) {
	n := len(grid)
	if n < 2 {
		return nil
	}
	last := grid[n-1]
	step, end := (last-grid[0])/float64(n-1), math.Min(c.rightEnd(least), maxScaleMultiple*last)
	for x := last; x < end; {
		x = last + float64(len(xs)+1)*step
		xs = append(xs, x)
	}
	return xs
}

func closedProfiles(ctx context.Context, stack []accounting.Entry, target accounting.Target) []closedProfile {
	var list []closedProfile
	if mu, ok := curve.GaussianSum(stack); ok {
		list = append(list, closedProfile{accounting.GDP,
			func(e float64) float64 { return accounting.GaussianToDelta(mu, e) },
			func(d float64) float64 { return accounting.GaussianToEpsilon(mu, d) }})
	}
	if responses, err := accounting.Responses(stack); err == nil {
		list = append(list, closedProfile{accounting.Optimal,
			func(e float64) float64 {
				_, delta, err := accounting.DeltaAt(ctx, responses, e, target.Precision)
				if err != nil {
					return unset
				}
				return delta
			},
			func(d float64) float64 {
				t := target
				t.Delta = d
				return epsilonOf(ctx, accounting.Optimal, stack, t)
			}})
	}
	for _, m := range []accounting.Method{accounting.RDP, accounting.ZCDP} {
		at := func(d float64) float64 {
			t := target
			t.Delta = d
			return epsilonOf(ctx, m, stack, t)
		}
		if m == accounting.RDP {
			at = renyiProfile(stack)
		}
		if at == nil || math.IsInf(at(0.5), 1) {
			continue
		}
		list = append(list, closedProfile{m, func(e float64) float64 { return leastDelta(at, e) }, at})
	}
	return list
}

// renyiProfile returns ε at δ by the Rényi curve, which is computed once on a fixed set
// of orders: every order gives a bound, so missing the best one errs upward.
func renyiProfile(stack []accounting.Entry) func(delta float64) float64 {
	whole := accounting.Composite(stack)
	alphas := append(curve.LogSpace(1e-4, 1e6, 160), math.Inf(1))
	divergences := make([]float64, len(alphas))
	for i := range alphas {
		alphas[i]++
		r, err := whole.Renyi(alphas[i])
		if err != nil {
			return nil
		}
		divergences[i] = r
	}
	return accounting.RenyiCurveToEpsilon(alphas, divergences)
}

// leastDelta returns the smallest δ whose ε, by a theorem, is at most the one given:
// bisection on ln δ that ends on the safe side. It is NaN where even δ near 1 does
// not do.
func leastDelta(epsilonAt func(delta float64) float64, epsilon float64) float64 {
	low, high := math.Log(1e-300), math.Log(1-1e-9)
	if !(epsilonAt(math.Exp(high)) <= epsilon) {
		return unset
	}
	switch {
	case epsilonAt(0) <= epsilon:
		return 0
	case epsilonAt(math.Exp(low)) <= epsilon:
		return math.Exp(low)
	}
	_, high = special.Bisect(low, high, 1e-6, func(log float64) bool { return epsilonAt(math.Exp(log)) > epsilon })
	return math.Exp(high)
}
