package pld_test

import "math"

// world is a way a stack can really happen: what an attacker sees of each line, and
// how often. A slow route tells how well the two data sets can be told apart in it, by
// listing outcomes: no transform, and for both ends a proof instead of an error term.
type world []line

type line struct {
	noise noise
	count int
	turn  bool // seen in the other direction than the rest: a record that moves in
}

// enclosed is the curve of a stack between two lists of each side, the last two of
// which are left apart: their sum is evaluated exactly.
type enclosed struct{ lower, upper [2]list }

// enclose composes a world in one direction, for use near δ.
func (w world) enclose(add bool, delta float64, fine, size int) enclosed {
	var out enclosed
	var theta float64
	for _, upper := range [2]bool{true, false} {
		lists := make([]list, len(w))
		total := 0
		for i, l := range w {
			all := l.noise.outcomes(fine)
			if add != l.turn {
				all = reversed(all)
			}
			lists[i] = spread(all, upper)
			total += l.count
		}
		if upper {
			theta = w.tilt(lists, delta)
		}
		by := plan{size, theta, 1e-9 * delta / float64(total)}
		var factors []list
		for i, l := range w {
			if len(lists[i].x) > size {
				lists[i] = lists[i].shorten(by)
			}
			factors = append(factors, powers(lists[i], l.count, by)...)
		}
		for len(factors) > 2 {
			factors = append(factors[2:], compose(factors[0], factors[1], by))
		}
		if len(factors) < 2 {
			factors = append(factors, list{upper: upper, x: []float64{0}, p: []float64{1}}.centred())
		}
		if upper {
			out.upper = [2]list(factors)
		} else {
			out.lower = [2]list(factors)
		}
	}
	return out
}

// powers returns lists whose composition is count copies of one.
func powers(l list, count int, by plan) []list {
	var out []list
	for {
		if count&1 == 1 {
			out = append(out, l)
		}
		if count >>= 1; count == 0 {
			return out
		}
		l = compose(l, l, by)
	}
}

// tilt returns the order at which Chernoff's bound on ε at δ is least. Only the sharpness
// of the route hangs on it.
func (w world) tilt(lists []list, delta float64) float64 {
	bound := func(lnTheta float64) float64 {
		theta, sum := math.Exp(lnTheta), -math.Log(delta)
		for i, l := range lists {
			most := l.x[len(l.x)-1]
			m := 0.0
			for j, x := range l.x {
				m += l.p[j] * math.Exp(theta*(x-most))
			}
			sum += float64(w[i].count) * (math.Log(m) + theta*most)
		}
		return sum / theta
	}
	lo, hi := math.Log(0.05), math.Log(1e6)
	for hi-lo > 0.1 { // golden section
		a, b := lo+(hi-lo)*0.382, lo+(hi-lo)*0.618
		if bound(a) < bound(b) {
			hi = b
		} else {
			lo = a
		}
	}
	return math.Exp(lo)
}

// delta returns the curve at ε, from below and from above.
func (e enclosed) delta(epsilon float64) (lower, upper float64) {
	return meet(e.lower[0], e.lower[1], epsilon), meet(e.upper[0], e.upper[1], epsilon)
}

// meet returns E[(1 − e^{ε−X−Y})₊] over two lists: for each x the sum over y > ε − x is
// P(Y > ε−x) − e^{ε−x}Q(Y > ε−x), two sums that grow as x does.
func meet(a, b list, epsilon float64) float64 {
	sum := both(a, b)
	var p, q float64
	j := len(b.x)
	for i, x := range a.x {
		for j > 0 && b.x[j-1] > epsilon-x {
			j--
			p, q = p+b.p[j], q+b.q[j]
		}
		if p == 0 {
			continue
		}
		term := p
		if q > 1e-290 { // else it has left float64: an upper bound is p, a lower one 0
			term = math.Max(0, p-math.Exp(epsilon-x-b.centre)*q)
		} else if !a.upper {
			term = 0
		}
		round := 1e-13 * p // of the two sums
		if a.upper {
			term += round
		} else {
			term = math.Max(0, term-round)
		}
		sum += a.p[i] * term
	}
	return sum
}
