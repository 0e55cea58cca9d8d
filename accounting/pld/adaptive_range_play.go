package pld

import (
	"math"

	"epsiloscope/accounting/pld/exact"
	"epsiloscope/accounting/special"
)

// The recursion for bounded range, from above, and attackers who play it.

// corner is one of the polygon: the step there is the sum of four values of the grid.
type corner struct {
	up, down int // whose first is so far from where the step is taken, and whose third
	c        [4]float64
}

// corners are the crossings of the tangents at neighbouring points of the grid. With
// a = e^{ε−t} at one of them and b at the next, P/Q there is
// e^ε·(a+b−2)/(2ab−a−b), and (1−P)/(1−Q) = ((e^ε−a) + (e^ε−b))/(a(e^ε−b) + b(e^ε−a)).
func (g *rangeGame) corners() []corner {
	list := make([]corner, g.arcs)
	h, n := g.step, float64(g.arcs)
	for i := range list {
		above, below := float64(i)*h, float64(i+1)*h // t
		ea, eb := math.Expm1((n-float64(i))*h), math.Expm1((n-float64(i)-1)*h)
		toA, toB := (1+ea)*math.Expm1(above), (1+eb)*math.Expm1(below)
		p := (ea + eb) / (2 + ea + eb) / -math.Expm1(-g.epsilon)
		rest := (toA + toB) / (2 + ea + eb) / math.Expm1(g.epsilon)
		up := g.epsilon - math.Log1p(2*ea*eb/(ea+eb))
		down := -(n-float64(i)-1)*h - math.Log1p(toB/(toA+toB)*math.Expm1(h))
		x, cx := g.place(up)
		y, cy := g.place(down)
		list[i] = corner{x, y, [4]float64{p * (1 - cx), p * cx, rest * (1 - cy), rest * cy}}
	}
	return list
}

// place is the cell of the grid in which −loss lies, and the weight of its upper end on the
// chord. It is moved down by more than rounding, to where W is larger.
func (g *rangeGame) place(loss float64) (cell int, weight float64) {
	at := -loss/g.step - 1e-11
	low := math.Floor(at)
	return int(low), math.Expm1((at-low)*g.step) / math.Expm1(g.step)
}

// play is the recursion; it notes the best corner of every step.
func (g *rangeGame) play() []float64 {
	pad := g.arcs + 2
	values, wide := make([]float64, g.last+1), make([]float64, g.last+1+2*pad)
	corners := g.corners()
	g.best = make([][]uint8, g.count)
	for j := range g.best {
		g.best[j] = make([]uint8, g.last+1)
		g.widen(wide, values, pad)
		for i, c := range corners {
			a, b := wide[pad+c.up:][:len(values)+1], wide[pad+c.down:][:len(values)+1]
			best, number := g.best[j][:len(values)], uint8(i)
			a0, b0 := a[0], b[0]
			for k := range values {
				a1, b1 := a[k+1], b[k+1]
				if v := c.c[0]*a0 + c.c[1]*a1 + c.c[2]*b0 + c.c[3]*b1; v > values[k] { // values[k]: the end of the arc, t = 0
					values[k], best[k] = v, number
				}
				a0, b0 = a1, b1
			}
		}
	}
	slack := 1 + 1e-12 + 2e-14*float64(g.count)
	for k := range values {
		values[k] *= slack
	}
	return values
}

// widen copies the values with what is below 0 and beyond the end.
func (g *rangeGame) widen(wide, values []float64, pad int) {
	copy(wide[pad:], values)
	for k := 1; k <= pad; k++ {
		x := float64(k) * g.step
		wide[pad-k] = -math.Expm1(-x) + math.Exp(-x)*values[min(k, g.last)]
		wide[pad+g.last+k] = values[g.last]
	}
}

// thinned is how many steps of the grid make one of the lists, which are to be composed with
// others: longer ones are dear, and a chord over a few hundredths of ε gives little away.
func (g *rangeGame) thinned() int { return 1 + 2*g.last/exact.MostListed }

// dominating is the loss with these values of the curve.
func (g *rangeGame) dominating(values []float64) *law {
	every := g.thinned()
	mesh, curve := make([]float64, len(values)/every+1), make([]float64, len(values)/every+1)
	for k := range mesh {
		mesh[k], curve[k] = float64(k*every)*g.step, values[min(k*every, g.last)]
	}
	return symmetricDots(g.key("range-above"), mesh, curve, 16*ulp)
}

// aimed is the loss of an attacker who aims at any loss of the grid. A strategy for the aim
// x is a test: it says "P" if its loss lies above x, with probability P(L > x) if that is
// true and Q(L > x) if not. At −x he plays the mirrored game. All tests between those on the
// way from (0, 0) to (1, 1) are his too, by tossing a coin.
func (g *rangeGame) aimed() *law {
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
	chances := make([]test, g.arcs+1) // of t and of the other loss
	for t := range chances {
		chances[t].p = math.Expm1(-float64(g.arcs-t)*g.step) / math.Expm1(-g.epsilon)
		chances[t].q = math.Expm1(float64(t)*g.step) / math.Expm1(g.epsilon)
	}
	for _, best := range g.best {
		for k := range next {
			t := int(best[k])
			c, up, down := chances[t], at(k-t), at(k-t+g.arcs)
			next[k] = test{c.p*up.p + c.q*down.p, c.p*up.q + c.q*down.q}
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
	points := make([]atom, 0, len(hull))
	for i := len(hull) - 1; i > 0; i-- {
		p, q := hull[i].p-hull[i-1].p, hull[i].q-hull[i-1].q
		points = append(points, atom{math.Log(p / q), p, q})
	}
	return newList(g.key("range-aimed"), points, 0, 0)
}

// steadyRange is the loss of an attacker who plays t at every one of n steps: i times t−ε,
// else t.
func steadyRange(t, epsilon, n float64) *law {
	up, down := special.Log1mExp(t-epsilon)-special.Log1mExp(-epsilon), special.Log1mExp(-t)+t-epsilon-special.Log1mExp(-epsilon)
	points := make([]atom, 0, int(n)+1)
	for i := n; i >= 0; i-- {
		loss := n*t - i*epsilon
		p := math.Exp(special.LogChoose(n, i)+i*down+(n-i)*up) * (1 - 1e-9) // more than ln n! is off
		if p > 0 {
			points = append(points, atom{loss, p, p * math.Exp(-loss)})
		}
	}
	return newList("range-steady("+number(t)+","+number(epsilon)+","+number(n)+")", points, 0, 0)
}
