package scenarios

import (
	"fmt"
	"strconv"

	"epsiloscope/mechanisms"
)

// Change is one difference between two scenarios.
type Change struct {
	Kind  ChangeKind
	Entry string // where, as in --set: "2", or "4.1.2" inside a block; "" for the scenario itself
	What  string // the entry, in a few words
	Field string // "" where the whole entry came, went or moved
	From  string
	To    string
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
	list := fieldChanges("", "", a, b, &scenarioTable)
	return append(list, stackChanges("", a.Stack, b.Stack)...)
}

func stackChanges(prefix string, a, b []Entry) []Change {
	var list []Change
	for _, p := range align(a, b) {
		switch {
		case p.a < 0:
			list = append(list, Change{Kind: Added, Entry: prefix + strconv.Itoa(p.b+1), What: title(b[p.b]), To: b[p.b].Describe()})
		case p.b < 0:
			list = append(list, Change{Kind: Removed, Entry: prefix + strconv.Itoa(p.a+1), What: title(a[p.a]), From: a[p.a].Describe()})
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

// fieldChanges compares what has one value, field by field.
func fieldChanges[T any](at, what string, a, b *T, t *table[T]) []Change {
	var list []Change
	for _, f := range t.leaves {
		x, y := f.at(a), f.at(b)
		from, single := textAt(f.Param, x)
		to, _ := textAt(f.Param, y)
		if !single || f.aside {
			continue
		}
		if (f.Type == mechanisms.Scores || f.Type == mechanisms.Points) && from == to && !sameAt(f.Param, x, y) {
			to += " (others among them)" // the shortened lists look alike
		}
		if from != to {
			list = append(list, Change{Kind: Changed, Entry: at, What: what, Field: f.short, From: from, To: to})
		}
	}
	return list
}
