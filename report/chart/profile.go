package chart

import (
	"errors"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/report/curve"
)

// Profile is δ against ε for the whole stack: the certified upper curve of the
// numerical accountant if opt.Numerical asks for it, and every closed profile that
// applies. The scenario's δ and its budget are marked.
var Profile = Kind{"profile", "privacy profile δ(ε): δ against ε, by method", "method numerical", true, profile}

func profile(v *view) (Chart, error) {
	p, err := v.profiles()
	if err != nil {
		return Chart{}, err
	}
	c := Chart{
		Title: "privacy profile δ(ε)",
		X:     Axis{Label: "ε", Min: 0, Max: unset, Upper: true}, // a larger ε needs no larger δ
		Y:     Axis{Label: "δ", Log: true, Min: p.least, Max: 1, Upper: true},

		Rivals: true,
	}
	p.addSteepPoints()
	for _, q := range p.curves {
		c.Series = append(c.Series, Series{Name: string(q.method), X: q.Epsilon, Y: q.onLogAxis(p.least / 10)})
	}
	if d := v.Budget.Delta; d > 0 {
		c.Marks = append(c.Marks, Horizontal(d, ""))
		c.markProfile(p, d, v.Budget.Epsilon)
	}
	if e := v.Budget.Epsilon; e > 0 {
		c.Marks = append(c.Marks, Mark{X: e, Y: unset, Label: "budget " + report.FormatGiven(e), Alert: true})
	}
	c.Notes = p.notes
	return c, nil
}

// markProfile marks the least ε at δ, which is the answer, and ends the axes not far from it: at most five times that
// ε to the right, with the budget and the theorems within that, and three decades below δ.
func (c *Chart) markProfile(p *profileSet, delta, budget float64) {
	least := math.Inf(1)
	if p.answer.Finite() {
		least = p.answer.Epsilon
	}
	for _, q := range p.curves {
		least = math.Min(least, q.EpsilonAt(delta))
	}
	if math.IsInf(least, 1) || !(least > 0) {
		return
	}
	c.Read = least
	c.Marks = append(c.Marks, Mark{X: least, Y: delta, Label: "ε = " + report.Upper(least) + " at δ = " +
		report.FormatGiven(delta), Answer: true})
	end, far := 1.5*least, maxScaleMultiple*least
	if budget <= far {
		end = math.Max(end, 1.1*budget)
	}
	for _, q := range p.curves {
		if e := q.EpsilonAt(delta); e <= far {
			end = math.Max(end, 1.1*e)
		}
	}
	c.Focus, c.Y.Min = end, math.Max(p.least, delta/1000)
}

// profileSet is every profile of a stack on one grid of ε.
type profileSet struct {
	stack  []accounting.Entry
	curves []methodCurve
	answer accounting.Bound // the best closed form at the scenario's δ, of those asked for
	least  float64          // smallest δ of interest
	notes  []string
}

type methodCurve struct {
	method accounting.Method
	curve.Table
}

// dropsToZero returns the place from which on δ is 0, if it is positive before.
func (q methodCurve) dropsToZero() (place int, ok bool) {
	for i := 1; i < len(q.Delta); i++ {
		if q.Delta[i] == 0 && q.Delta[i-1] > 0 {
			return i, true
		}
	}
	return 0, false
}

// onLogAxis returns δ for a logarithmic axis, which has no 0: where δ becomes 0 the curve goes down to the floor, which
// is an upper bound too, and ends.
func (q methodCurve) onLogAxis(floor float64) []float64 {
	ys := curve.ValuesOver(q.Delta, positiveOrGap)
	if i, ok := q.dropsToZero(); ok {
		ys[i] = floor
	}
	return ys
}

// addSteepPoints adds points to all curves where one falls by more than two decades from point to point. δ falls there
// like ε* − ε, and a straight line on a logarithmic axis would lie far below it; the points are on the chord in e^ε, an
// upper bound.
func (p *profileSet) addSteepPoints() {
	const twoDecades = 1e-2
	var places []float64
	for _, q := range p.curves {
		for i := 1; i < len(q.Delta); i++ {
			if !(q.Delta[i] < twoDecades*q.Delta[i-1]) {
				continue
			}
			end, step := q.Epsilon[i], q.Epsilon[i]-q.Epsilon[i-1]
			for share := 0.1; share > 1e-12 && end-share*step < end; share /= 10 {
				places = append(places, end-share*step)
				if q.At(end-share*step) < math.Max(q.Delta[i]/twoDecades, p.least/10) {
					break
				}
			}
		}
	}
	for k := range p.curves {
		t := &p.curves[k].Table
		for _, x := range places {
			if x < t.Epsilon[len(t.Epsilon)-1] {
				t.Insert(x, t.At(x))
			}
		}
	}
}

