package certify

import (
	"math"
	"time"

	"epsiloscope/certificate"
)

// work counts what a check computes: values of normal distributions, other values of f or of events, and points of
// products.
type work struct{ normal, other, products float64 }

// estimateWork returns the work of a check of the certificate.
func estimateWork(c *certificate.Certificate, withLower bool) (w work) {
	pairs, g := estimateReleases(c)
	isDirected := false
	for _, p := range pairs {
		isDirected = isDirected || p.isSampled
	}
	for _, p := range pairs {
		low, high := g.window(p, false)
		points, runs := float64(high-low), 1.0
		if isDirected {
			runs = 2
		}
		values := runs * points
		if withLower {
			runs++
			values += 2*points + math.Min(points, 256)*float64(g.tests-1)
		}
		if p.kind == "fixed_batch_gaussian" {
			values *= 2 // f is computed from two events
		}
		if p.m > 0 {
			w.normal += values
		} else {
			w.other += values
		}
		_, _, variance := moments([]estimatedList{g.upperList(p, false)}, g.step, 0)
		variance /= p.count
		deviations := 2 * math.Sqrt(-2*math.Log(g.cut))
		for copies := 2.0; copies <= p.count; copies *= 2 {
			w.products += 1.5 * runs * math.Min(copies*points, deviations*math.Sqrt(copies*variance)/g.step)
		}
	}
	return w
}

// duration returns about how long check.py takes: measured on the bundled scenarios, on one core of an ordinary
// machine.
func (w work) duration() time.Duration {
	seconds := 0.1 + 4e-4*w.normal + 1.2e-4*w.other + 8e-6*w.products
	return time.Duration(seconds * float64(time.Second))
}
