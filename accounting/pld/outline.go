package pld

import (
	"math"
	"sort"

	"epsiloscope/accounting/special"
)

// outline is a coarse picture of a law: a few dozen losses and their P-masses. It
// steers (tilt, window, step) and certifies nothing.
type outline struct {
	loss, mass []float64
	atoms      int     // how many of the first entries are atoms
	bend       float64 // 0 for a lattice, which needs no grid; else 1
	scattered  bool    // a few losses on no lattice: off the grid each is rounded down
}

// outlineFineness is the number of mesh points per standard deviation.
const outlineFineness = 6

func outlineOf(l law) outline {
	var o outline
	_, _, lattice := latticeOf(l)
	if !lattice {
		o.bend = 1
	}
	atoms := l.atoms()
	if !l.continuous() && len(atoms) <= 256 {
		for _, a := range atoms {
			o.loss, o.mass = append(o.loss, a.loss), append(o.mass, a.p)
		}
		if lattice {
			o.atoms = len(atoms)
		}
		o.scattered = !lattice
		return o
	}
	if l.continuous() {
		for _, a := range atoms {
			o.loss, o.mass = append(o.loss, a.loss), append(o.mass, a.p)
		}
		o.atoms = len(atoms)
		l = smooth{l}
	}
	mesh := crowded(l, stretched(l, outlineFineness))
	masses, _ := ceilingOn(l, mesh)
	for j, p := range masses {
		if p > 0 {
			o.loss, o.mass = append(o.loss, mesh[j]), append(o.mass, p)
		}
	}
	return o
}

// crowded refines the last cell of a mesh towards the largest loss of a law: where a
// density ends there, a small δ lies in the last hair's breadth.
func crowded(l law, mesh []float64) []float64 {
	last := len(mesh) - 1
	top := mesh[last]
	if _, hi := l.span(); !l.continuous() || math.IsInf(hi, 1) || last < 1 {
		return mesh
	}
	out := append([]float64(nil), mesh[:last]...)
	for w := (top - mesh[last-1]) / 2; w > 1e-9*(top-mesh[0]); w /= 2 {
		out = append(out, top-w)
	}
	return append(out, top)
}

// smooth is a law without its atoms.
type smooth struct{ law }

func (s smooth) atoms() []atom { return nil }

// cumulants are ln M(θ) and the mean and variance of the loss tilted by e^{θL}.
type cumulants struct{ log, mean, variance float64 }

func (o outline) at(theta float64) cumulants {
	top := math.Inf(-1)
	for i, x := range o.loss {
		if o.mass[i] > 0 {
			top = math.Max(top, theta*x)
		}
	}
	var m0, m1, m2 float64
	for i, x := range o.loss {
		w := o.mass[i] * math.Exp(theta*x-top)
		m0 += w
		m1 += w * x
		m2 += w * x * x
	}
	mean := m1 / m0
	return cumulants{top + math.Log(m0), mean, math.Max(0, m2/m0-mean*mean)}
}

// rough is the share of the tilted mass that a grid has to smear.
func (o outline) rough(theta float64, c cumulants) float64 {
	sum := 0.0
	for i := 0; i < o.atoms; i++ {
		sum += o.mass[i] * math.Exp(theta*o.loss[i]-c.log)
	}
	return o.bend * math.Min(1, math.Max(0, 1-sum))
}

// loneliness is how much of a step a release loses from below, on average, if its
// isolated losses lie off the grid. Rounded down, a loss is off by up to a step; but the
// sweep joins it with its neighbour, a distance d away, and then what is lost is
// variance: d times that, (1+θ)/2 of which counts in ε.
func (o outline) loneliness(theta float64, c cumulants) float64 {
	sum := 0.0
	for i, x := range o.loss {
		d := math.Inf(1)
		if i > 0 {
			d = x - o.loss[i-1]
		}
		if i+1 < len(o.loss) {
			d = math.Min(d, o.loss[i+1]-x)
		}
		sum += o.mass[i] * math.Exp(theta*x-c.log) * math.Min(1, (1+theta)*d/2)
	}
	return math.Max(1e-6, math.Min(1, sum))
}

