package ranges

import (
	"math"

	"epsiloscope/accounting/special"
)

// Attackers who play the recursion.

// test is what a strategy for the aim x is: it says "P" if its loss lies above x, with
// probability p = P(L > x) if that is true, and Q(L > x) = q·e^{−x} if not.
type test struct{ p, q float64 }

// tests are those for the aims of a grid, from 0 up.
type tests []test

// at is the test for any aim k·step: at −x the attacker plays the mirrored game.
func (now tests) at(k int, step float64) test {
	switch {
	case k >= len(now):
		return test{}
	case k < 0:
		v, y := now[min(-k, len(now)-1)], math.Exp(float64(k)*step)
		return test{1 - v.q*y, (1 - v.p) * y}
	}
	return now[k]
}

// follow are the tests for next, with one release more, that begin with the points noted as best.
func (now tests) follow(next tests, best []uint8, points []corner, step float64) {
	for k := range next {
		c := points[best[k]]
		p, rest, up, down := c.c[0], c.c[2], now.at(k+c.up, step), now.at(k+c.down, step)
		next[k] = test{p*up.p + rest*down.p, p*up.q + rest*down.q}
	}
}

// outcomes are those of an attacker with every so many-th of these tests. All tests between
// those on the way from (0, 0) to (1, 1) are his too, by tossing a coin.
func (g *Adaptive) outcomes(of tests, every int) []Outcome {
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
	last := len(of) - 1
	for k := last; k >= -last; k -= every {
		v := of.at(k, g.step)
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
