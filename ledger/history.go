package ledger

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"epsiloscope/scenarios"
)

// Period is a span of time; a zero end is open.
type Period struct{ From, To time.Time }

func (p Period) isUnbounded() bool { return p == Period{} }

// SpentScenario returns everything that was granted, not cancelled and charged to the block as one scenario, to be
// evaluated as a plan fixed in advance.
func (l *Ledger) SpentScenario(block string) (*scenarios.Scenario, error) {
	var requests []Record // each once
	times := map[requestKey]float64{}
	for _, r := range l.Records {
		if l.counts(r, block) && r.Stack != nil {
			if times[r.key()]++; times[r.key()] == 1 {
				requests = append(requests, r)
			}
		}
	}
	all := l.emptyScenario()
	alike := map[string][]int{} // places in the stack, by what they are in words
	for i, r := range requests {
		s, err := r.Scenario(l.Open.Adjacency, l.Open.Unit)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", l.Path, r.Seq+1, err)
		}
		if i == 0 {
			all.Group, all.Records = s.Group, s.Records
		}
		if s.Group != all.Group || s.Records != all.Records {
			return nil, errors.New("releases with different group or records cannot stand in one scenario")
		}
		for _, e := range s.Stack {
			count := e.Count * s.Rounds * times[r.key()]
			e.Count = 1
			words := e.Describe()
			same := func(j int) bool { o := all.Stack[j]; o.Count = 1; return o.Equal(e) }
			if k := slices.IndexFunc(alike[words], same); k >= 0 {
				all.Stack[alike[words][k]].Count += count
				continue
			}
			e.Count = count
			alike[words] = append(alike[words], len(all.Stack))
			all.Stack = append(all.Stack, e)
		}
	}
	return all, nil
}

// emptyScenario returns a scenario with the ledger's promise as its budget and an empty stack.
func (l *Ledger) emptyScenario() *scenarios.Scenario {
	s := scenarios.New()
	s.Name, s.Unit, s.Adjacency = l.Open.Data, l.Open.Unit, l.adjacency()
	s.Budget = scenarios.Budget{Epsilon: l.terms.Epsilon, Delta: l.terms.Delta}
	return s
}

// cancellations lists the reasons of cancelled reservations, the first one first, each with how
// often it was given.
func (l *Ledger) cancellations() (list []string) {
	times := map[string]int{}
	var reasons []string
	for _, r := range l.Records {
		if r.Kind == KindCancel {
			if times[r.Reason]++; times[r.Reason] == 1 {
				reasons = append(reasons, r.Reason)
			}
		}
	}
	for _, reason := range reasons {
		list = append(list, fmt.Sprintf("%d × %s", times[reason], reason))
	}
	return list
}

// counts reports whether a record is a request that is held or committed and was
// charged to a block.
func (l *Ledger) counts(r Record, block string) bool {
	held := l.reservations[r.ID]
	if held == nil || held.Seq != r.Seq || held.state == Cancelled {
		return false
	}
	return block == "" || slices.Contains(r.Blocks, block)
}

// Point is the amount left in a block after a record.
type Point struct {
	At   time.Time
	Seq  int // of the record
	Left *big.Int
}

// History returns how the budget of a block was used up, oldest first, at no more than `most`
// points: the first and the last always, the others evenly over the records that changed it.
func (l *Ledger) History(block string, most int) ([]Point, error) {
	changes := func(r Record) bool {
		return r.Kind == KindOpen || (r.Cost != nil && r.Kind != KindRefuse || r.Kind == KindCancel ||
			r.Kind == KindCommit) &&
			(block == "" || slices.Contains(r.Blocks, block) || r.ID != "" && l.reservations[r.ID] != nil &&
				slices.Contains(l.reservations[r.ID].Blocks, block))
	}
	total := 0
	for _, r := range l.Records {
		if changes(r) {
			total++
		}
	}
	every := max(1, (total+most-1)/max(1, most-1))
	past := newLedger(l.Path)
	past.trusted = true
	var points []Point
	seen := 0
	for _, r := range l.Records {
		if err := past.replay(r); err != nil {
			return nil, err
		}
		if !changes(r) {
			continue
		}
		if seen++; (seen-1)%every == 0 || seen == total {
			past.expire(r.Time())
			points = append(points, Point{r.Time(), r.Seq, past.balance(block).Left})
		}
	}
	return points, nil
}
