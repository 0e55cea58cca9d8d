package oracle_test

import (
	"math"

	"epsiloscope/accounting/internal/oracle"
)

// A world is a handful of kinds of records, what a scenario's releases make of them,
// and so every pair of data sets that one person tells apart: each outcome of each
// mechanism on each of them can be listed. Nothing here knows of dominating pairs,
// amplification, group bounds, what a record that moves costs or which branch is the
// dearest.
type world struct {
	adjacency            oracle.Adjacency
	kinds, group, rounds int
	others               []int // kinds of the other people's records
	entries              []entry
	delta                float64
	rough                bool // some masses are good to float64 only
	generous             bool // attackers are told the most extreme likelihood ratio of a cell
	made                 map[string]int
	reached              float64 // how much of a promised δ the worst attack gets
}

// entry is a line of the stack: the releases an attacker may choose from every time,
// and how often. A fixed one is chosen once and repeated. Or it is a block.
type entry struct {
	fields   string
	number   float64 // of its own for absence; 0 is the stated one
	promise  promise
	queries  []*oracle.Query
	count    int
	fixed    bool
	branches [][]entry
	never    bool // records do not move: which branch a row is in is public
}

func (w *world) note(made ...string) {
	for _, what := range made {
		w.made[what]++
	}
}

func (w *world) pairs() [][2]oracle.Data {
	return w.adjacency.Neighbours(w.kinds, w.group, w.others)
}

// drawWorld draws a scenario and its world.
func drawWorld(d draw) *world {
	w := &world{
		adjacency: one(d, oracle.AddRemove, oracle.Replace, oracle.Replace, oracle.ZeroOut),
		group:     one(d, 1, 1, 1, 2, 2, 3),
		rounds:    one(d, 1, 1, 2),
		kinds:     d.between(2, 3),
		made:      map[string]int{},
	}
	if w.group == 3 {
		w.kinds = 2
	} else if d.IntN(3) == 0 {
		w.others = []int{d.IntN(w.kinds)}
	}
	for range d.between(1, 2) {
		if size := w.size(); size*size*size > most {
			break
		}
		if d.IntN(3) == 0 {
			w.entries = append(w.entries, w.drawBlock(d))
		} else {
			w.entries = append(w.entries, w.drawLine(d, w.drawAlso(d)))
		}
	}
	w.delta = d.target()
	w.note(string(w.adjacency))
	if w.group > 1 {
		w.note("group, " + string(w.adjacency))
	}
	return w
}

func (w *world) drawAlso(d draw) bool { return w.adjacency != oracle.AddRemove && d.IntN(2) == 0 }

// drawLine draws an entry, often enough repeated, as long as the attack stays small.
func (w *world) drawLine(d draw, also bool) entry {
	l := w.drawMechanism(d, also)
	l.count = one(d, 1, 1, 2, 3, 5, 9)
	pair := w.pairs()[0]
	outcomes := oracle.Size(l.stages(pair, nil)[:1])
	if l.count > 5 {
		if l.queries, l.fixed = l.queries[:1], true; len(l.queries[0].On(pair[0])) > 3 {
			l.count, l.fixed = 1, false
		}
	}
	for l.count > 1 && !l.fixed && math.Pow(float64(outcomes), float64(l.count*w.rounds)) > most/10 {
		l.count--
	}
	return l
}

// drawBlock draws branches on disjoint parts, at times one in which nothing is run.
// Half of those under replace say something of absence in every entry, and half of the
// others that nobody moves.
func (w *world) drawBlock(d draw) entry {
	b := entry{count: 1}
	also := w.drawAlso(d)
	b.never = w.adjacency != oracle.AddRemove && !also && d.IntN(2) == 0
	for range d.between(2, 3) {
		if len(b.branches) > 0 && d.IntN(5) == 0 {
			b.branches = append(b.branches, nil)
			continue
		}
		l := w.drawLine(d, also)
		if l.count > 2 && !l.fixed {
			l.count = 1
		}
		if len(b.branches) > 0 || w.rounds > 1 {
			l.queries = l.queries[:1]
		}
		branch := []entry{l}
		if d.IntN(6) == 0 {
			more := w.drawLine(d, also)
			more.queries, more.count, more.fixed = more.queries[:1], 1, false
			branch = append(branch, more)
		}
		b.branches = append(b.branches, branch)
	}
	w.note("block, " + string(w.adjacency))
	return b
}

func (w *world) size() int {
	pairs := w.pairs()
	return max(oracle.Size(w.attack(pairs[0])), oracle.Size(w.attack(pairs[len(pairs)-1])))
}

// stages returns what the releases show of two data sets.
func (e entry) stages(pair [2]oracle.Data, sees func(oracle.Record) bool) []oracle.Stage {
	return e.stagesSeen(pair, sees, false)
}

func (e entry) stagesSeen(pair [2]oracle.Data, sees func(oracle.Record) bool, generous bool) (stages []oracle.Stage) {
	var stage oracle.Stage
	for _, q := range e.queries {
		seen := q.Seen(pair[0].Part(sees), pair[1].Part(sees), generous)
		if e.fixed {
			seen = seen.Power(e.count)
		}
		stage = append(stage, oracle.Move{Seen: seen})
	}
	if e.fixed {
		return []oracle.Stage{stage}
	}
	for range e.count {
		stages = append(stages, stage)
	}
	return stages
}

// attack returns the whole scenario on one pair.
func (w *world) attack(pair [2]oracle.Data) (stages []oracle.Stage) {
	for range w.rounds {
		for _, e := range w.entries {
			if e.branches == nil {
				stages = append(stages, e.stagesSeen(pair, nil, w.generous)...)
			} else {
				stages = append(stages, e.cuts(pair, w.generous))
			}
		}
	}
	return stages
}

// cuts lets the attacker cut the data by what the records hold, or, where nobody moves,
// by their rows: each into a branch of its own, in any order round, or all into one. A
// zeroed record holds nothing to cut by.
func (e entry) cuts(pair [2]oracle.Data, generous bool) (stage oracle.Stage) {
	cut := func(part func(n int) int) {
		inside := []oracle.Stage{}
		for b, lines := range e.branches {
			for _, l := range lines {
				inside = append(inside, l.stagesSeen(pair, func(r oracle.Record) bool {
					if e.never {
						return part(r.Row) == b
					}
					return r.Kind != oracle.Zero && part(r.Kind) == b
				}, generous)...)
			}
		}
		stage = append(stage, oracle.Move{Inside: inside})
	}
	for shift := range e.branches {
		cut(func(n int) int { return (n + shift) % len(e.branches) })
		cut(func(int) int { return shift })
	}
	return stage
}
