package adaptive

// Odometer is a figure that holds at all times at once: it may be quoted when one
// stops by looking. Its parameters are fixed before the first release.
type Odometer struct {
	Name   string
	Source string
	// At is the ε that may be quoted for a sum of costs, rounded up.
	At func(sum Cost) float64

	words string // the sense in which it holds, where it is another than usual
}

// Sense says what the figure u of an odometer means, for the sum it is quoted at.
func (o Odometer) Sense(sum Cost) string {
	switch {
	case o.words != "":
		return o.words
	case sum.failures().Sign() > 0:
		return "some releases state an (ε, δ) with δ > 0, so it holds in this sense: for every event S, P(S) ≤ E_Q[e^u·1_S] + δ, with u the figure at the time of stopping"
	}
	return "with probability 1 − δ the privacy loss is at most this figure at every time at once"
}

// nothing is what an odometer shows before the first release.
func nothing(sum Cost) bool {
	for _, part := range sum.Parts {
		if part.Sign() > 0 {
			return false
		}
	}
	return true
}

// odometerMargin covers the rounding of the formulas.
const odometerMargin = 1e-13

// varianceOdometer is the line or the mixture, on V = the variance times the sum.
func varianceOdometer(p Promise, variance float64) Odometer {
	o := Odometer{Name: "line", Source: lineSource}
	curve := func(v float64) float64 { return Line(v, p.Epsilon, p.left()) }
	if p.Odometer == "mixture" {
		o.Name, o.Source = "one-sided mixture", oneSidedSource
		gamma := lineVariance(p.Epsilon, p.left())
		curve = func(v float64) float64 { return OneSidedMixture(v, gamma, p.left()) }
	}
	o.At = func(sum Cost) float64 {
		if nothing(sum) {
			return 0
		}
		return curve(variance*float(sum.part(0), Unit)) * (1 + odometerMargin)
	}
	return o
}
