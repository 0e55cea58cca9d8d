package pld

import (
	"math"

	"epsiloscope/accounting/special"
)

// closedForm answers the stacks that need no grid: nothing at all, one Gaussian (all
// Gaussians are one), and a single release, whose ε is read off its curve.
func (s directions) closedForm(delta float64, noForm bool) (Interval, bool) {
	single, empty := true, true
	for _, d := range s {
		_, one := d.single()
		single = single && (one || len(d.lines) == 0)
		empty = empty && len(d.lines) == 0
	}
	if empty {
		return Interval{Form: "an empty stack", Direction: "both"}, true
	}
	for _, d := range s {
		certain, possible := d.lost()
		if ceiling := d.ceiling(); math.Abs(possible-delta) <= 8*ulp*delta && !math.IsInf(ceiling, 1) && len(s) == 1 {
			note := "the stated failure probabilities are just as large as δ, so the largest loss is left"
			// From below the last place of δ may be worth much: there one release must do.
			return Interval{Lower: d.oneRelease(delta), Upper: ceiling, Direction: d.name, Form: "the largest loss", Note: note}, true
		}
		if certain*(1-8*ulp) > delta {
			note := "the stated failure probabilities alone exceed δ"
			return Interval{Lower: math.Inf(1), Upper: math.Inf(1), Direction: d.name, Form: "mass at infinite loss", Note: note}, true
		}
	}
	if noForm || !single {
		return Interval{}, false
	}
	form := "the curve of a single release"
	for _, d := range s {
		d.known.Upper = 0
		if l, ok := d.single(); ok {
			d.known.Lower, d.known.Upper = invert(l, delta)
			if l.family == "gaussian" {
				form = "all Gaussians are one Gaussian"
			}
		}
	}
	out := s.interval()
	out.Form = form
	out.Budget.Roundoff = out.Upper - out.Lower
	return out, true
}

// invert finds the ε ≥ 0 at which a curve meets δ, from both sides.
func invert(l *law, delta float64) (lower, upper float64) {
	const slack = 1e-11 // relative error of LogDelta, generously
	goal := special.Log(delta)
	below := func(e float64) bool { return l.LogDelta(e) <= goal-slack*(1+math.Abs(goal)) }
	above := func(e float64) bool { return l.LogDelta(e) >= goal+slack*(1+math.Abs(goal)) }
	if below(0) {
		return 0, 0
	}
	hi := 1.0
	for i := 0; i < 1100 && !below(hi); i++ {
		hi *= 2
	}
	upper = math.Inf(1)
	if below(hi) {
		_, upper = special.Bisect(0, hi, 0, func(e float64) bool { return !below(e) })
	}
	switch {
	case !above(0):
		return 0, upper
	case above(hi): // more is lost than δ
		return math.Inf(1), upper
	}
	lower, _ = special.Bisect(0, math.Min(upper, hi), 0, above)
	return lower, upper
}
