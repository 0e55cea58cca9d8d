package spectrum

import (
	"context"
	"math"

	"epsiloscope/accounting/pld/loss"
)

// unit is the round-off of float64, and care the number of roundings that any one
// elementary step here is charged with; each takes at most five.
const (
	unit = 0x1p-53
	care = 8
)

// cumulants are those of one release at a tilt: ln M(θ), its derivative (the tilted
// mean) and second derivative, with bounds on what round-off did to the first two.
type cumulants struct {
	log, logErr   float64
	mean, meanErr float64
	variance      float64
	// plain says that the sums are those of the nodes alone: M(θ) = Σ w·e^{θℓ}. Else they
	// are those of S, and nothing has cancelled.
	plain bool
}

// unknown are the cumulants of a sum that was left unfinished.
var unknown = cumulants{log: math.NaN(), logErr: math.Inf(1), mean: math.NaN(), meanErr: math.Inf(1)}

// cumulantsOf sums a rule at a tilt θ > 0. Once the context has ended they are unknown. While M is near 1, with the S of [loss.Rule],
//
//	M(θ) − 1 = Σ w·S(θ, ℓ) − top + θ(bottom − top),
//	M′(θ)    = Σ w·[ℓ(e^{θℓ} − 1) + (e^{−ℓ} − 1 + ℓ)] + (bottom − top).
//
// Every summand is positive and of second order in ℓ, so the relative error of each sum is
// that of its terms, however many releases M is then raised to.
func cumulantsOf(ctx context.Context, r loss.Rule, theta float64) cumulants {
	excess := -r.Top + theta*(r.Bottom-r.Top)
	slope := r.Bottom - r.Top
	excessErr := care * unit * (r.Top + theta*(r.Bottom+r.Top))
	slopeErr := care * unit * (r.Bottom + r.Top)
	var more, steeper adder
	second := 0.0
	for i, n := range r.Nodes {
		if ended(ctx, i) {
			return unknown
		}
		l := n.Loss
		a := theta * l
		if a > 300 || l < -600 || more.value > 1 {
			return plainCumulants(ctx, r, theta)
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
		more.add(w * s)
		steeper.add(w * d)
		second += w * (1 + e1) * l * l
		relative := care * unit * (1 + n.LogErr)
		moved := care * unit * (n.LossErr + math.Abs(l))
		excessErr += w * (size*relative + theta*math.Abs(e1-n1)*moved)
		slopeErr += w * (d*relative + (math.Abs(e1)+theta*math.Abs(l)*(1+e1)+math.Abs(n1))*moved)
	}
	excess += more.sum()
	slope += steeper.sum()
	if !(excess < 0.5) {
		return plainCumulants(ctx, r, theta)
	}
	m := 1 + excess
	c := cumulants{log: math.Log1p(excess), mean: slope / m}
	c.logErr = excessErr/(m-excessErr) + care*unit*math.Abs(c.log)
	c.meanErr = (slopeErr+math.Abs(c.mean)*excessErr)/(m-excessErr) + care*unit*math.Abs(c.mean)
	c.variance = math.Max(0, second/m-c.mean*c.mean)
	return c
}

// plainCumulants are those of the nodes, in the domain of logarithms.
func plainCumulants(ctx context.Context, r loss.Rule, theta float64) cumulants {
	big := math.Inf(-1)
	for _, n := range r.Nodes {
		big = math.Max(big, n.LogW+theta*n.Loss)
	}
	var mass, moment adder
	var second, totalErr, firstErr float64
	for i, n := range r.Nodes {
		if ended(ctx, i) {
			return unknown
		}
		w := math.Exp(n.LogW + theta*n.Loss - big)
		mass.add(w)
		moment.add(w * n.Loss)
		second += w * n.Loss * n.Loss
		relative := care * unit * (1 + n.LogErr + theta*(n.LossErr+math.Abs(n.Loss)) + math.Abs(big))
		totalErr += w * relative
		firstErr += w * (math.Abs(n.Loss)*relative + care*unit*n.LossErr)
	}
	total := mass.sum()
	mean := moment.sum() / total
	return cumulants{
		log: big + math.Log(total), logErr: totalErr/total + care*unit*(1+math.Abs(big)),
		mean: mean, meanErr: (firstErr + math.Abs(mean)*totalErr) / total,
		variance: math.Max(0, second/total-mean*mean), plain: true,
	}
}

// expm2 is e^x − 1 − x, given e^x − 1.
func expm2(x, expm1 float64) float64 {
	if math.Abs(x) > 0.3 {
		return expm1 - x
	}
	return x * x / 2 * (1 + x/3*(1+x/4*(1+x/5*(1+x/6*(1+x/7*(1+x/8*(1+x/9*(1+x/10*(1+x/11*(1+x/12))))))))))
}

// sinm1 is sin y − y.
func sinm1(y, sin float64) float64 {
	if math.Abs(y) > 0.5 {
		return sin - y
	}
	z := y * y
	return -y * z / 6 * (1 - z/20*(1-z/42*(1-z/72*(1-z/110*(1-z/156*(1-z/210))))))
}

// adder sums with the rounding of each step carried along (Neumaier 1974): its error is a
// few units of Σ|x|, not one per term.
type adder struct{ value, carry float64 }

func (a *adder) add(x float64) {
	t := a.value + x
	if math.Abs(a.value) >= math.Abs(x) {
		a.carry += (a.value - t) + x
	} else {
		a.carry += (x - t) + a.value
	}
	a.value = t
}

func (a *adder) sum() float64 { return a.value + a.carry }

// tilted is one line of a stack at one tilt, ready for its characteristic function.
type tilted struct {
	cumulants
	w, x   []float64 // of the nodes: tilted weights, losses minus the mean
	werr   []float64 // what round-off may have done to each weight,
	xerr   []float64 // and to each loss, times the weight
	rule   float64   // error of the rule relative to M(θ)
	line   float64   // the same, per unit of ω
	sigma  float64   // |1 − Σ w|
	tau    float64   // |mean − Σ w·ℓ|
	away   float64   // Σ of 2·w over nodes left out,
	awayX  float64   // and of w·|x|
	spread float64   // Σ w·x²
}

// tiltRule tilts a rule whose error is err relative to e^{scale}.
func tiltRule(ctx context.Context, r loss.Rule, theta, err, scale float64) tilted {
	t := tilted{cumulants: cumulantsOf(ctx, r, theta)}
	t.rule = (err*math.Exp(scale-t.log) + r.Slack*(1+theta)*math.Exp(-t.log)) * (1 + 1e-9)
	t.line = r.Slack * math.Exp(-t.log)
	n := len(r.Nodes)
	back := make([]float64, 4*n)
	t.w, t.x, t.werr, t.xerr = back[:0:n], back[n:n:2*n], back[2*n:2*n:3*n], back[3*n:3*n]
	var mass, first, plain, under adder
	var massErr, firstErr, plainErr, underErr float64
	for i, node := range r.Nodes {
		if ended(ctx, i) {
			t.cumulants = unknown
			return t
		}
		log := node.LogW + theta*node.Loss - t.log
		w, x := math.Exp(log), node.Loss-t.mean
		if t.plain {
			p, q := math.Exp(node.LogW), math.Exp(node.LogW-node.Loss)
			relative := care * unit * (1 + node.LogErr + node.LossErr + math.Abs(node.Loss))
			plain.add(p)
			under.add(q)
			plainErr, underErr = plainErr+p*relative, underErr+q*relative
		}
		if log < -110 {
			t.away += 2 * w
			t.awayX += w * math.Abs(x)
			continue
		}
		relative := care * unit * (4 + node.LogErr + theta*(node.LossErr+math.Abs(node.Loss)) + math.Abs(t.log))
		moved := w * care * unit * (node.LossErr + math.Abs(node.Loss) + math.Abs(x))
		t.w, t.x = append(t.w, w), append(t.x, x)
		t.werr, t.xerr = append(t.werr, w*relative), append(t.xerr, moved)
		mass.add(w)
		first.add(w * node.Loss)
		massErr += w * relative
		firstErr += w * (math.Abs(node.Loss)*relative + care*unit*node.LossErr)
		t.spread += w * x * x
	}
	t.sigma = math.Abs(1-mass.sum()) + massErr + t.away + t.logErr
	t.tau = math.Abs(t.mean-first.sum()) + firstErr + t.meanErr + t.awayX + t.away*math.Abs(t.mean)
	if t.plain { // the nodes' own P- and Q-mass are not exactly those of the law
		off := math.Abs(1-r.Top-plain.sum()) + plainErr
		offQ := math.Abs((under.sum()+r.Bottom)-(plain.sum()+r.Top)) + plainErr + underErr
		t.rule += (off + theta*offQ) * math.Exp(-t.log)
		t.line += offQ * math.Exp(-t.log)
	}
	return t
}
