package pld

import "math"

// composed is a composed loss on a lattice, tilted: entry i is the tilted mass at
// start + i·step; the P-mass there is p·e^{log − θ·loss}. Each entry is off by at
// most err, and beyond what the window holds there is at most above (below) tilted
// mass, part of which has been wrapped into the window.
type composed struct {
	p            []float64
	start, step  float64
	log          float64 // Σ K·ln M(θ)
	err          float64
	above, below float64
	relative     float64 // relative error of every mass from rounding the tilt
	whole        bool    // nothing was wrapped
	under        float64 // with whole: what lies below, moved up to the start
}

func (c composed) loss(i int) float64 { return c.start + float64(i)*c.step }
func (c composed) end() float64       { return c.start + float64(len(c.p))*c.step }

// table is a composed loss prepared for reading its curve at many ε.
//
// With v = Σ p̃·e^{−(θ+1)(S−S_i)} over S ≥ S_i and d the same sum of
// e^{−θ(S−S_i)} − e^{−(θ+1)(S−S_i)}, the curve between S_{i−1} and S_i is
// e^{log−θS_i}(d − (e^{ε−S_i} − 1)·v): sums of positive terms, nothing cancels.
type table struct {
	composed
	d, v []float64
}

func (c composed) tabulate(theta float64, upper bool) *table {
	t := &table{composed: c, d: make([]float64, len(c.p)), v: make([]float64, len(c.p))}
	r1, r2, fall := math.Exp(-theta*c.step), math.Exp(-(theta+1)*c.step), -math.Expm1(-c.step)
	var d, v float64
	for i := len(c.p) - 1; i >= 0; i-- {
		p := math.Max(0, c.p[i]-c.err)
		if upper {
			p = math.Max(0, c.p[i]+c.err)
			if i == 0 {
				p += c.under
			}
		}
		d, v = r1*(d+fall*v), p+r2*v
		t.d[i], t.v[i] = d, v
	}
	return t
}

func (t *table) curve(theta, epsilon float64, upper bool) float64 {
	i := math.Max(0, math.Floor((epsilon-t.start)/t.step)+1) // first point above ε
	sum := 0.0
	if i < float64(len(t.p)) {
		s := t.loss(int(i))
		sum = math.Exp(t.log-theta*s) * (t.d[int(i)] - math.Expm1(math.Min(0, epsilon-s))*t.v[int(i)])
	}
	if upper {
		sum += math.Exp(t.log-theta*math.Max(epsilon, t.end()))*t.above + t.hidden(theta, epsilon)
		return sum * (1 + t.slack())
	}
	charge := 0.0
	if !t.whole {
		charge = math.Exp(t.log-theta*epsilon) * (t.above + t.below) / (1 + theta)
	}
	return math.Max(0, (sum-charge)*(1-t.slack()))
}

// hidden bounds what lies between ε and the window, if ε is below it, or was wrapped from
// there to far above, where it counts for nothing: tilted mass m at S > ε weighs at most
// max_x e^{−θx}(1 − e^{−x}) ≤ 1/(1+θ) relative to m·e^{log−θε}. With whole it was moved up.
func (c composed) hidden(theta, epsilon float64) float64 {
	if epsilon >= c.start || c.whole || c.below == 0 {
		return 0
	}
	return math.Exp(c.log-theta*epsilon) * c.below / (1 + theta)
}

// slack is the relative error of a sum over the window: three roundings a point at most.
func (c composed) slack() float64 { return c.relative + 1e-10 + 4*ulp*float64(len(c.p)) }

// logWeight is ln of all mass weighted by e^{θS}, the errors added.
func (c composed) logWeight(float64) float64 {
	total := c.above + c.below + c.under
	for _, p := range c.p {
		total += math.Max(0, p+c.err)
	}
	return c.log + math.Log(total) + 1e-9
}
