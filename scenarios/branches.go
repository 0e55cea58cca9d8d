package scenarios

import (
	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
)

// maxCombinations bounds the sets of branches that are priced one by one.
const maxCombinations = 200

// NoteBranches is the note on a block whose branches have too many sets to price each.
var NoteBranches = mechanisms.Note{Code: "branches-bound", Text: "The branches differ too much to compare every set of them; the costliest is charged once per branch that one person can be in."}

func problemBranchesAndGroup(s *Scenario) string {
	return "and group (" + numeral.Format(s.Group) + ") are two ways to say what one person contributes; state one of them"
}

// priceSeveralBranches prices a block if the records of one person can be in max_branches branches: as many of the
// costliest add up. Unless records move, each set of so many branches is priced as a composition, and the largest price
// counts under every privacy notion. If a replaced record may move, what a person leaves and enters pairs the branches
// off, and each pair costs at most what the block costs for one branch.
func priceSeveralBranches(s *Scenario, e *Entry, moves bool, single entryPrice) entryPrice {
	n := min(e.Branches, float64(len(e.Parallel)))
	repeated := entryPrice{entries: accounting.Times(single.entries, n), notes: single.notes}
	if moves || n <= 1 {
		return repeated
	}
	kinds, notes, err := priceDistinctBranches(s, e.Parallel, int(n))
	if err != nil {
		return entryPrice{err: err}
	}
	sets, complete := chooseBranches(kinds, int(n))
	switch {
	case !complete:
		repeated.notes = append(notes, NoteBranches)
		return repeated
	case len(sets) == 1:
		return entryPrice{entries: sets[0], notes: notes}
	}
	return entryPrice{entries: []accounting.Entry{{Release: accounting.Parallel(sets, false), Count: 1}}, notes: notes}
}

// branchKind is a branch and how many equal ones there are.
type branchKind struct {
	entries []accounting.Entry
	copies  int
}

// priceDistinctBranches prices the branches and counts equal ones, up to n.
func priceDistinctBranches(
	s *Scenario, list [][]Entry, n int,
) (kinds []branchKind, notes []mechanisms.Note, err error) {
	index := map[string]int{}
	for i := range list {
		priced, more, err := priceBranches(s, list[i:i+1])
		if err != nil {
			return nil, nil, err
		}
		notes = append(notes, more...)
		key := accounting.KeyOf(accounting.Composite(priced[0]))
		j, known := index[key]
		if !known {
			j = len(kinds)
			index[key] = j
			kinds = append(kinds, branchKind{entries: priced[0]})
		}
		kinds[j].copies = min(n, kinds[j].copies+1)
	}
	return kinds, notes, nil
}

// chooseBranches returns every choice of n branches, each as one list of entries; complete is false if there are too
// many.
func chooseBranches(kinds []branchKind, n int) (sets [][]accounting.Entry, complete bool) {
	complete = true
	var choose func(from, left int, chosen []accounting.Entry)
	choose = func(from, left int, chosen []accounting.Entry) {
		switch {
		case !complete:
		case left == 0:
			sets = append(sets, accounting.Fold(chosen))
			complete = len(sets) <= maxCombinations
		case from < len(kinds):
			k := kinds[from]
			for copies := min(left, k.copies); copies >= 0 && complete; copies-- {
				with := chosen[:len(chosen):len(chosen)]
				if copies > 0 {
					with = append(with, accounting.Times(k.entries, float64(copies))...)
				}
				choose(from+1, left-copies, with)
			}
		}
	}
	choose(0, n, nil)
	return sets, complete && len(sets) > 0
}
