package pld

import (
	"math"
	"strconv"
	"sync"

	"epsiloscope/accounting/special"
)

// AdaptiveRange is the pair of count releases of ε-bounded range, of which each may be
// chosen by looking at the answers of those before it; false where there are too many of
// them. The wider the interval may be, relative to ε, the less work it is.
//
// Whatever the past, a release is worst if its loss is one of two, t or t−ε, where t lies
// in [0, ε] and may depend on the past. So the largest δ at loss x that j releases allow is
//
//	W_0(x) = (1 − e^x)₊,   W_j(x) = max over t of p_t·W_{j−1}(x−t) + (1−p_t)·W_{j−1}(x−t+ε)
//
// with p_t = (e^ε − e^t)/(e^ε − 1) (the recursion of Dong, Durfee & Rogers 2020). Taking
// the worst t anew at every loss, as the pair of one release does, gives more away.
//
// W_j is convex in e^x, hence the curve of a pair, which dominates all of them together.
// Beside other releases, also such of another ε, it stays so in whatever order they come.
// Let D_{a,b}(x) = E[W_a(x − B)], where B is the loss of the pair of all others, b of them
// still to come. That no game is worth more follows by induction: a step of ours is worth
// at most max over t of E[D_{a−1,b}(x − L_t)] ≤ E[max over t of E[W_{a−1}(x − B − L_t)]] =
// D_{a,b}(x), as to choose t after an average is no better than to choose it knowing B; and
// a step of theirs likewise, D being symmetric in the two.
//
// From above: the points (Q, P) = (p_t·e^{−t}, p_t) are an arc, and the step is convex in
// the point, as p·w(yq/p) is the perspective of a convex function. So its largest value on the
// arc is no larger than at the corners of a polygon of tangents around it. Values between
// those of the grid are read off chords in e^x, which lie above. Both errors fall with the
// square of the number of arcs.
//
// From below: attackers who play at every step the grid's t next to the best corner. Their
// losses are on the grid, so what they reach from a point of the grid is exact. Who comes
// last, when the losses of all others are known, aims from wherever he stands: his curve is
// the value of that game.
func AdaptiveRange(epsilon, count, width float64) (Pair, bool) {
	if count == 1 {
		return BoundedRange(epsilon), true
	}
	return playRange(epsilon, count, width, "", (*rangeGame).aimed)
}

// AdaptiveRangeAt is the same for all but the last: the attacker plays the same t throughout.
func AdaptiveRangeAt(t, epsilon, count, width float64) (Pair, bool) {
	return playRange(epsilon, count, width, "at "+number(t), func(*rangeGame) *law { return steadyRange(t, epsilon, count) })
}

func playRange(epsilon, count, width float64, how string, below func(*rangeGame) *law) (Pair, bool) {
	g, ok := newRangeGame(epsilon, count, width)
	if !ok {
		return Pair{}, false
	}
	key := g.key("adaptive-range") + how
	return games.get(key, func() Pair {
		values := g.play()
		return symmetric(&Loss{key, g.dominating(values), below(g), rangeNote})
	}), true
}

// RangeApart is one of many releases of ε-bounded range, too many for the recursion: from
// above by its own pair, from below by randomized response with ε/2, whose range is ε.
func RangeApart(epsilon float64) Pair {
	return between("range-apart("+number(epsilon)+")", BoundedRange(epsilon), Pure(epsilon/2),
		"of many selections each is taken by itself; the lower end is that of randomized response")
}

const rangeNote = "selections are composed by the recursion for bounded range; the lower end is that of an attacker who plays it"

// games keeps the last few pairs that are dear to make: a stack is asked for its parts
// again and again.
var games = pairCache{most: 48}

type pairCache struct {
	mu    sync.Mutex
	most  int
	pairs map[string]Pair
}

func (c *pairCache) get(key string, make func() Pair) Pair {
	c.mu.Lock()
	p, known := c.pairs[key]
	c.mu.Unlock()
	if known {
		return p
	}
	p = make()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.pairs) >= c.most || c.pairs == nil {
		c.pairs = map[string]Pair{}
	}
	c.pairs[key] = p
	return p
}

// rangeGame is the recursion on a grid of losses from 0 up. Below 0 it follows from there:
// to whoever plays against the neighbour the same releases are open, so
// W(−x) = 1 − e^{−x} + e^{−x}·W(x).
type rangeGame struct {
	epsilon float64
	count   int
	arcs    int     // into which [0, ε] is divided
	step    float64 // of the grid
	last    int     // the grid ends at last·step, beyond which W is taken for its value there
	best    [][]uint8
}

const (
	leastArcs = 8   // the fewest that are worth it,
	mostArcs  = 200 // and the most
	// With arcs many the interval is about 2.5/arcs² wide, measured from 10 × 1 to 100 × 0.1;
	// so much of what is asked for is taken here, the rest is for the others.
	widthOfArcs = 2 * 2.5
	mostWork    = 6e7 // steps of all cells and corners for four digits: about a tenth of a second
)

func newRangeGame(epsilon, count, width float64) (*rangeGame, bool) {
	if !(epsilon > 1e-6 && epsilon < 50 && count >= 1 && count <= 1e6) || count != math.Trunc(count) {
		return nil, false
	}
	// (ε²/8)-zCDP: beyond end δ is less than 1e-35.
	rho := count * epsilon * epsilon / 8
	end := math.Min(count*epsilon, rho+math.Sqrt(4*80*rho))
	work := mostWork * math.Min(1, math.Sqrt(DefaultWidth/width))
	arcs := math.Min(mostArcs, math.Min(math.Ceil(math.Sqrt(widthOfArcs/width)), math.Floor(math.Sqrt(work*epsilon/(end*count)))))
	if !(arcs >= leastArcs) {
		return nil, false
	}
	g := &rangeGame{epsilon: epsilon, count: int(count), arcs: int(arcs), step: epsilon / arcs}
	g.last = int(math.Ceil(end / g.step))
	return g, true
}

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
func (g *rangeGame) thinned() int { return 1 + 2*g.last/mostListed }

// dominating is the loss with these values of the curve.
func (g *rangeGame) dominating(values []float64) *law {
	every := g.thinned()
	n := len(values) / every
	mesh, curve := make([]float64, 2*n+1), make([]float64, 2*n+1)
	for k := range n + 1 {
		x, v := float64(k*every)*g.step, values[min(k*every, g.last)]
		mesh[n+k], curve[n+k] = x, v
		mesh[n-k], curve[n-k] = -x, math.Min(1, -math.Expm1(-x)+math.Exp(-x)*v)
	}
	d := listed(mesh, curve, 16*ulp, nil)
	d.key = g.key("range-above")
	return d
}

func (g *rangeGame) key(name string) string {
	return name + "(" + number(g.epsilon) + "," + strconv.Itoa(g.count) + "," + strconv.Itoa(g.arcs) + ")"
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
