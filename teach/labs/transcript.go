package labs

import (
	"math/rand/v2"
	"slices"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// transcript holds what an analyst sees of a run: randomized values, and values computed from them. Only tests keep
// one: they run a lab on its data and again on a neighbour with the same randomized values, and whatever else differs
// left the lab without noise.
type transcript struct {
	randomized []randomized
	published  []float64
	replayed   []randomized // of the run on the data; nil in that run itself
	next       int          // the randomized value of replayed that comes next
}

// randomized is a value with noise, or an answer or a choice that was drawn.
type randomized struct {
	seen  []float64
	exact []float64 // what it was drawn for, which no analyst sees
	// how far the cost of the run allows exact to move: its norm, or for a choice each of its entries
	sensitivity float64
	isChoice    bool
}

func (t *transcript) last() *randomized { return &t.randomized[len(t.randomized)-1] }

// isNeighbour reports whether one record of the lab's data is to be changed.
func (s *trial) isNeighbour() bool { return s.transcript != nil && s.transcript.replayed != nil }

// randomize returns the values that the analyst sees where exact ones were randomized to seen.
func (s *trial) randomize(exact, seen []float64, sensitivity float64) []float64 {
	t := s.transcript
	if t == nil {
		return seen
	}
	if s.isNeighbour() && t.next < len(t.replayed) {
		seen = t.replayed[t.next].seen
		t.next++
	}
	t.randomized = append(t.randomized, randomized{slices.Clone(seen), slices.Clone(exact), sensitivity, false})
	return seen
}

// randomizeOne is [trial.randomize] for one number.
func (s *trial) randomizeOne(exact, seen, sensitivity float64) float64 {
	if s.transcript == nil {
		return seen
	}
	return s.randomize([]float64{exact}, []float64{seen}, sensitivity)[0]
}

// randomizeAnswer is [trial.randomize] for an answer of yes or no that was drawn for one number.
func (s *trial) randomizeAnswer(exact float64, seen bool, sensitivity float64) bool {
	if s.transcript == nil {
		return seen
	}
	bit := 0.0
	if seen {
		bit = 1
	}
	return s.randomizeOne(exact, bit, sensitivity) == 1
}

// choose returns the candidate that the analyst sees chosen where at was drawn by the scores of items.
func (s *trial) choose(at int, items []param.Item, sensitivity float64) int {
	if s.transcript == nil {
		return at
	}
	scores := make([]float64, len(items))
	for i, item := range items {
		scores[i] = item.Value
	}
	at = int(s.randomize(scores, []float64{float64(at)}, sensitivity)[0])
	s.transcript.last().isChoice = true
	return at
}

// addReport adds the report of a person with the value v to counts, as a local protocol randomizes it.
func (s *trial) addReport(f mechanisms.Frequency, r *rand.Rand, v int, counts []float64) {
	if s.transcript == nil {
		f.AddReport(r, v, counts)
		return
	}
	report := make([]float64, len(counts))
	f.AddReport(r, v, report)
	for i, x := range s.randomize([]float64{float64(v)}, report, float64(len(counts))) {
		counts[i] += x
	}
}

// publish says that values leave the run which need no noise: they are computed from randomized ones and from nothing
// else.
func (s *trial) publish(values ...float64) {
	if s.transcript != nil {
		s.transcript.published = append(s.transcript.published, values...)
	}
}
