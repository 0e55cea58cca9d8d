package ledger

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"epsiloscope/scenarios"
)

// Everything is all that was granted and not cancelled, as a scenario: what every
// column would say of it as a plan. Only what was charged to the block counts, and what
// was reserved from one time up to another; zero times leave that end open.
func (l *Ledger) Everything(block string, from, to time.Time) (*scenarios.Scenario, error) {
	all := scenarios.New()
	all.Name, all.Unit, all.Adjacency = l.Open.Data, l.Open.Unit, l.adjacency()
	all.Budget.Epsilon, _ = strconv.ParseFloat(l.Promise.Epsilon, 64) // checked on reading
	all.Budget.Delta, _ = strconv.ParseFloat(l.Promise.Delta, 64)
	known := map[string]*scenarios.Scenario{}
	place := map[string]int{}
	first := true
	for _, r := range l.Records {
		if !l.counts(r, block) || r.Stack == nil || !within(r.time(), from, to) {
			continue
		}
		key := fmt.Sprint(r.Rounds, r.Group, r.Records, string(r.Stack))
		s, ok := known[key]
		if !ok {
			var err error
			if s, err = r.Scenario(l.Open.Adjacency, l.Open.Unit); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", l.Path, r.Seq+1, err)
			}
			known[key] = s
		}
		if first {
			all.Group, all.Records, first = s.Group, s.Records, false
		}
		if s.Group != all.Group || s.Records != all.Records {
			return nil, errors.New("releases with different group or records cannot stand in one scenario")
		}
		for i := range s.Stack {
			at := fmt.Sprint(key, "|", i)
			if j, seen := place[at]; seen {
				all.Stack[j].Count += s.Stack[i].Count * s.Rounds
				continue
			}
			e := s.Stack[i].Clone()
			e.Count *= s.Rounds
			if j := slices.IndexFunc(all.Stack, func(o scenarios.Entry) bool { o.Count = e.Count; return o.Equal(e) }); j >= 0 && len(all.Stack) <= maxKinds {
				all.Stack[j].Count += e.Count
				place[at] = j
				continue
			}
			place[at] = len(all.Stack)
			all.Stack = append(all.Stack, e)
		}
	}
	return all, nil
}

// counts reports whether a record is a request that is held or committed and was
// charged to a block.
func (l *Ledger) counts(r Record, block string) bool {
	held := l.reserves[r.ID]
	if held == nil || held.record.Seq != r.Seq || held.state == Cancelled {
		return false
	}
	return block == "" || slices.Contains(r.Blocks, block)
}

func within(at, from, to time.Time) bool {
	return !at.Before(from) && (to.IsZero() || at.Before(to))
}
