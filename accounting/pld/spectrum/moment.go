package spectrum

import (
	"math"

	"epsiloscope/accounting/pld/loss"
)

// LogMoment is ln E_P[e^{θL}] of the finite losses, θ > 0, and a bound on its error, +Inf if
// nothing is certified. Divided by θ it is the Rényi divergence of order 1 + θ.
func LogMoment(d *loss.Distribution, theta float64) (log, err float64) {
	coarse := d.Coarse()
	c := cumulantsOf(coarse, theta)
	scale := math.Max(c.log, farModes(d, theta))
	err = math.Inf(1)
	for range 2 {
		small := 1.0
		if scale < 1 { // where M is near 1 its logarithm is what counts
			small = math.Max(1e-45, math.Min(1, math.Abs(math.Expm1(scale))))
		}
		line := loss.Line{Theta: theta, LogScale: scale, Tolerance: 1e-13 * small}
		r := d.Rule([]loss.Line{line})
		t := tiltRule(r, theta, 0, r.Err[0], scale)
		log, err = t.log, t.logErr-math.Log1p(-math.Min(1, t.rule))
		if err < 1e-9*math.Min(1, math.Abs(log)) || math.IsNaN(log) || math.IsInf(log, 0) {
			break
		}
		scale = log // the guess was far off
	}
	if math.IsNaN(log + err) {
		return 0, math.Inf(1)
	}
	return log, err
}

// farModes is about ln of what a large tilt makes of the far ends of normal densities,
// where a coarse rule has no nodes.
func farModes(d *loss.Distribution, theta float64) float64 {
	most := math.Inf(-1)
	for i := range d.Densities {
		most = math.Max(most, d.Densities[i].FarMode(theta))
	}
	return most
}
