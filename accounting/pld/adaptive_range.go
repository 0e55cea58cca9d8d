package pld

import (
	"math"
	"strconv"
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
// losses are on the grid, so what they reach from a point of the grid is exact. An attacker
// whose releases come last knows the losses of all others and aims from where he stands: his
// curve is the value of that game.
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
	mostWork    = 6e7 // steps of all cells and corners for four digits: a tenth of a second, if all were taken
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

func (g *rangeGame) key(name string) string {
	return name + "(" + number(g.epsilon) + "," + strconv.Itoa(g.count) + "," + strconv.Itoa(g.arcs) + ")"
}
