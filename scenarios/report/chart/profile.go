package chart

import (
	"context"
	"errors"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/special"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/curve"
)

// Profile is δ against ε for the whole stack: the certified upper curve of the
// numerical accountant if opt.Numerical asks for it, and every closed profile that
// applies. The scenario's δ and its budget are marked.
func Profile(ctx context.Context, s *scenarios.Scenario, opt Options) (Chart, error) {
	p, err := profiles(ctx, s, opt)
	if err != nil {
		return Chart{}, err
	}
	c := Chart{
		Title: "δ against ε",
		X:     Axis{Label: "ε", Min: 0, Max: unset},
		Y:     Axis{Label: "δ", Log: true, Min: p.least, Max: 1, Upper: true},
	}
	for _, curve := range p.curves {
		ys := append([]float64(nil), curve.Delta...)
		for i, y := range ys {
			if !(y > 0) { // a log axis has no 0
				ys[i] = unset
			}
		}
		c.Series = append(c.Series, Series{Name: string(curve.method), X: curve.Epsilon, Y: ys})
	}
	if d := s.Budget.Delta; d > 0 {
		c.Marks = append(c.Marks, Mark{X: unset, Y: d, Label: "δ = " + report.Short(d)})
		c.Read = p.curves[0].EpsilonAt(d)
	}
	if e := s.Budget.Epsilon; e > 0 {
		c.Marks = append(c.Marks, Mark{X: e, Y: unset, Label: "budget " + report.Short(e), Alert: true})
	}
	c.Notes = p.notes
	return c, nil
}

// profileSet is every profile of a stack on one grid of ε.
type profileSet struct {
	curves []methodCurve
	least  float64 // smallest δ of interest
	notes  []string
}

type methodCurve struct {
	method accounting.Method
	curve.Table
}

// profiles computes the curves. The numerical one, if asked for, comes first: its
// points are the grid for the others.
func profiles(ctx context.Context, s *scenarios.Scenario, opt Options) (*profileSet, error) {
	stack, err := curve.Stack(s)
	if err != nil {
		return nil, err
	}
	target := opt.target(s)
	p := &profileSet{least: leastOfInterest(target.Delta)}
	var grid []float64
	if opt.Numerical && opt.wants(accounting.Numerical) {
		curve, note, err := numericalProfile(ctx, stack, target, p.least, opt.points())
		if err != nil {
			return nil, err
		}
		if note != "" {
			p.notes = append(p.notes, note)
		} else {
			grid = curve.Epsilon
			p.curves = append(p.curves, methodCurve{accounting.Numerical, curve})
		}
	}
	for _, closed := range closedProfiles(ctx, stack, target) {
		if !opt.wants(closed.method) {
			continue
		}
		if grid == nil {
			grid = curve.LineSpace(0, closed.rightEnd(p.least), opt.points())
		}
		table := curve.Table{Epsilon: grid}
		for _, e := range grid {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			table.Delta = append(table.Delta, closed.delta(e))
		}
		p.curves = append(p.curves, methodCurve{closed.method, table})
	}
	if len(p.curves) == 0 {
		if len(p.notes) > 0 {
			return nil, errors.New(p.notes[0])
		}
		return nil, errors.New("no theorem gives this stack a profile: its releases have neither a Rényi curve, nor a ρ, nor an (ε, δ) in common")
	}
	return p, nil
}

// leastOfInterest is where the δ axis ends: some decades below the scenario's.
func leastOfInterest(delta float64) float64 {
	if !(delta > 0) {
		return 1e-12
	}
	return math.Max(1e-290, math.Min(1e-3, delta)*1e-4)
}

// numericalProfile asks the numerical accountant for δ at ε = 0, and for ε at δ from there
// down. Each point (ε upper, δ) is certified.
func numericalProfile(ctx context.Context, stack []accounting.Entry, target accounting.Target, least float64, n int) (curve.Table, string, error) {
	var t curve.Table
	start := 0.999
	if _, distance, err := accounting.DeltaAt(ctx, stack, 0, target.Precision); err == nil && distance < start {
		t.Epsilon, t.Delta = []float64{0}, []float64{distance}
		start = math.Max(distance, least)
	}
	deltas := append(curve.LogSpace(least, math.Min(start, 0.5), min(n, 40)), start)
	if target.Delta > least && target.Delta < start { // what is asked for is a point of the curve
		deltas = append(deltas, target.Delta)
	}
	for _, delta := range curve.Reversed(curve.SortedDistinct(deltas)) {
		if err := ctx.Err(); err != nil {
			return t, "", err
		}
		at := target
		if at.Delta = delta; delta == target.Delta {
			at = finely(at)
		}
		b := accounting.Evaluate(ctx, accounting.Numerical, stack, at)
		if !b.Finite() {
			if len(t.Epsilon) > 0 {
				return t, "", nil // the curve ends at a mass of infinite loss
			}
			return t, "no numerical profile: " + b.Note, ctx.Err()
		}
		if last := len(t.Epsilon) - 1; last >= 0 && b.Epsilon <= t.Epsilon[last] {
			t.Delta[last] = math.Min(t.Delta[last], delta) // the same ε at a smaller δ
			continue
		}
		t.Epsilon = append(t.Epsilon, b.Epsilon)
		t.Delta = append(t.Delta, delta)
	}
	return t, "", nil
}

// closedProfile is a theorem read as δ(ε).
type closedProfile struct {
	method accounting.Method
	delta  func(epsilon float64) float64
	at     func(delta float64) float64 // ε at δ
}

// rightEnd is the ε at the smallest δ of interest; 10 if that is not finite.
func (c closedProfile) rightEnd(least float64) float64 {
	if e := c.at(least); e > 0 && !math.IsInf(e, 1) {
		return e
	}
	return 10
}

func closedProfiles(ctx context.Context, stack []accounting.Entry, target accounting.Target) []closedProfile {
	var list []closedProfile
	if mu, ok := curve.GaussianSum(stack); ok {
		list = append(list, closedProfile{accounting.GDP,
			func(e float64) float64 { return accounting.GaussianToDelta(mu, e) },
			func(d float64) float64 { return accounting.GaussianToEpsilon(mu, d) }})
	}
	for _, m := range []accounting.Method{accounting.Optimal, accounting.RDP} {
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
	if rho, ok := curve.ConcentratedSum(stack); ok {
		list = append(list, closedProfile{accounting.ZCDP,
			func(e float64) float64 { return accounting.ConcentratedToDelta(rho, e) },
			func(d float64) float64 { e, _ := accounting.ConcentratedToEpsilon(rho, d); return e }})
	}
	return list
}

// renyiProfile is ε at δ by the Rényi curve, which is computed once on a fixed set
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
	return func(delta float64) float64 {
		least := math.Inf(1)
		for i, alpha := range alphas {
			least = math.Min(least, accounting.RenyiToEpsilon(alpha, divergences[i], delta))
		}
		return least
	}
}

// leastDelta is the smallest δ whose ε, by a theorem, is at most the one given:
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
