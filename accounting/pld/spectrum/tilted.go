package spectrum

import (
	"context"
	"math"

	"epsiloscope/accounting/pld/fft"
	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/special"
)

// tilted is a loss at a tilt, prepared for its characteristic function.
type tilted struct {
	cumulants
	w, x   []float64 // of the nodes: tilted weights, losses minus the mean
	werr   []float64 // round-off of each weight,
	xerr   []float64 // and of each loss, times the weight
	rule   float64   // error of the rule relative to M(θ)
	slope  float64   // by how much that error grows per unit of ω
	sigma  float64   // |1 − Σ w|
	tau    float64   // |mean − Σ w·ℓ|
	away   float64   // Σ of 2·w over nodes left out,
	awayX  float64   // and of w·|x|
	spread float64   // Σ w·x²
}

// momentOf returns M(θ) of a rule whose error is err relative to e^{scale}: its cumulants and the errors of the rule,
// without the nodes. The rule returned has those of which M(θ) is the sum.
func momentOf(ctx context.Context, r loss.Rule, theta, err, scale float64) (tilted, loss.Rule) {
	t := tilted{cumulants: cumulantsOf(ctx, r, theta)}
	if t.plain {
		r = completeRule(r)
		t.cumulants = plainCumulants(ctx, r, theta)
	}
	t.rule = (err*math.Exp(scale-t.log) + r.Slack*(1+theta)*math.Exp(-t.log)) * (1 + 1e-9)
	t.slope = r.Slack * math.Exp(-t.log)
	if t.plain { // the nodes' own P- and Q-mass are not exactly those of the distribution
		p, q, pErr, qErr := masses(r)
		off := math.Abs(1-r.Top-p) + pErr
		offQ := math.Abs((q+r.Bottom)-(p+r.Top)) + pErr + qErr
		t.rule += (off + theta*offQ) * math.Exp(-t.log)
		t.slope += offQ * math.Exp(-t.log)
	}
	return t, r
}

// tiltRule tilts a rule whose error is err relative to e^{scale}.
func tiltRule(ctx context.Context, r loss.Rule, theta, err, scale float64) tilted {
	t, r := momentOf(ctx, r, theta, err, scale)
	n := len(r.Nodes)
	back := make([]float64, 4*n)
	t.w, t.x, t.werr, t.xerr = back[:0:n], back[n:n:2*n], back[2*n:2*n:3*n], back[3*n:3*n]
	var mass, first special.Adder
	var massErr, firstErr float64
	for i, node := range r.Nodes {
		if fft.IsCancelled(ctx, i) {
			t.cumulants = unknown
			return t
		}
		w, relative := tiltedWeight(node, theta, t.log)
		x := node.Loss - t.mean
		if w < 1e-48 {
			t.away += 2 * w
			t.awayX += w * math.Abs(x)
			continue
		}
		t.w, t.x = append(t.w, w), append(t.x, x)
		t.werr = append(t.werr, w*relative)
		t.xerr = append(t.xerr, w*care*unit*(node.LossErr+math.Abs(node.Loss)+math.Abs(x)))
		mass.Add(w)
		first.Add(w * node.Loss)
		massErr += w * relative
		firstErr += w * (math.Abs(node.Loss)*relative + care*unit*node.LossErr)
		t.spread += w * x * x
	}
	t.sigma = math.Abs(1-mass.Sum()) + massErr + t.away + t.logErr
	t.tau = math.Abs(t.mean-first.Sum()) + firstErr + t.meanErr + t.awayX + t.away*math.Abs(t.mean)
	return t
}

// phi is a value of the characteristic function φ of a tilted distribution around its mean: ln|φ|, the
// angle, and a bound on the absolute error of φ.
type phi struct{ log, angle, err float64 }

// value is φ at a frequency, and what any power of it needs.
type value struct {
	phi
	most   float64 // a bound of ln|φ|
	logErr float64 // a bound on the error of ln φ; +Inf if the error is more than half of |φ|
}

// value returns φ with its derived numbers. The error of φ is absolute, so the logarithm is off by at most
// −ln(1 − err/|φ|).
func (p phi) value() value {
	v := value{phi: p, most: p.atMost(), logErr: math.Inf(1)}
	if relative := p.err * math.Exp(-p.log); relative < 0.5 {
		v.logErr = -math.Log1p(-relative) + care*unit*(math.Abs(p.log)+math.Abs(p.angle))
	}
	return v
}

// phi returns φ at ω.
//
// With x = ℓ − mean it is 1 + Σ w(e^{iωx} − 1 − iωx): the weights add up to 1 and the mean of x
// is 0. Both are known from the cumulants to the precision of second-order sums, so the
// constant and the linear term are left out term by term, and K·ω·round-off never enters.
// For the numbers at hand Σ w = 1 − σ and Σ wℓ = mean − τ, which leaves
// σ(e^{−iωm} − 1 + iωm) + iωτ(e^{−iωm} − 1): charged.
func (t *tilted) phi(ctx context.Context, omega float64) phi {
	a, b, err := t.centredPhi(ctx, omega)
	return phi{
		logAbs(a, b), math.Atan2(b, 1+a),
		err + t.common(omega) + t.displacementError(omega),
	}
}

// logAbs returns ln|1 + a + ib|: by a and b where that is near 0, and else, also next to where the
// modulus is 0, by the modulus, in which nothing cancels.
func logAbs(a, b float64) float64 {
	if square := 2*a + a*a + b*b; square > -0.5 {
		return 0.5 * math.Log1p(square)
	}
	return math.Log(math.Hypot(1+a, b))
}

// centredPhi returns Σ w(e^{iωx} − 1 − iωx), with a bound on its round-off.
func (t *tilted) centredPhi(ctx context.Context, omega float64) (a, b, err float64) {
	var size, byWeight, byLoss float64
	for i, w := range t.w {
		if fft.IsCancelled(ctx, i) {
			return 0, 0, math.Inf(1)
		}
		y := omega * t.x[i]
		sin, cos := math.Sincos(y / 2)
		re, im := 2*sin*sin, sinm1(y, 2*sin*cos)
		a -= w * re
		b += w * im
		size += w * math.Abs(im)
		byWeight += t.werr[i] * (re + math.Abs(im))
		byLoss += t.xerr[i] * math.Abs(sin)
	}
	return a, b, byWeight + unit*float64(len(t.w)+care)*(size-a) + 2*omega*byLoss
}

// atMost bounds ln|φ|.
func (p phi) atMost() float64 {
	if p.log < -0.5 {
		return math.Min(0, math.Log(math.Exp(p.log)+p.err))
	}
	return math.Min(0, p.log+math.Log1p(p.err*math.Exp(-p.log)))
}

// displacementError returns the error for Σ w not being 1 and Σ wℓ not being the mean.
func (t *tilted) displacementError(omega float64) float64 {
	turn := omega * math.Abs(t.mean)
	return t.sigma*turn*math.Min(turn/2, 1+2/turn) + t.tau*omega*math.Min(2, turn)
}

// common returns the error that does not depend on how the sum is taken: that of the rule and of the
// mean, and the nodes left out.
func (t *tilted) common(omega float64) float64 {
	return t.rule + omega*(t.slope+t.meanErr+t.awayX) + t.away
}