// profiles computes the curves. The numerical one, if asked for, comes first: its
// points are the grid for the others. Without it each closed one passes through the theorem's bound in the comparison.
func (v *view) profiles() (*profileSet, error) {
	stack, err := v.releases()
	if err != nil {
		return nil, err
	}
	target := v.target()
	p := &profileSet{stack: stack, least: leastOfInterest(target.Delta)}
	var grid []float64
	if v.Numerical && v.wants(accounting.Numerical) {
		curve, note := numericalProfile(v, stack, target, p.least)
		if note != "" {
			p.notes = append(p.notes, note)
		} else {
			grid = curve.Epsilon
			p.curves = append(p.curves, methodCurve{accounting.Numerical, curve})
		}
	}
	bounds := slices.DeleteFunc(accounting.ClosedForms(v, stack, target), func(b accounting.Bound) bool {
		return !v.wants(b.Method) || b.Status != accounting.Valid || !(b.Delta > 0)
	})
	if best := accounting.Best(bounds); best >= 0 {
		p.answer = bounds[best]
	}
	for _, closed := range closedProfiles(v, stack, target) {
		if !v.wants(closed.method) {
			continue
		}
		if grid == nil {
			end := closed.rightEnd(p.least)
			grid = curve.LineSpace(0, end, v.points())
			for _, b := range bounds {
				grid = append(grid, math.Min(b.Epsilon, end))
			}
			grid = curve.SortDistinct(grid)
		}
		at := slices.Clone(grid)
		if target.Delta > 0 {
			at = append(at, closed.pointsBeyond(grid, p.least)...)
		}
		table := curve.Table{Epsilon: at, Delta: v.valuesOver(at, closed.delta)}
		for _, b := range bounds {
			if b.Method == closed.method && slices.Contains(grid, b.Epsilon) {
				table.Insert(b.Epsilon, b.Delta) // only δ changes: there is such a point
			}
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

// leastOfInterest returns the end of the δ axis: some decades below the scenario's δ.
func leastOfInterest(delta float64) float64 {
	if !(delta > 0) {
		return 1e-12
	}
	return math.Max(1e-290, math.Min(1e-3, delta)*1e-4)
}

// numericalProfile reads δ off the certified profile at equal steps of ε and at its corners, from 0 to where δ is
// down to the least of interest. The bound of the comparison is one of the points.
func numericalProfile(v *view, stack []accounting.Entry, target accounting.Target, least float64) (t curve.Table,
	note string) {
	refuse := func(reason string) (curve.Table, string) {
		return curve.Table{}, "no numerical profile: " + report.LowerFirst(reason)
	}
	profile, err := v.certifiedProfile()
	if err == nil {
		err = profile.LowerEndError()
	}
	if err != nil {
		return refuse(err.Error())
	}
	end, err := profileEnd(v, profile, stack, least)
	if err != nil {
		return refuse(err.Error())
	}
	at := curve.SortDistinct(append(curve.LineSpace(0, end, 2*min(v.points(), 40)),
		accounting.ProfileCorners(v, stack)...))
	ends, err := profile.Deltas(v, at)
	if err != nil {
		return refuse(err.Error())
	}
	for i, e := range at {
		if e <= end || ends[i].Upper > 0 { // beyond the end, the corner at a stated δ
			t.Insert(e, ends[i].Upper)
		}
	}
	if b := accounting.Evaluate(v, accounting.Numerical, stack,
		withFinePrecision(target)); b.Status == accounting.Valid && b.Finite() && target.Delta > 0 {
		t.Insert(b.Epsilon, target.Delta)
	}
	return t, ""
}

// profileEnd returns the ε at which δ is down to the least of interest or, if it never is, the last ε of the
// certified profile.
func profileEnd(v *view, profile *accounting.Profile, stack []accounting.Entry, least float64) (float64, error) {
	const rough = 1e-2
	b := accounting.Evaluate(v, accounting.Numerical, stack, accounting.Target{Delta: least, Precision: rough})
	if b.Status == accounting.Valid && b.Finite() && b.Epsilon > 0 {
		return b.Epsilon, nil
	}
	known, _, err := profile.UpperPoints(v)
	if err != nil {
		return 0, err
	}
	return known[len(known)-1], nil
}
