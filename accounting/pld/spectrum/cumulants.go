package spectrum

import (
	"context"
	"math"
	"slices"

	"epsiloscope/accounting/pld/fft"
	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/special"
)

// unit is the round-off of float64, and care the number of roundings that any one
// elementary step here is charged with; each takes at most five.
const (
	unit = 0x1p-53
	care = 8
)

// cumulants holds the cumulants of one release at a tilt: ln M(θ), its derivative (the tilted
// mean) and its second derivative, with bounds on the round-off of the first two.
type cumulants struct {
	log, logErr   float64
	mean, meanErr float64
	variance      float64
	// plain says that they are sums over the nodes alone, M(θ) = Σ w·e^{θℓ}; else over S, where
	// nothing cancels.
	plain bool
}

// unknown are the cumulants of an unfinished sum.
var unknown = cumulants{log: math.NaN(), logErr: math.Inf(1), mean: math.NaN(), meanErr: math.Inf(1)}

// cumulantsOf returns the cumulants of a rule at a tilt θ > 0 if M is near 1. If it is not, only plain is set, and the
// caller takes [plainCumulants] instead. Once the context has ended the cumulants are unknown. With the S of
// [loss.Rule],
//
//	M(θ) − 1 = Σ w·S(θ, ℓ) − top + θ(bottom − top),
//	M′(θ)    = Σ w·[ℓ(e^{θℓ} − 1) + (e^{−ℓ} − 1 + ℓ)] + (bottom − top).
//
// Every summand is positive and of second order in ℓ, so the relative error of each sum is
// that of its terms, however many releases there are.
func cumulantsOf(ctx context.Context, r loss.Rule, theta float64) cumulants {
	excess := -r.Top + theta*(r.Bottom-r.Top)
	slope := r.Bottom - r.Top
	excessErr := care * unit * (r.Top + theta*(r.Bottom+r.Top))
	slopeErr := care * unit * (r.Bottom + r.Top)
	var more, steeper special.Adder
	second := 0.0
	for i, n := range r.Nodes {
		if fft.IsCancelled(ctx, i) {
			return unknown
		}
		l := n.Loss
		a := theta * l
		if a > 680 || l < -600 || n.LogW+a > 1 || more.Sum() > 1 { // e^a would overflow, or M is far from 1
			return cumulants{plain: true}
		}
		w := math.Exp(n.LogW)
		e1, n1 := math.Expm1(a), math.Expm1(-l)
		e2, n2 := expm2(a, e1), expm2(-l, n1)
		s, d := e1+theta*n1, l*e1+n2
		size := math.Abs(e1) + theta*math.Abs(n1)
		if math.Abs(a) < 0.3 && math.Abs(l) < 0.3 {
			s = e2 + theta*n2
			size = s
		}
		more.Add(w * s)
		steeper.Add(w * d)
		second += w * (1 + e1) * l * l
		relative := care * unit * (1 + n.LogErr)
		moved := care * unit * (n.LossErr + math.Abs(l))
		excessErr += w * (size*relative + theta*math.Abs(e1-n1)*moved)
		slopeErr += w * (d*relative + (math.Abs(e1)+theta*math.Abs(l)*(1+e1)+math.Abs(n1))*moved)
	}
	excess += more.Sum()
	slope += steeper.Sum()
	if !(excess < 0.5) {
		return cumulants{plain: true}
	}
	m := 1 + excess
	c := cumulants{log: math.Log1p(excess), mean: slope / m}
	c.logErr = excessErr/(m-excessErr) + care*unit*math.Abs(c.log)
	c.meanErr = (slopeErr+math.Abs(c.mean)*excessErr)/(m-excessErr) + care*unit*math.Abs(c.mean)
	c.variance = math.Max(0, second/m-c.mean*c.mean)
	return c
}

// plainCumulants returns the cumulants of the nodes, relative to the largest term.
func plainCumulants(ctx context.Context, r loss.Rule, theta float64) cumulants {
	big := math.Inf(-1)
	for _, n := range r.Nodes {
		big = max(big, n.LogW+theta*n.Loss)
	}
	var mass, moment special.Adder
	var second, totalErr, firstErr float64
	for i, n := range r.Nodes {
		if fft.IsCancelled(ctx, i) {
			return unknown
		}
		w, relative := tiltedWeight(n, theta, big)
		mass.Add(w)
		moment.Add(w * n.Loss)
		second += w * n.Loss * n.Loss
		totalErr += w * relative
		firstErr += w * (math.Abs(n.Loss)*relative + care*unit*n.LossErr)
	}
	total := mass.Sum()
	mean := moment.Sum() / total
	return cumulants{
		log: big + math.Log(total), logErr: totalErr/total + care*unit*(1+math.Abs(big)),
		mean: mean, meanErr: (firstErr + math.Abs(mean)*totalErr) / total,
		variance: math.Max(0, second/total-mean*mean), plain: true,
	}
}

// tiltedWeight returns w·e^{θℓ−log} of a node, and a bound on its relative error.
func tiltedWeight(n loss.Node, theta, log float64) (w, relative float64) {
	size := 4 + n.LogErr + theta*(n.LossErr+math.Abs(n.Loss)) + math.Abs(log)
	return math.Exp(n.LogW + theta*n.Loss - log), care * unit * size
}

// masses returns the P-mass and the Q-mass of the nodes of a rule, and their round-off.
func masses(r loss.Rule) (p, q, pErr, qErr float64) {
	var ps, qs special.Adder
	for _, n := range r.Nodes {
		a, b := math.Exp(n.LogW), math.Exp(n.LogW-n.Loss)
		relative := care * unit * (1 + n.LogErr + n.LossErr + math.Abs(n.Loss))
		ps.Add(a)
		qs.Add(b)
		pErr, qErr = pErr+a*relative, qErr+b*relative
	}
	return ps.Sum(), qs.Sum(), pErr, qErr
}

// completeRule returns a rule with one more node: if S is next to nothing a rule has few nodes,
// and the P-mass they lack is put at the loss 0, where S is 0. So the sum over S is the same,
// and the plain sum lacks no P-mass.
func completeRule(r loss.Rule) loss.Rule {
	p, _, off, _ := masses(r)
	if lack := 1 - r.Top - p; lack > off {
		r.Nodes = append(slices.Clip(r.Nodes), loss.Node{LogW: math.Log(lack), LogErr: 4 + off/(unit*lack)})
	}
	return r
}

// expm2 returns e^x − 1 − x, given e^x − 1.
func expm2(x, expm1 float64) float64 {
	if math.Abs(x) > 0.3 {
		return expm1 - x
	}
	return x * x / 2 * (1 + x/3*(1+x/4*(1+x/5*(1+x/6*(1+x/7*(1+x/8*(1+x/9*(1+x/10*(1+x/11*(1+x/12))))))))))
}

// sinm1 returns sin y − y.
func sinm1(y, sin float64) float64 {
	if math.Abs(y) > 0.5 {
		return sin - y
	}
	z := y * y
	return -y * z / 6 * (1 - z/20*(1-z/42*(1-z/72*(1-z/110*(1-z/156*(1-z/210))))))
}
