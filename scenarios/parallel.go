package scenarios

import (
	"fmt"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
)

// parallel is what one run of a block of branches on disjoint parts of the data costs.
// A record that comes or goes is in one branch only. One that changes may stay in its
// branch, or leave it and enter another where that is not ruled out.
//
// The records of one person may be in several branches. If all of them in one branch is
// the worst case (see [Evaluator.worstInOneBranch]), the block is priced so. Otherwise it
// is priced as that many neighbouring steps of the whole block, which holds wherever the
// records are.
func (ev *Evaluator) parallel(s *Scenario, e *Entry) promise {
	moves, err := mayMove(s, e)
	if err != nil {
		return promise{err: err}
	}
	p := ev.placed(s, e, moves)
	if s.Adjacency == mechanisms.ZeroOut && e.Moves != "never" && p.err == nil {
		p.notes = append(p.notes, mechanisms.NoteZeroOut)
	}
	return p
}

// placed prices a block, given whether a record may move between its branches.
func (ev *Evaluator) placed(s *Scenario, e *Entry, moves bool) promise {
	if alike, notes, ok := ev.alike(s, e); ok && !moves {
		return promise{entries: alike, notes: notes}
	}
	if s.Group > 1 && (moves || !ev.worstInOneBranch(s, e)) {
		single := *s
		single.Group = 1
		p := ev.block(&single, e, moves)
		if p.err == nil {
			p.entries[0].Release = accounting.GroupOf(p.entries[0].Release, s.Group)
			p.notes = append(p.notes, mechanisms.NoteGroup)
		}
		return p
	}
	return ev.block(s, e, moves)
}

// alike prices a block of equal branches in which no record moves as one of them, release
// by release, so that every theorem can use it.
func (ev *Evaluator) alike(s *Scenario, e *Entry) (entries []accounting.Entry, notes []string, ok bool) {
	branches, notes, err := ev.branches(s, e.Parallel)
	if err != nil || len(branches) == 0 || len(branches) != min(2, len(e.Parallel)) {
		return nil, nil, false
	}
	if len(branches) == 2 && accounting.Composite(branches[0]).Key() != accounting.Composite(branches[1]).Key() {
		return nil, nil, false
	}
	return branches[0], notes, true
}

// worstInOneBranch reports whether, where no record moves, no spreading of a person's
// records is worse than all of them in the dearest branch.
//
// Let one branch cover all others for any number of records; then they may be taken for
// copies of it. Let f be the trade-off function of one of its releases, and f(j) that for
// j records, which is j steps of f chained. Records in two copies give f(j) ⊗ f(i), and a
// product lies above the chain through the middle (one copy changes, then the other),
// f(j+i). Likewise each release's divergence lies below the bound for j+i steps. The
// tighter bounds for sampled noise agree with that: a binomial number of records drawn
// into two noisy sums shifts no further than one drawn into one of them.
//
// Releases of one family for one record and for all of them scale alike in between.
func (ev *Evaluator) worstInOneBranch(s *Scenario, e *Entry) bool {
	single := *s
	single.Group = 1
	one, _, err := ev.branches(&single, e.Parallel)
	all, _, errAll := ev.branches(s, e.Parallel)
	if err != nil || errAll != nil || len(one) != len(all) {
		return false
	}
	first := accounting.Dearest(one)
	return first >= 0 && first == accounting.Dearest(all)
}

// block prices the block with all records of the person in one branch: the dearest
// branch and, where a record may move, out of one branch and into another, each at what
// its entries cost a record that is absent, whichever is dearer.
func (ev *Evaluator) block(s *Scenario, e *Entry, moves bool) promise {
	stays, notes, err := ev.branches(s, e.Parallel)
	if err != nil {
		return promise{err: err}
	}
	cost := accounting.Parallel(stays, false)
	if moves {
		plain := *s
		plain.Adjacency = mechanisms.AddRemove
		list, err := absentBranches(e.Parallel)
		if err != nil {
			return promise{err: err}
		}
		leaves, _, err := ev.branches(&plain, list)
		if err != nil {
			return promise{err: err}
		}
		moving := accounting.Parallel(leaves, true)
		if accounting.Parallel(leaves, false).Key() == cost.Key() {
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
// more, and a block may have thousands. A branch has some of the records, nobody says how
// many: a batch of the scenario's records would have too small a rate.
func (ev *Evaluator) branches(s *Scenario, list [][]Entry) (branches [][]accounting.Entry, notes []string, err error) {
	copies := map[string]int{}
	part := *s
	part.Records = 0
	for _, branch := range list {
		var entries []accounting.Entry
		var key strings.Builder
		for j := range branch {
			e := &branch[j]
			if e.Disabled {
				continue
			}
			at := &part
			if e.Parallel != nil {
				at = s // its branches see to it
			}
			p := ev.promise(at, e)
			if p.err != nil && s.Records > 0 && ev.promise(s, e).err == nil {
				p.err = refusal(problemPart)
			}
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

// problemPart is why the scenario's records do not count in a branch.
const problemPart = "A branch has only part of the scenario's records, and the rate of a batch depends on how many: " +
	"give records to the entry itself, or its sampling_rate."

// refusal is the reason why something has no price, in whole sentences.
type refusal string

func (r refusal) Error() string { return string(r) }

// mayMove reports whether a record that changes may leave one branch of a block for
// another. It is an error if a record may move and an entry does not bound its absence:
// then the answers of a branch, or their number, reveal who is in it.
func mayMove(s *Scenario, e *Entry) (bool, error) {
	if e.Moves == "never" || len(e.Parallel) < 2 || s.Adjacency == mechanisms.AddRemove {
		return false, nil
	}
	zeroed := true // a record that is zeroed is as good as gone, wherever it was
	var problem error
	for _, inner := range Enabled([]Entry{{Parallel: e.Parallel}}) {
		m, err := mechanisms.New(inner.Mechanism, inner.Values)
		switch {
		case err != nil: // its own error is found where it is priced
		case mechanisms.AsAbsent(m, s.Adjacency):
		case mechanisms.VouchesAbsence(m, inner.Also):
			zeroed = false
		default:
			zeroed = false
			problem = refusal(mechanisms.ProblemMoves(m))
		}
	}
	if problem != nil {
		return false, problem
	}
	return !zeroed, nil
}

// absentBranches are the branches with each entry's number for absence in place of its
// number for a changed record.
func absentBranches(branches [][]Entry) ([][]Entry, error) {
	block, err := Map([]Entry{{Parallel: branches}}, func(e *Entry) (err error) {
		if e.Also.AddRemove && e.Also.Number != 0 {
			e.Values, err = mechanisms.AbsentValues(e.Mechanism, e.Values, e.Also.Number)
		}
		e.Also = mechanisms.Also{}
		return err
	})
	if err != nil {
		return nil, err
	}
	return block[0].Parallel, nil
}
