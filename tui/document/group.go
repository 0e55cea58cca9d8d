package document

import (
	"errors"
	"slices"

	"epsiloscope/scenarios"
)

// Group makes the marked entries parallel branches of one block at the place of the first of them: they read
// disjoint parts of the data. If nothing is marked and a block is selected, it replaces the block by its entries.
func (d *Document) Group() error {
	row, ok := d.SelectedRow()
	if !ok {
		return ErrEmpty
	}
	paths := d.markedPaths()
	if len(paths) == 0 {
		if row.Block() {
			d.ungroup(row)
			return nil
		}
		return errors.New("mark the entries to group with space first; each becomes a branch on its own part of the data")
	}
	if len(paths) < 2 {
		return errors.New("a parallel block needs at least two branches: mark another entry with space")
	}
	for _, p := range paths[1:] {
		if !slices.Equal(p[:len(p)-1], paths[0][:len(paths[0])-1]) {
			return errors.New("entries of different branches cannot be grouped")
		}
	}
	d.group(paths)
	return nil
}

// group moves the entries at the paths, which are of one list, into a block at the first of them.
func (d *Document) group(paths []Path) {
	d.alter("group", paths[0], paths[0], func(list []scenarios.Entry, at int) []scenarios.Entry {
		block := scenarios.Entry{Count: 1, Sampling: 1}
		var rest []scenarios.Entry
		for i, e := range list {
			if slices.ContainsFunc(paths, func(p Path) bool { return p[len(p)-1] == i }) {
				block.Parallel = append(block.Parallel, branches(e)...)
			} else {
				rest = append(rest, e)
			}
		}
		return slices.Insert(rest, at, block)
	})
}

// branches returns the branches that an entry becomes in a new block: those of an enabled block with count 1, else the
// entry as one branch.
func branches(e scenarios.Entry) [][]scenarios.Entry {
	if len(e.Parallel) > 0 && e.Count == 1 && !e.Disabled {
		return e.Parallel
	}
	return [][]scenarios.Entry{{e}}
}

// ungroup replaces a block by the entries of its branches, in order. Their counts are multiplied by that of the
// block, and they are disabled if it was.
func (d *Document) ungroup(row Row) {
	d.alter("ungroup", row.Path, row.Path, func(list []scenarios.Entry, at int) []scenarios.Entry {
		block, entries := list[at], slices.Concat(list[at].Parallel...)
		for i := range entries {
			entries[i].Count *= block.Count
			entries[i].Disabled = entries[i].Disabled || block.Disabled
		}
		return slices.Replace(list, at, at+1, entries...)
	})
}
