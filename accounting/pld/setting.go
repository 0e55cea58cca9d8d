package pld

import "math"

// setting steers how a direction is multiplied out: a tilt, where the composed loss lies
// under it, and ln of the P-mass that may be moved to +∞ per release.
type setting struct{ theta, centre, spread, logTail float64 }

// aim chooses a setting for an interval of relative width w around ε.
func (d direction) aim(delta, w float64) setting {
	lost := d.lost(func(l line) float64 { return l.top })
	logDelta := math.Log(math.Max(delta-lost, delta*1e-9))
	total := 0.0
	for _, l := range d.lines {
		total += l.count
	}
	d.cut = 5 * math.Floor((logDelta+math.Log(w)-math.Log(total)-4)/5)
	c := saddle(d.weighted(), logDelta)
	return setting{theta: c.theta, centre: c.total.mean, spread: math.Sqrt(c.total.variance), logTail: d.cut}
}
