package scenarios

import (
	"fmt"
	"slices"
	"strconv"

	"epsiloscope/internal/format"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// Change is a difference between two scenarios.
type Change struct {
	Kind  ChangeKind
	Entry string // where, as in --set: "2", or "4.1.2" inside a block; "" for the scenario itself
	What  string // the entry, in a few words
	Field string // "" if the whole entry was added, removed or moved
	From  string
	To    string
	Whole *Entry // the entry, if it was added or removed
}

// ChangeKind says what happened.
type ChangeKind string

const (
	Changed ChangeKind = "changed"
	Added   ChangeKind = "added"
	Removed ChangeKind = "removed"
)

// Changes lists what turns a into b, field by field: the scenario's own first, then
// entry by entry. Entries are matched by mechanism and label, in order.
func Changes(a, b *Scenario) []Change {
	list := fieldChanges("", "", a, b, scenarioTable())
	return append(list, stackChanges("", a.Stack, b.Stack)...)
}

func stackChanges(prefix string, a, b []Entry) []Change {
	var list []Change
	for _, p := range align(a, b) {
		switch {
		case p.a < 0:
			list = append(list, Change{Kind: Added, Entry: prefix + strconv.Itoa(p.b+1), What: title(b[p.b]),
				To: b[p.b].Describe(), Whole: &b[p.b]})
		case p.b < 0:
			list = append(list, Change{Kind: Removed, Entry: prefix + strconv.Itoa(p.a+1), What: title(a[p.a]),
				From: a[p.a].Describe(), Whole: &a[p.a]})
		default:
			list = append(list, entryChanges(prefix+strconv.Itoa(p.b+1), a[p.a], b[p.b])...)
		}
	}
	return list
}

func title(e Entry) string {
	name := e.Mechanism
	if spec, ok := mechanisms.Lookup(e.Mechanism); ok {
		name = spec.Title
	}
	if e.Parallel != nil {
		name = "parallel block"
	}
	if e.Label != "" {
		return name + " “" + e.Label + "”"
	}
	return name
}

func entryChanges(at string, a, b Entry) []Change {
	list := fieldChanges(at, title(b), &a, &b, b.table())
	for i := range max(len(a.Parallel), len(b.Parallel)) {
		prefix := fmt.Sprintf("%s.%d.", at, i+1)
		var x, y []Entry
		if i < len(a.Parallel) {
			x = a.Parallel[i]
		}
		if i < len(b.Parallel) {
			y = b.Parallel[i]
		}
		list = append(list, stackChanges(prefix, x, y)...)
	}
	return list
}

// fieldChanges lists the fields of a table in which a and b differ.
func fieldChanges[T any](at, what string, a, b *T, t *format.Table[T]) []Change {
	var list []Change
	for i := range t.Leaves {
		f := &t.Leaves[i]
		if f.Aside && !f.Listed || !f.Single(a) {
			continue
		}
		from, to := f.Text(a), f.Text(b)
		if (f.Type == param.Scores || f.Type == param.Points) && from == to && !f.Equal(a, b) {
			to += " (others among them)" // the shortened lists look alike
		}
		if from != to {
			list = append(list, Change{Kind: Changed, Entry: at, What: what, Field: f.Short, From: from, To: to})
		}
	}
	return list
}

// matched holds the indices of an entry in the old stack and in the new one; −1 in the stack that
// lacks it.
type matched struct{ a, b int }

// maxAlign bounds the table of the alignment; longer stacks are matched by place.
const maxAlign = 4_000_000

// align matches two stacks in order: as many entries of the same mechanism and
// label as possible (a longest common subsequence), and between those, entries of
// the same mechanism by place.
func align(a, b []Entry) (list []matched) {
	same := func(i, j int) bool {
		return a[i].Mechanism == b[j].Mechanism && a[i].Label == b[j].Label &&
			(a[i].Parallel != nil) == (b[j].Parallel != nil)
	}
	head, endA, endB := 0, len(a), len(b)
	for head < endA && head < endB && same(head, head) {
		list = append(list, matched{head, head})
		head++
	}
	var tail []matched
	for endA > head && endB > head && same(endA-1, endB-1) {
		endA, endB = endA-1, endB-1
		tail = append(tail, matched{endA, endB})
	}
	slices.Reverse(tail)
	i, j := head, head
	for _, p := range longestCommonSubsequence(endA-head, endB-head, func(i, j int) bool {
		return same(head+i, head+j)
	}) {
		p = matched{head + p.a, head + p.b}
		list = append(append(list, pairBetweenMatches(a, b, i, p.a, j, p.b)...), p)
		i, j = p.a+1, p.b+1
	}
	return slices.Concat(list, pairBetweenMatches(a, b, i, endA, j, endB), tail)
}

// longestCommonSubsequence returns a longest list of pairs (i, j), i < n and j < m, both increasing, with same(i, j).
func longestCommonSubsequence(n, m int, same func(i, j int) bool) (list []matched) {
	if n*m > maxAlign {
		return nil
	}
	length := make([][]int32, n+1)
	for i := n; i >= 0; i-- {
		length[i] = make([]int32, m+1)
		for j := m - 1; j >= 0 && i < n; j-- {
			if same(i, j) {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case same(i, j):
			list = append(list, matched{i, j})
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return list
}

// pairBetweenMatches pairs the entries between two matches: the same mechanism at the same place is
// the same entry with another label; the rest was removed or added.
func pairBetweenMatches(a, b []Entry, i, n, j, m int) (list []matched) {
	for ; i < n || j < m; i, j = i+1, j+1 {
		switch {
		case i < n && j < m && a[i].Mechanism == b[j].Mechanism:
			list = append(list, matched{i, j})
			continue
		case i < n:
			list = append(list, matched{i, -1})
		}
		if j < m {
			list = append(list, matched{-1, j})
		}
	}
	return list
}
