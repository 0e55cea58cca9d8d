package scenarios

import (
	"fmt"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
)

// parallel is what one run of a block of branches on disjoint parts of the data
// costs. Of a person with several records the records may be in several branches.
// Where all being in one branch is the worst case (see [worstInOneBranch]), the block
// is priced so; else as that many neighbouring steps of the whole block, which holds
// wherever the records are.
func (ev *Evaluator) parallel(s *Scenario, e *Entry) promise {
	if alike, notes, ok := ev.alike(s, e); ok {
		return promise{entries: alike, notes: notes}
	}
	cost, notes, ordered, err := ev.block(s, e)
	if err != nil {
		return promise{err: err}
	}
	if s.Group > 1 && !ordered {
		single := *s
		single.Group = 1
		one, few, _, err := ev.block(&single, e)
		if err != nil {
			return promise{err: err}
		}
		cost, notes = accounting.GroupOf(one, s.Group), append(few, mechanisms.NoteGroup)
	}
	return promise{entries: []accounting.Entry{{Release: cost, Count: 1}}, notes: notes}
}

// alike is what a block of equal branches costs where records are added or removed:
// one of them, whichever it is, release by release, so that every theorem can use it.
func (ev *Evaluator) alike(s *Scenario, e *Entry) (entries []accounting.Entry, notes []string, ok bool) {
	if s.Adjacency == mechanisms.Replace || len(e.Parallel) == 0 {
		return nil, nil, false
	}
	branches, notes, err := ev.branches(s, e.Parallel)
	if err != nil || len(branches) != min(2, len(e.Parallel)) {
		return nil, nil, false
	}
	if len(branches) == 2 && accounting.Composite(branches[0]).Key() != accounting.Composite(branches[1]).Key() {
		return nil, nil, false
	}
	return branches[0], notes, true
}

// worstInOneBranch reports whether no spreading of a person's records is worse than
// all of them in the dearest branch, or under replace in the two dearest.
//
// Let one branch cover all others; then they may be taken for copies of it. Let f be
// the trade-off function of one of its releases, and f(j) that for j records, which
// is j steps of f chained. Records in two copies give f(j) ⊗ f(i), and a product lies
// above the chain through the middle (one copy changes, then the other), f(j+i). So
// does each release's divergence below that bound for j+i steps. Under replace each
// record takes two steps, at most one of them in any one copy unless it stays there;
// for two records the same argument folds every spreading into f(2) ⊗ f(2) or, if
// one stays, f(4). For more records it does not: three copies may see two steps each.
func worstInOneBranch(s *Scenario, branches [][]accounting.Entry) bool {
	return (s.Adjacency != mechanisms.Replace || s.Group <= 2) && accounting.Dearest(branches) >= 0
}

// block prices the block with all records of the person in one branch. Under
// add-remove a record is in one branch only. Under replace it may move: either out of
// one branch and into another, each at its add-remove cost, or it changes within one
// branch, at its replace cost. The block costs the dearer.
func (ev *Evaluator) block(s *Scenario, e *Entry) (cost accounting.Release, notes []string, ordered bool, err error) {
	stays, notes, err := ev.branches(s, e.Parallel)
	if err != nil {
		return nil, nil, false, err
	}
	cost = accounting.Parallel(stays, false)
	if s.Adjacency == mechanisms.Replace {
		plain := *s
		plain.Adjacency = mechanisms.AddRemove
		moves, _, err := ev.branches(&plain, e.Parallel)
		if err != nil {
			return nil, nil, false, err
		}
		moving := accounting.Parallel(moves, true)
		if accounting.Parallel(moves, false).Key() == cost.Key() {
			cost = moving // two branches are never cheaper than the dearer of them
		} else {
			cost = dearer(moving, cost)
		}
	}
	return cost, notes, s.Group <= 1 || worstInOneBranch(s, stays), nil
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
