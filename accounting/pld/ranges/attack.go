package ranges

import (
	"math"

	"epsiloscope/accounting/special"
)

// Attackers who play the recursion.

// Aimed are the outcomes of an attacker who aims at any loss of the grid, once it is played. A strategy for the aim
// x is a test: it says "P" if its loss lies above x, with probability P(L > x) if that is
// true and Q(L > x) if not. At −x he plays the mirrored game. All tests between those on the
// way from (0, 0) to (1, 1) are his too, by tossing a coin.
func (g *Adaptive) Aimed() []Outcome {
	type test struct{ p, q float64 } // q is Q(L > x)·e^x until the game is over
	now, next := make([]test, g.last+1), make([]test, g.last+1)
	at := func(k int) test {
		switch {
		case k > g.last:
			return test{}
		case k < 0:
			v, y := now[min(-k, g.last)], math.Exp(float64(k)*g.step)
			return test{1 - v.q*y, (1 - v.p) * y}
		}
		return now[k]
	}
	points := g.points(1)
	for _, best := range g.best {
		for k := range next {
			c := points[best[k]]
			p, rest, up, down := c.c[0], c.c[2], at(k+c.up), at(k+c.down)
			next[k] = test{p*up.p + rest*down.p, p*up.q + rest*down.q}
		}
		now, next = next, now
	}
	rounding := 1e-11 + 2e-14*float64(g.count)
	hull := []test{{}}
	add := func(v test) {
		for n := len(hull); n >= 2; n = len(hull) { // what a coin does as well is left out
			a, b := hull[n-2], hull[n-1]
			if (b.p-a.p)*(v.q-b.q) > (v.p-b.p)*(b.q-a.q) {
				break
			}
			hull = hull[:n-1]
		}
		if last := hull[len(hull)-1]; v.p > last.p && v.q > last.q {
			hull = append(hull, v)
		}
	}
	for k := g.last; k >= -g.last; k -= g.thinned() {
		v := at(k)
		add(test{v.p * (1 - rounding), math.Min(1, v.q*math.Exp(-float64(k)*g.step)*(1+rounding))})
	}
	add(test{1, 1})
	out := make([]Outcome, 0, len(hull))
	for i := len(hull) - 1; i > 0; i-- {
		p, q := hull[i].p-hull[i-1].p, hull[i].q-hull[i-1].q
		out = append(out, Outcome{math.Log(p / q), p, q})
	}
	return out
}

// Steady are the outcomes of an attacker who plays t at every one of n steps: i times t−ε,
// else t.
func Steady(t, epsilon, n float64) []Outcome {
	up, down := special.Log1mExp(t-epsilon)-special.Log1mExp(-epsilon), special.Log1mExp(-t)+t-epsilon-special.Log1mExp(-epsilon)
	out := make([]Outcome, 0, int(n)+1)
	for i := n; i >= 0; i-- {
		loss := n*t - i*epsilon
		p := math.Exp(special.LogChoose(n, i)+i*down+(n-i)*up) * (1 - 1e-9) // more than ln n! is off
		if p > 0 {
			out = append(out, Outcome{loss, p, p * math.Exp(-loss)})
		}
	}
	return out
}
