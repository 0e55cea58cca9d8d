package ranges

import (
	"math"
	"slices"
	"sync"
)

// The recursion, from above.

// game is the recursion as far as it is played.
type game struct {
	mesh
	played int       // releases
	values []float64 // W, up to rounding
	tests  tests     // of the attacker
}

// coarsen drops every second point of the mesh until it has so many arcs. Between the points that
// are left W lies below the chord, and attackers aim at those points as before.
func (now *game) coarsen(arcs int) {
	for now.arcs > arcs {
		now.mesh = newMesh(now.epsilon, now.arcs/2)
		last := len(now.values) - 1
		values, aims := make([]float64, now.length(now.played)), make(tests, now.length(now.played))
		for k := range values {
			values[k], aims[k] = now.values[min(2*k, last)], now.tests.testAt(2*k, 0)
		}
		now.values, now.tests = values, aims
	}
}

func (now *game) clone() *game {
	other := *now
	other.values, other.tests = slices.Clone(now.values), slices.Clone(now.tests)
	return &other
}

// unfinished keeps the last few games.
var unfinished games

const (
	maxKept    = 4    // games,
	keptGrowth = 1.25 // each at counts of releases that grow by this factor, for those who ask for fewer
)

type gameKey struct {
	epsilon float64
	finest  int
}

type games struct {
	mu   sync.Mutex
	kept map[gameKey]*keptGames
}

// keptGames are games that differ in their numbers of releases alone, by rising numbers; nobody changes them. One is
// played at a time, so that whoever waits goes on from where the one before has stopped.
type keptGames struct {
	mu  sync.Mutex
	all []*game
}

// keptFor returns the games of a recursion.
func (l *games) keptFor(g *Adaptive) *keptGames {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := gameKey{g.epsilon, g.finest}
	if l.kept == nil || l.kept[key] == nil && len(l.kept) >= maxKept {
		l.kept = map[gameKey]*keptGames{}
	}
	if l.kept[key] == nil {
		l.kept[key] = new(keptGames)
	}
	return l.kept[key]
}

// play plays a recursion, from the longest game that is kept.
func (l *keptGames) play(g *Adaptive) *game {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.longest(g)
	g.play(now)
	l.keep(now)
	return now
}

// longest returns a copy of the longest game with no more releases than asked for.
func (l *keptGames) longest(g *Adaptive) *game {
	for _, now := range slices.Backward(l.all) {
		if now.played <= g.count {
			return now.clone()
		}
	}
	return &game{mesh: newMesh(g.epsilon, g.finest), values: []float64{0}, tests: tests{{}}}
}

// keep keeps a game, in the place of those with nearly as many releases that are not the longest.
func (l *keptGames) keep(now *game) {
	all := append(l.all, now)
	slices.SortStableFunc(all, func(a, b *game) int { return a.played - b.played })
	some := all[:0:0]
	for i, one := range all {
		if i == len(all)-1 || len(some) == 0 || float64(one.played) >= keptGrowth*float64(some[len(some)-1].played) {
			some = append(some, one)
		}
	}
	l.all = some
}

// play is the recursion, from where it stands. The mesh of a round is as long and as fine as that round
// needs, so that what is left of one is the same wherever it began.
func (g *Adaptive) play(now *game) {
	for now.played < g.count {
		now.coarsen(g.arcsOf(now.played + 1))
		until := now.played + 1
		for until < g.count && g.arcsOf(until+1) == now.arcs {
			until++
		}
		now.playOn(until)
	}
}

// playOn plays on one mesh until so many releases are played.
func (now *game) playOn(until int) {
	pad, most := now.arcs+2, now.length(until)
	arc, points := now.newArc(), now.points()
	best, wide, aims := make([]uint8, most), make([]float64, most+2*pad), make(tests, most+2*pad)
	now.values, now.tests = slices.Grow(now.values, max(0, most-len(now.values))),
		slices.Grow(now.tests, max(0, most-len(now.tests)))
	for ; now.played < until; now.played++ {
		length := now.length(now.played + 1)
		now.widen(wide[:length+2*pad], pad)
		now.tests.widen(aims[:length+2*pad], pad, now.step)
		// Values of the round before are those of the ends of the arc, t = 0 and t = ε.
		now.values, now.tests = now.values[:length], now.tests[:length]
		copy(now.values, wide[pad:])
		clear(best)
		r := round{values: now.values, best: best, wide: wide, pad: pad}
		r.raiseAll(arc)
		follow(now.tests, aims, pad, best, points)
	}
}

// widen fills wide with the values, from −pad steps on, and with what is beyond the end.
func (now *game) widen(wide []float64, pad int) {
	last := len(now.values) - 1
	copy(wide[pad:], now.values)
	for k := 1; k <= pad; k++ {
		x := float64(k) * now.step
		wide[pad-k] = -math.Expm1(-x) + math.Exp(-x)*now.values[min(k, last)]
	}
	for k := pad + last + 1; k < len(wide); k++ {
		wide[k] = now.values[last]
	}
}
