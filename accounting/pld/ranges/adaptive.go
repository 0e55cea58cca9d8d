// Package ranges composes releases of ε-bounded range, such as selections: the largest δ that
// several allow at a loss, from above at the points of a mesh, and attackers who come close.
//
// Given the past, a release is worst if its loss is one of two, t or t−ε, where t lies in
// [0, ε] and may depend on the past. [Adaptive] is for releases each of which may be chosen
// after the earlier answers, [Fixed] for those that are all fixed before the first.
package ranges

import (
	"math"
	"strconv"

	"epsiloscope/accounting/pld/exact"
)

// Outcome is an outcome of an attack: its loss, and its probability on either data set.
type Outcome struct{ Loss, P, Q float64 }

// Adaptive is the recursion on a mesh of losses from 0 up. The largest δ at loss x that j
// releases allow is
//
//	W_0(x) = (1 − e^x)₊,   W_j(x) = max over t of p_t·W_{j−1}(x−t) + (1−p_t)·W_{j−1}(x−t+ε)
//
// with p_t = (e^ε − e^t)/(e^ε − 1) (Dong, Durfee & Rogers 2020). Below 0 it follows from there:
// an attacker who plays against the neighbour has the same releases, so
// W(−x) = 1 − e^{−x} + e^{−x}·W(x).
//
// From above: the points (Q, P) = (p_t·e^{−t}, p_t) are an arc, and the step is convex in
// the point, because p·w(yq/p) is the perspective of a convex function. So its largest value on the
// arc is no larger than at the corners of a polygon of tangents around it. Values between
// those of the mesh are read off chords in e^x, which lie above. Both errors fall with the
// square of the number of arcs between tangents.
//
// From below: attackers who play at every step the mesh's t next to the best corner. Their
// losses are on the mesh, so what they reach from a point of the mesh is exact. An attacker
// whose releases come last knows the losses of all others and aims from where he stands: his
// curve is the value of that game.
//
// The more releases there are, the longer is the mesh. From time to time every second of its points
// is dropped, of the values as of the arc, so that a round stays affordable. Which rounds have how many
// arcs depends on ε and on the finest mesh alone: one more release is one more round, and a curve
// over the number of releases costs no more than its last point.
type Adaptive struct {
	epsilon float64
	count   int
	finest  int // arcs of the first rounds
}

const (
	minArcs = 8   // the fewest that are worth it,
	maxArcs = 224 // and the most
	// With n arcs throughout the interval is about 2.5/n² wide, measured from 10 × 1 to 100 × 0.1;
	// half of the width asked for is taken here, the rest is for the other errors.
	widthOfArcs = 2 * 2.5
	maxWork     = 6e7 // values times corners of all rounds, if each were computed, that maxArcs may cost
)

// NewAdaptive returns the recursion for count releases; false if there are too many of them. The
// wider the interval may be, relative to ε, the less work it is.
func NewAdaptive(epsilon, count, width float64) (*Adaptive, bool) {
	if !(epsilon > 1e-6 && epsilon < 50 && count >= 1 && count <= 1e6) || count != math.Trunc(count) {
		return nil, false
	}
	const halvings = 16 // a multiple of it can be halved four times
	wanted := math.Min(maxArcs, halvings*math.Ceil(math.Sqrt(widthOfArcs/width)/halvings))
	g := &Adaptive{epsilon: epsilon, count: int(count), finest: int(wanted)}
	return g, g.affordableArcs(count) >= minArcs
}

// affordableArcs returns how many arcs so many releases could have at every round.
func (g *Adaptive) affordableArcs(releases float64) float64 {
	work := maxWork * float64(g.finest) / maxArcs
	return math.Sqrt(work * g.epsilon / (end(g.epsilon, releases) * releases))
}

// arcsOf returns the number of arcs at a round, counted from 1: the finest, halved while it is too expensive.
func (g *Adaptive) arcsOf(round int) int {
	arcs, most := g.finest, math.Sqrt2*g.affordableArcs(float64(round))
	for arcs%2 == 0 && arcs/2 >= minArcs && float64(arcs) > most {
		arcs /= 2
	}
	return arcs
}

// end returns the loss at which the mesh of count releases ends: they are (count·ε²/8)-zCDP, so beyond it δ is
// less than 1e-35.
func end(epsilon, count float64) float64 {
	rho := count * epsilon * epsilon / 8
	return math.Min(count*epsilon, rho+math.Sqrt(4*80*rho))
}

// String returns a text that is equal for equal recursions.
func (g *Adaptive) String() string {
	return "(" + strconv.FormatFloat(g.epsilon, 'g', -1, 64) + "," + strconv.Itoa(g.count) + "," +
		strconv.Itoa(g.finest) + ")"
}

// Play returns upper bounds of the curve at some losses from 0 up, with chords in e^x between them, and
// the outcomes of an attacker who aims at any loss of the mesh.
func (g *Adaptive) Play() (losses, deltas []float64, aimed []Outcome) {
	now := unfinished.keptFor(g).play(g)
	// How many steps of the mesh make one of the lists, which are to be composed with others:
	// longer ones are expensive, and a chord over a few hundredths of ε gives little away.
	last := len(now.values) - 1
	every := 1 + 2*last/exact.MaxListed
	slack := 1 + 1e-12 + 2e-14*float64(g.count)
	for k := range (last+1)/every + 1 {
		losses, deltas = append(losses, float64(k*every)*now.step), append(deltas, now.values[min(k*every, last)]*slack)
	}
	aimed = g.outcomes(now, every)
	return losses, deltas, aimed
}
