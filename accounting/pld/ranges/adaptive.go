// Package ranges composes releases of ε-bounded range, such as selections: the largest δ that
// several allow at a loss, from above at the points of a mesh, and attackers who come close.
//
// Given the past, a release is worst if its loss is one of two, t or t−ε, where t lies in
// [0, ε] and may depend on the past. [Adaptive] is for releases of which each may be chosen by
// looking at the answers before it, [Fixed] for those that are all fixed before the first.
package ranges

import (
	"math"
	"strconv"

	"epsiloscope/accounting/pld/exact"
)

// Outcome is one of an attack: its loss, and its probability on either data set.
type Outcome struct{ Loss, P, Q float64 }

// Adaptive is the recursion on a grid of losses from 0 up. The largest δ at loss x that j
// releases allow is
//
//	W_0(x) = (1 − e^x)₊,   W_j(x) = max over t of p_t·W_{j−1}(x−t) + (1−p_t)·W_{j−1}(x−t+ε)
//
// with p_t = (e^ε − e^t)/(e^ε − 1) (Dong, Durfee & Rogers 2020). Below 0 it follows from there:
// to whoever plays against the neighbour the same releases are open, so
// W(−x) = 1 − e^{−x} + e^{−x}·W(x).
//
// From above: the points (Q, P) = (p_t·e^{−t}, p_t) are an arc, and the step is convex in
// the point, as p·w(yq/p) is the perspective of a convex function. So its largest value on the
// arc is no larger than at the corners of a polygon of tangents around it. Values between
// those of the grid are read off chords in e^x, which lie above. Both errors fall with the
// square of the number of arcs.
//
// From below: attackers who play at every step the grid's t next to the best corner. Their
// losses are on the grid, so what they reach from a point of the grid is exact. An attacker
// whose releases come last knows the losses of all others and aims from where he stands: his
// curve is the value of that game.
type Adaptive struct {
	epsilon float64
	count   int
	arcs    int     // into which [0, ε] is divided
	step    float64 // of the grid
}

const (
	leastArcs = 8   // the fewest that are worth it,
	mostArcs  = 200 // and the most
	// With arcs many the interval is about 2.5/arcs² wide, measured from 10 × 1 to 100 × 0.1;
	// so much of what is asked for is taken here, the rest is for the others.
	widthOfArcs = 2 * 2.5
	mostWork    = 6e7 // steps of all cells and corners for four digits: a tenth of a second, if all were taken
)

// NewAdaptive is the recursion for count releases; false where there are too many of them. The
// wider the interval may be, relative to ε, the less work it is.
func NewAdaptive(epsilon, count, width float64) (*Adaptive, bool) {
	if !(epsilon > 1e-6 && epsilon < 50 && count >= 1 && count <= 1e6) || count != math.Trunc(count) {
		return nil, false
	}
	work := mostWork * math.Min(1, math.Sqrt(1e-4/width))
	wanted := math.Min(mostArcs, math.Ceil(math.Sqrt(widthOfArcs/width)))
	affordable := math.Sqrt(work * epsilon / (end(epsilon, count) * count))
	if !(math.Min(wanted, affordable) >= leastArcs) {
		return nil, false
	}
	// Rounded up to one of few numbers, so that neighbouring counts have one grid.
	rounded := math.Ceil(leastArcs * math.Exp2(math.Ceil(2*math.Log2(affordable/leastArcs))/2))
	arcs := math.Min(wanted, rounded)
	return &Adaptive{epsilon: epsilon, count: int(count), arcs: int(arcs), step: epsilon / arcs}, true
}

// end is where the grid of count releases ends: they are (count·ε²/8)-zCDP, so beyond it δ is
// less than 1e-35.
func end(epsilon, count float64) float64 {
	rho := count * epsilon * epsilon / 8
	return math.Min(count*epsilon, rho+math.Sqrt(4*80*rho))
}

// last is the last cell of the grid of so many releases; beyond it W is taken for its value there. At
// the largest loss that is not 0, as it is read a little too far down, so there are two cells more.
func (g *Adaptive) last(releases int) int {
	return int(math.Ceil(end(g.epsilon, float64(releases))/g.step)) + 2
}

// String says which one it is: equal texts mean equal grids.
func (g *Adaptive) String() string {
	return "(" + strconv.FormatFloat(g.epsilon, 'g', -1, 64) + "," + strconv.Itoa(g.count) + "," + strconv.Itoa(g.arcs) + ")"
}

// Play are bounds of the curve at some losses from 0 up, with chords in e^x between them, and
// the outcomes of an attacker who aims at any loss of the grid.
func (g *Adaptive) Play() (losses, deltas []float64, aimed []Outcome) {
	now := unfinished.take(g)
	g.play(now)
	// How many steps of the grid make one of the lists, which are to be composed with others:
	// longer ones are dear, and a chord over a few hundredths of ε gives little away.
	last := len(now.values) - 1
	every := 1 + 2*last/exact.MostListed
	slack := 1 + 1e-12 + 2e-14*float64(g.count)
	for k := range (last+1)/every + 1 {
		losses, deltas = append(losses, float64(k*every)*g.step), append(deltas, now.values[min(k*every, last)]*slack)
	}
	aimed = g.outcomes(now.tests, every)
	unfinished.put(g, now)
	return losses, deltas, aimed
}
