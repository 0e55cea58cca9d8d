package spectrum

import (
	"context"
	"math"

	"epsiloscope/accounting/pld/loss"
)

// momentNodes is the most nodes of densities that one moment is worth.
const momentNodes = 1 << 13

// LogMoment returns ln E_P[e^{θL}] of the finite losses, θ > 0, and a bound on its error, +Inf if
// nothing is certified. Divided by θ it is the Rényi divergence of order 1 + θ. A first rule
// finds the scale. Where M is near 1 its logarithm is what counts, and a second rule is as much
// finer. Callers ask for one of many orders, so the rule is a short one.
func LogMoment(d *loss.Distribution, theta float64) (log, err float64) {
	scale, small := d.Peak(theta), 1.0
	for range 3 {
		on := []loss.Tilt{{Theta: theta, LogScale: scale, Tolerance: 1e-13 * small}}
		r := d.RuleWithin(context.Background(), on, len(d.Atoms)+momentNodes)
		t, _ := momentOf(context.Background(), r, theta, r.Err[0], scale)
		log, err = t.log, t.logErr-math.Log1p(-math.Min(1, t.rule))
		if math.IsNaN(log+err) || math.IsInf(log, 0) {
			return 0, math.Inf(1)
		}
		if err < 1e-9*math.Abs(log) || len(d.Densities) == 0 {
			break
		}
		scale, small = log, math.Max(1e-45, math.Min(1, math.Max(math.Abs(log), err)))
	}
	return log, err
}
