package scenarios

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/internal/format"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// priceParallel returns the cost of one run of a parallel block. Under add-remove a record is in one
// branch only. A replaced record may stay in its branch or, unless the entry says moves: never, move
// to another.
//
// The records of one person may be in several branches. If all of them in one branch is the
// worst case (see worstInOneBranch), the block is priced so. Otherwise it is priced as that many
// neighbouring steps of the whole block, which holds wherever the records are.
func priceParallel(s *Scenario, e *Entry) entryPrice {
	moves, err := mayMove(s, e)
	if err != nil {
		return entryPrice{err: err}
	}
	if e.Branches > 1 && s.Group > 1 {
		return entryPrice{err: param.Errorf("max_branches", "%s", problemBranchesAndGroup(s))}
	}
	p := priceBlock(s, e, moves)
	if e.Branches > 1 && p.err == nil {
		p = priceSeveralBranches(s, e, moves, p)
	}
	if s.Adjacency == mechanisms.ZeroOut && e.Moves != "never" && p.err == nil {
		p.notes = append(p.notes, mechanisms.NoteZeroOut)
	}
	return p
}

// priceBlock prices a block, given whether a record may move between its branches.
func priceBlock(s *Scenario, e *Entry, moves bool) entryPrice {
	inOne := s.Group <= 1 || !moves && worstInOneBranch(s, e)
	if alike, notes, ok := priceEqualBranches(s, e); ok && !moves && inOne {
		return entryPrice{entries: alike, notes: notes}
	}
	if !inOne {
		if _, _, err := priceBranches(s, e.Parallel); err != nil {
			return entryPrice{err: err} // an entry that does not support several records has an error here too
		}
		single := *s
		single.Group = 1
		p := priceSingleBranch(&single, e, moves)
		if p.err == nil {
			p.entries[0].Release = accounting.GroupPrivacy(p.entries[0].Release, s.Group)
			p.notes = append(p.notes, mechanisms.NoteGroup)
		}
		return p
	}
	return priceSingleBranch(s, e, moves)
}

// priceEqualBranches prices a block of equal branches, between which no record moves, as one of them, release by
// release, so that every theorem can use it; ok is false if the branches differ.
func priceEqualBranches(s *Scenario, e *Entry) (entries []accounting.Entry, notes []mechanisms.Note, ok bool) {
	branches, notes, err := priceBranches(s, e.Parallel)
	if err != nil || len(branches) == 0 || len(branches) != min(2, len(e.Parallel)) {
		return nil, nil, false
	}
	key := func(branch []accounting.Entry) string { return accounting.KeyOf(accounting.Composite(branch)) }
	if len(branches) == 2 && key(branches[0]) != key(branches[1]) {
		return nil, nil, false
	}
	return branches[0], notes, true
}

// worstInOneBranch reports whether, if no record moves, no distribution of a person's records is
// worse than all of them in the costliest branch.
//
// Let one branch dominate all others for any number of records; then they may be treated as copies
// of it. Let f be the trade-off function of one of its releases, and f(j) that for j records,
// which is j steps of f chained. Records in two copies give f(j) ⊗ f(i), and a product lies
// above the chain through the middle (one copy changes, then the other), f(j+i). Likewise each
// release's divergence lies below the bound for j+i steps. The tighter bounds for sampled noise
// agree with that: a binomial number of records sampled into two noisy sums shifts no further
// than one sampled into one of them.
//
// A branch that dominates for one record and for all of them also dominates for the numbers in between, because
// releases of one family scale alike.
func worstInOneBranch(s *Scenario, e *Entry) bool {
	single := *s
	single.Group = 1
	one, _, err := priceBranches(&single, e.Parallel)
	all, _, errAll := priceBranches(s, e.Parallel)
	if err != nil || errAll != nil || len(one) != len(all) {
		return false
	}
	first := accounting.DominatingBranch(one)
	return first >= 0 && first == accounting.DominatingBranch(all)
}

// priceSingleBranch prices the block with all records of the person in one branch: the cost of the costliest
// branch or, if records may move, that of leaving one branch and entering another by the entries' add-remove
// guarantees, whichever is larger.
func priceSingleBranch(s *Scenario, e *Entry, moves bool) entryPrice {
	stays, notes, err := priceBranches(s, e.Parallel)
	if err != nil {
		return entryPrice{err: err}
	}
	cost := accounting.Parallel(stays, false)
	if moves {
		plain := *s
		plain.Adjacency = mechanisms.AddRemove
		list, err := s.addRemoveBranches(e.Parallel)
		if err != nil {
			return entryPrice{err: err}
		}
		leaves, _, err := priceBranches(&plain, list)
		if err != nil {
			return entryPrice{err: err}
		}
		moving := accounting.Parallel(leaves, true)
		if accounting.KeyOf(accounting.Parallel(leaves, false)) == accounting.KeyOf(cost) {
			cost = moving // two branches never cost less than the costlier of them
		} else {
			cost = maxCost(moving, cost)
		}
	}
	return entryPrice{entries: []accounting.Entry{{Release: cost, Count: 1}}, notes: notes}
}

// maxCost returns the larger of two costs, under every privacy notion.
func maxCost(a, b accounting.Release) accounting.Release {
	return accounting.Parallel([][]accounting.Entry{{{Release: a, Count: 1}}, {{Release: b, Count: 1}}}, false)
}

// priceBranches prices each branch. Of equal branches it keeps two: no adjacency needs more, and a block may
// have thousands.
func priceBranches(s *Scenario, list [][]Entry) (branches [][]accounting.Entry, notes []mechanisms.Note, err error) {
	copies := map[string]int{}
	part := s.ForBranch()
	for i, branch := range list {
		var entries []accounting.Entry
		var key strings.Builder
		for j := range branch {
			e := &branch[j]
			if e.Disabled {
				continue
			}
			p := priceEntry(part, e)
			if _, err := p.times(e.Count * s.Rounds); err != nil {
				return nil, nil, prefixErrorPath(format.WithIndex(format.WithIndex("parallel", i), j), err)
			}
			notes = append(notes, p.notes...)
			for _, x := range accounting.Times(p.entries, e.Count) {
				fmt.Fprintf(&key, "%s×%g;", accounting.KeyOf(x.Release), x.Count)
				entries = append(entries, x)
			}
		}
		if copies[key.String()]++; copies[key.String()] <= 2 {
			branches = append(branches, entries)
		}
	}
	return branches, notes, nil
}

// ForBranch returns the scenario as a branch sees it. It has an unknown number of the records,
// and the number for all of them bounds nothing: a batch of fewer records has a larger rate, and
// truncated batches displace more of 20,000 records than of a million.
func (s *Scenario) ForBranch() *Scenario {
	part := *s
	part.Records, part.wholeRecords = 0, cmp.Or(s.Records, s.wholeRecords)
	return &part
}

// prefixErrorPath puts the path of an entry before the field that an error names.
func prefixErrorPath(path string, err error) error {
	if p, ok := errors.AsType[*param.Error](err); ok {
		return &param.Error{Param: path + "." + p.Param, Problem: p.Problem}
	}
	return &param.Error{Param: path, Problem: err.Error()}
}