// heaviest is the largest tilted mass of a single loss.
func (o outline) heaviest(theta float64, c cumulants, l law) float64 {
	largest := 0.0
	for i, x := range o.loss {
		if i < o.atoms || !l.continuous() {
			largest = math.Max(largest, o.mass[i]*math.Exp(theta*x-c.log))
		}
	}
	return largest
}

// beyond lists the tilted mass above (sign 1) or below (−1) each loss, as a function.
func (o outline) beyond(theta float64, c cumulants, sign float64) func(x float64) float64 {
	return func(x float64) float64 {
		sum := 0.0
		for i, y := range o.loss {
			if sign*(y-x) > 0 {
				sum += o.mass[i] * math.Exp(theta*y-c.log)
			}
		}
		return sum
	}
}

// latticeOf finds origin and step if the losses of a law lie on one lattice.
func latticeOf(l law) (origin, step float64, ok bool) {
	if l.continuous() {
		return 0, 0, false
	}
	atoms := l.atoms()
	switch len(atoms) {
	case 0:
		return 0, 1, true
	case 1:
		return atoms[0].loss, 1, true
	}
	origin = atoms[0].loss
	last := atoms[len(atoms)-1].loss
	step = (last - origin) / float64(len(atoms)-1)
	for i, a := range atoms {
		if math.Abs(a.loss-(origin+float64(i)*step)) > 1e-12*step {
			return 0, 0, false
		}
	}
	return origin, step, true
}

// composedOutline is the outline of a whole stack at one tilt.
type composedOutline struct {
	lines []weighted
	theta float64
	total cumulants // of the composed loss
}

type weighted struct {
	outline
	count float64
	at    cumulants
}

func composeOutlines(lines []weighted, theta float64) composedOutline {
	c := composedOutline{lines: lines, theta: theta}
	for i := range lines {
		l := &lines[i]
		l.at = l.outline.at(theta)
		c.total.log += l.count * l.at.log
		c.total.mean += l.count * l.at.mean
		c.total.variance += l.count * l.at.variance
	}
	return c
}

// edge is where the tilted mass above (sign 1) or below (−1) has fallen to e^{−depth},
// and the s of the Chernoff bound that says so, |s| ≥ smallest.
func (c composedOutline) edge(sign, depth, smallest float64) (x, s float64) {
	deviation := math.Sqrt(c.total.variance)
	x, s = sign*math.Inf(1), sign*math.Max(1, smallest)
	try := func(k float64) bool {
		t := sign * math.Max(smallest, k/deviation)
		if math.IsInf(t, 0) { // all on one loss, as far as float64 can tell
			t = sign * k * (1 + smallest)
		}
		if e := (c.growth(t) + depth) / t; sign*e < sign*x {
			x, s = e, t
			return true
		}
		return false
	}
	// The best s of a normal loss is √(2·depth) deviations; from there on the bound gets
	// better, then worse.
	try(8)
	for k := 10.0; k < 30 && try(k); k *= 1.3 {
	}
	for k := 6.0; k > 0.4 && try(k); k *= 0.7 {
	}
	// No farther than the outline itself reaches.
	least, most := 0.0, 0.0
	for _, l := range c.lines {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, y := range l.loss {
			lo, hi = math.Min(lo, y), math.Max(hi, y)
		}
		least += l.count * lo
		most += l.count * hi
	}
	return math.Max(least, math.Min(most, x)), s
}

// growth is ln of the tilted mean of e^{sS}.
func (c composedOutline) growth(s float64) float64 {
	sum := 0.0
	for _, l := range c.lines {
		sum += l.count * (l.outline.at(c.theta+s).log - l.at.log)
	}
	return sum
}

// summit is where the P-mass above has fallen to e^{logTail}.
func (c composedOutline) summit(logTail float64) float64 {
	deviation := math.Sqrt(c.total.variance)
	if deviation == 0 {
		return c.total.mean
	}
	x := math.Inf(1)
	for _, k := range [...]float64{0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 40} {
		t := k / deviation
		if c.theta+t > 0 {
			x = math.Min(x, (c.growth(t)+c.total.log-logTail)/(c.theta+t))
		}
	}
	return x
}

