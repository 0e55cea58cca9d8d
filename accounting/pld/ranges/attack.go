package ranges

import (
	"cmp"
	"math"
	"slices"

	"epsiloscope/accounting/special"
)

// Attackers who play the recursion.

// test is a strategy for the aim x: it says "P" if its loss lies above x, with probability p =
// P(L > x) if that is true, and Q(L > x) = q·e^{−x} if not.
type test struct{ p, q float64 }

// tests holds the tests for the aims of a mesh, from 0 up.
type tests []test

// testAt returns the test for any aim k·step. At −x the attacker plays the mirrored game; beyond the mesh he never says
// "P".
func (now tests) testAt(k int, step float64) test {
	switch {
	case k >= len(now):
		return test{}
	case k < 0:
		v, y := now[min(-k, len(now)-1)], math.Exp(float64(k)*step)
		return test{1 - v.q*y, (1 - v.p) * y}
	}
	return now[k]
}

// widen fills wide with the tests for the aims from −pad·step on.
func (now tests) widen(wide tests, pad int, step float64) {
	for k := range wide[:pad] {
		wide[k] = now.testAt(k-pad, step)
	}
	clear(wide[pad+copy(wide[pad:], now):])
}

// follow fills next with the tests for one release more that begin with the points noted as best. The tests for
// the releases before are in wide, from −pad·step on.
func follow(next, wide tests, pad int, best []uint8, points []corner) {
	for k := range next {
		c := &points[best[k]]
		p, rest, up, down := c.c[0], c.c[2], wide[pad+k+c.up], wide[pad+k+c.down]
		next[k] = test{p*up.p + rest*down.p, p*up.q + rest*down.q}
	}
}

// outcomes returns the outcomes of an attacker who uses every n-th test of a game; by randomising between two
// tests every intermediate one on the way from (0, 0) to (1, 1) is available.
//
// A test's p is off by a small fraction of itself. Its q may be off by that fraction of p: the mirrored
// game has 1 − p, of which nothing is left to go by if p is close to 1.
func (g *Adaptive) outcomes(now *game, every int) []Outcome {
	rounding := 1e-11 + 2e-14*float64(g.count)
	last := len(now.tests) - 1
	all := []test{{1, 1}}
	for k := last; k >= -last; k -= every {
		v, y := now.tests.testAt(k, now.step), math.Exp(-float64(k)*now.step)
		q := v.q * y
		if k < 0 { // y may be +Inf, and v.q 0
			y, q = 1, 1-now.tests[-k].p
		}
		q = q*(1+rounding) + rounding*v.p*y
		// below that numbers lose digits
		all = append(all, test{v.p * (1 - rounding), math.Min(1, math.Max(q, 1e-300))})
	}
	// A test for a smaller aim need not have the larger p: the mesh is coarse.
	slices.SortFunc(all, func(a, b test) int { return cmp.Or(cmp.Compare(a.p, b.p), cmp.Compare(a.q, b.q)) })
	hull := []test{{}}
	for _, v := range all {
		if v.p <= hull[len(hull)-1].p {
			continue
		}
		for n := len(hull); n >= 2; n = len(hull) { // what a coin does as well is left out
			a, b := hull[n-2], hull[n-1]
			if (v.q-b.q)/(v.p-b.p) > (b.q-a.q)/(b.p-a.p) { // products of such numbers would vanish
				break
			}
			hull = hull[:n-1]
		}
		hull = append(hull, v)
	}
	out := make([]Outcome, 0, len(hull))
	for i := len(hull) - 1; i > 0; i-- {
		p, q := hull[i].p-hull[i-1].p, hull[i].q-hull[i-1].q
		out = append(out, Outcome{math.Log(p / q), p, q})
	}
	return out
}

// Steady are the outcomes of an attacker who plays t at every one of n steps: i times t−ε,
// else t. Those with a loss of at most least are left out; −∞ asks for all.
func Steady(t, epsilon, n, least float64) []Outcome {
	up, down := special.Log1mExp(t-epsilon)-special.Log1mExp(-epsilon),
		special.Log1mExp(-t)+t-epsilon-special.Log1mExp(-epsilon)
	out := make([]Outcome, 0, int(n)+1)
	for i := n; i >= 0; i-- {
		loss := n*t - i*epsilon
		if !(loss > least) {
			continue
		}
		p := math.Exp(special.LogChoose(n, i)+i*down+(n-i)*up) * (1 - 1e-9) // more than ln n! is off
		if p > 0 {
			out = append(out, Outcome{loss, p, p * math.Exp(-loss)})
		}
	}
	return out
}
