package scenarios

import (
	"fmt"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
)

// parallel is what one run of a block of branches on disjoint parts of the data
// costs. Under add-remove a record is in one branch only. Under replace it may
// move: either out of one branch and into another, each at its add-remove cost, or
// it changes within one branch, at its replace cost. The block costs the dearer.
//
// Of a person with several records the worst case is that all are in one branch,
// as every currency grows at least in proportion to the group.
func (ev *Evaluator) parallel(s *Scenario, e *Entry) promise {
	stays, notes, err := ev.branches(s, e.Parallel)
	if err != nil {
		return promise{err: err}
	}
	cost := accounting.Parallel(stays, false)
	if s.Adjacency == mechanisms.Replace {
		plain := *s
		plain.Adjacency = mechanisms.AddRemove
		moves, _, err := ev.branches(&plain, e.Parallel)
		if err != nil {
			return promise{err: err}
		}
		moving := accounting.Parallel(moves, true)
		if accounting.Parallel(moves, false).Key() == cost.Key() {
			cost = moving // two branches are never cheaper than the dearer of them
		} else {
			cost = dearer(moving, cost)
		}
	}
	return promise{entries: []accounting.Entry{{Release: cost, Count: 1}}, notes: notes}
}

// dearer is the larger of two costs, in every currency.
func dearer(a, b accounting.Release) accounting.Release {
	return accounting.Parallel([][]accounting.Entry{{{Release: a, Count: 1}}, {{Release: b, Count: 1}}}, false)
}

// branches prices each branch. Of equal branches two are kept: no adjacency needs
// more, and a block may have thousands.
func (ev *Evaluator) branches(s *Scenario, list [][]Entry) (branches [][]accounting.Entry, notes []string, err error) {
	copies := map[string]int{}
	for _, branch := range list {
		var entries []accounting.Entry
		var key strings.Builder
		for j := range branch {
			e := &branch[j]
			if e.Disabled {
				continue
			}
			p := ev.promise(s, e)
			if p.err != nil {
				return nil, nil, p.err
			}
			notes = append(notes, p.notes...)
			for _, x := range times(p.entries, e.Count) {
				fmt.Fprintf(&key, "%s×%g;", x.Release.Key(), x.Count)
				entries = append(entries, x)
			}
		}
		if copies[key.String()]++; copies[key.String()] <= 2 {
			branches = append(branches, entries)
		}
	}
	return branches, notes, nil
}