// saddle finds the tilt that centres the composed loss on the ε in question. The
// minimiser of (Λ(θ) + ln 1/δ)/θ, the Rényi optimum α − 1, solves θΛ′ − Λ = ln 1/δ; but
// δ also has the factor E[e^{−θx}(1 − e^{−x})₊], far below one where losses are small, and
// what it explains need not be explained by the tilt.
func saddle(lines []weighted, logDelta float64) composedOutline {
	plain := composeOutlines(lines, 0)
	if plain.total.variance == 0 {
		return plain
	}
	least := math.Inf(1)
	for _, l := range lines {
		if l.at.variance > 0 {
			least = math.Min(least, l.at.variance)
		}
	}
	copies := 0.0
	for _, l := range lines {
		copies += l.count
	}
	lo, hi := 1e-6/math.Sqrt(plain.total.variance), 40/math.Sqrt(least)
	// θΛ′ − Λ grows with θ up to ln 1/P(largest loss). Where that is less than what is
	// needed, ε lies next to the largest loss: tilted far enough is then far enough.
	floor, limit := 0.0, -12.0
	if far := composeOutlines(lines, hi); hi*far.total.mean-far.total.log < -logDelta {
		floor, limit = 1e-2*plain.total.variance/math.Max(1, copies), math.Inf(-1)
	}
	need := math.Max(0.05, -logDelta)
	theta := math.Min(hi, math.Max(lo, math.Sqrt(2*need/plain.total.variance)))
	var c composedOutline
	for i := 0; i < 80; i++ {
		c = composeOutlines(lines, theta)
		// While there is a tail to explain δ, losses that crowd in one place do not.
		need := math.Max(0.05, math.Max(limit, c.factor())-logDelta)
		gap := theta*c.total.mean - c.total.log - need
		if c.total.variance < floor { // all on the largest loss: far enough
			gap = need
		}
		if math.Abs(gap) < 1e-3*need {
			break
		}
		if gap > 0 {
			hi = theta
		} else {
			lo = theta
		}
		slope := theta * c.total.variance
		next := theta - gap/slope
		if !(next > lo && next < hi) || i%4 == 3 {
			next = math.Sqrt(lo * hi)
		}
		if hi/lo < 1.001 {
			break
		}
		theta = next
	}
	return c
}

// guess is the saddle-point estimate of ε (Daniels 1954, one term).
func (c composedOutline) guess(logDelta float64) float64 {
	return (c.total.log - logDelta + c.factor()) / c.theta
}

// factor is ln E[e^{−θx}(1 − e^{−x})₊], about, for x normal around 0 with the composed
// deviation σ: 1/(θ(1+θ)σ√2π) where the tilt decays faster than the density, else what
// the density alone gives.
func (c composedOutline) factor() float64 {
	t, deviation := c.theta, math.Sqrt(c.total.variance)
	steep := 1 / (t * (1 + t) * deviation)
	flat := math.Min(1, deviation)
	return math.Min(0, math.Log(0.4*math.Min(steep, flat)))
}

// logMeanExp is ln Σ p̃·e^{s(ℓ−m)} for tilted masses that sum to one up to round-off.
func logMeanExp(loss, mass []float64, s, m float64) float64 {
	top := 0.0
	for _, x := range loss {
		top = math.Max(top, s*(x-m))
	}
	if top > 30 {
		terms := make([]float64, 0, len(loss))
		for i, x := range loss {
			if mass[i] > 0 {
				terms = append(terms, math.Log(mass[i])+s*(x-m))
			}
		}
		return special.LogSumExp(terms)
	}
	sum, total := 0.0, 0.0
	for i, x := range loss {
		sum += mass[i] * math.Expm1(s*(x-m))
		total += mass[i]
	}
	return math.Log1p(sum + math.Max(0, total-1))
}

// below is the outline without the losses above which lies P-mass e^{logTail} at most.
func (o outline) below(logTail float64) outline {
	if logTail == 0 {
		return o
	}
	most := math.Exp(logTail)
	order := make([]int, len(o.loss))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(a, b int) bool { return o.loss[order[a]] > o.loss[order[b]] })
	sum, limit := 0.0, math.Inf(1)
	for _, i := range order {
		if sum += o.mass[i]; sum > most {
			limit = o.loss[i]
			break
		}
	}
	out := o
	out.loss, out.mass = nil, nil
	for i, x := range o.loss {
		if x <= limit {
			out.loss, out.mass = append(out.loss, x), append(out.mass, o.mass[i])
		} else if i < o.atoms {
			out.atoms--
		}
	}
	return out
}
