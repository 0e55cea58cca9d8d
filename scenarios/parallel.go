package scenarios

import (
	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
)

// parallel is what one run of a block of branches on disjoint parts of the data
// costs.
func (ev *Evaluator) parallel(s *Scenario, e *Entry) promise {
	var all promise
	under := func(a mechanisms.Adjacency) ([][]accounting.Entry, error) {
		c := *s
		c.Adjacency = a
		return ev.branches(&c, e.Parallel, &all)
	}
	branches, err := under(mechanisms.AddRemove)
	if err != nil {
		return promise{err: err}
	}
	_ = branches
	return all
}

func (ev *Evaluator) branches(s *Scenario, list [][]Entry, all *promise) ([][]accounting.Entry, error) {
	branches := make([][]accounting.Entry, len(list))
	for i, branch := range list {
		for j := range branch {
			e := &branch[j]
			if e.Disabled {
				continue
			}
			p := ev.promise(s, e)
			if p.err != nil {
				return nil, p.err
			}
			all.notes = append(all.notes, p.notes...)
			branches[i] = append(branches[i], times(p.entries, e.Count)...)
		}
	}
	return branches, nil
}
