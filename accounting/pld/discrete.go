package pld

import (
	"math"
	"sync"
)

// discrete is a loss with finitely many values: randomized response, the lattice
// mechanisms, and every stand-in that a chain of pairs leads to.
type discrete struct {
	key         string
	points      []atom // increasing loss
	top, bottom float64
	orders      float64 // reach; 0 means unlimited
	limit       func(alpha float64) float64
	shift       func(k float64) Pair // the same mechanism for k records, if known
	table       func() *deltaTable
	thin        *discrete // fewer points with the same Rényi sums, sampled or not; nil if there are none
}

func (d *discrete) Key() string { return d.key }

func (d *discrete) LogDelta(epsilon float64) float64 {
	if len(d.points) <= fewPoints {
		return logDeltaOf(d, epsilon)
	}
	return d.table().logDelta(epsilon)
}

func (d *discrete) Renyi(alpha float64) float64 {
	if alpha < 1 {
		alpha = 1
	}
	if d.limit != nil {
		bound := d.limit(alpha)
		if alpha > d.reach() {
			return bound
		}
		return math.Min(bound, renyi(d, alpha))
	}
	return renyi(d, alpha)
}

// thinned is a law with the same Rényi sums and fewer points, if there is one.
func (d *discrete) thinned() law {
	if d.thin != nil {
		return d.thin
	}
	return d
}

func (d *discrete) span() (lo, hi float64) {
	if len(d.points) == 0 {
		return 0, 0
	}
	return d.points[0].loss, d.points[len(d.points)-1].loss
}

func (d *discrete) atoms() []atom               { return d.points }
func (d *discrete) tails(float64) tails         { return tails{} }
func (d *discrete) continuous() bool            { return false }
func (d *discrete) ends() (top, bottom float64) { return d.top, d.bottom }
func (d *discrete) nodes(float64) []node        { return nil }

func (d *discrete) reach() float64 {
	if d.orders == 0 {
		return math.Inf(1)
	}
	return d.orders
}

// newDiscrete sorts the points and merges those of equal loss.
func newDiscrete(key string, points []atom, top, bottom float64) *discrete {
	points = merged(points)
	table := sync.OnceValue(func() *deltaTable { return newDeltaTable(points, top) })
	return &discrete{key: key, points: points, top: top, bottom: bottom, table: table}
}

// nothing is the pair of two equal distributions: a release that costs nothing.
func nothing() Pair { return symmetric(newDiscrete("nothing", []atom{{0, 1, 1}}, 0, 0)) }

// everything is a release that gives the record away.
func everything() Pair { return symmetric(newDiscrete("everything", nil, 1, 1)) }

// tooLarge is a release whose number is beyond what is computed with: it may give the
// record away, and costs no less than the largest that is.
func tooLarge(key string, largest Pair) Pair {
	return twoFaced(key, everything(), largest, "a number beyond what can be computed with is taken for no protection at all")
}

// unlistable is a loss of which nothing is known that could be put on a grid: it may give
// the record away, and it may cost nothing. What is only feared is no lower end.
func unlistable(key string) Loss {
	return &bracket{key, everything().Remove.(law), nothing().Remove.(law),
		"a release in it has too many steps or losses to be listed, so nothing is known from above"}
}
