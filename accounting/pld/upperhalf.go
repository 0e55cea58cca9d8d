package pld

import "math"

// upperHalf is a law cut off at 0, for rules over the losses above it: a rule for all of
// them would not do, as the integrand ends there at once.
func upperHalf(l law) law {
	switch l := l.(type) {
	case rising:
		return upperRising{l.(law)}
	case gaussian:
		return upperGaussian{l}
	}
	return upperList{l}
}

type upperRising struct{ law }

func (u upperRising) rising() (lo, hi, logScale float64) {
	_, hi, logScale = u.law.(rising).rising()
	return 0, hi, logScale
}

func (u upperRising) nodes(alpha float64) []node {
	lo, hi, logScale := u.rising()
	return risingNodes(lo, hi, logScale, alpha)
}

type upperGaussian struct{ gaussian }

func (u upperGaussian) nodes(alpha float64) []node { return u.upperNodes(alpha) }

// upperList is a law without a continuous part: there is nothing to integrate.
type upperList struct{ law }

func (upperList) nodes(float64) []node { return nil }

// upperNodes is a rule for losses above 0, that is noise above μ/2: panels of eight
// Gauss–Legendre points. The nearest singularity of a sampled loss lies π/μ off the
// real axis, six half-widths of a panel, and over one the Gaussian weight is all but
// constant, so that eight points leave less than 1e-14.
func (g gaussian) upperNodes(alpha float64) []node {
	half := math.Min(0.2, 0.5/g.mu)
	const reach = 13.0
	if g.mu > widest { // half of a rule of which only the mass counts: all of it lies above 0
		return g.nodes(alpha)
	}
	var out []node
	sweep := func(from, to float64) {
		panels := math.Ceil((to - from) / (2 * half))
		for k := 0.0; k < panels; k++ {
			mid := from + half*(2*k+1)
			for i, x := range legendreX {
				for _, s := range [2]float64{-1, 1} {
					w := mid + s*x*half
					z := w - g.mu
					out = append(out, node{g.mu*w - g.mu*g.mu/2, -0.5*z*z - 0.5*math.Log(2*math.Pi) + math.Log(legendreW[i]*half)})
				}
			}
		}
	}
	zero, centre := g.mu/2, alpha*g.mu
	if centre < 1000 {
		sweep(zero, math.Max(zero, centre)+reach)
		return out
	}
	// Far apart, the mass lies near 0 and near αμ: see nodes.
	near := g.mu + 3*reach
	if far := math.Max(near, centre-3*reach); far > near {
		sweep(zero, near)
		sweep(far, centre+reach)
		return out
	}
	sweep(zero, centre+reach)
	return out
}
