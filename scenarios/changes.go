package scenarios

import (
	"fmt"
	"slices"
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
	var list []Change
	add := func(field, from, to string) {
		if from != to {
			list = append(list, Change{Kind: Changed, Field: field, From: from, To: to})
		}
	}
	number := mechanisms.FormatNumber
	add("name", a.Name, b.Name)
	add("unit", a.Unit, b.Unit)
	add("adjacency", string(a.Adjacency), string(b.Adjacency))
	add("budget.epsilon", number(a.Budget.Epsilon), number(b.Budget.Epsilon))
	add("budget.delta", number(a.Budget.Delta), number(b.Budget.Delta))
	add("alpha", number(a.Alpha), number(b.Alpha))
	add("rounds", number(a.Rounds), number(b.Rounds))
	add("group", number(a.Group), number(b.Group))
	add("records", number(a.Records), number(b.Records))
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
	var list []Change
	add := func(field, from, to string) {
		if from != to {
			list = append(list, Change{Kind: Changed, Entry: at, What: title(b), Field: field, From: from, To: to})
		}
	}
	add("label", a.Label, b.Label)
	add("count", mechanisms.FormatNumber(a.Count), mechanisms.FormatNumber(b.Count))
	add("disabled", strconv.FormatBool(a.Disabled), strconv.FormatBool(b.Disabled))
	if a.Parallel != nil && b.Parallel != nil {
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
	add("mechanism", a.Mechanism, b.Mechanism)
	add("sampling", mechanisms.FormatNumber(a.Sampling), mechanisms.FormatNumber(b.Sampling))
	for _, name := range paramNames(a, b) {
		x, y := paramText(a, name), paramText(b, name)
		if va, vb := a.Values[name], b.Values[name]; x == y && !equalValues(va, vb) && len(va.Items)+len(vb.Items) > 0 {
			y += " (others among them)" // the shortened lists look alike
		}
		add(name, x, y)
	}
	return list
}

// paramNames are the parameters either entry knows, in declared order.
func paramNames(a, b Entry) []string {
	var names []string
	for _, e := range []Entry{a, b} {
		spec, _ := mechanisms.Lookup(e.Mechanism)
		for _, p := range spec.Params {
			if !slices.Contains(names, p.Name) {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

// paramText is a value as given, else its default, else nothing.
func paramText(e Entry, name string) string {
	spec, _ := mechanisms.Lookup(e.Mechanism)
	p, ok := spec.Param(name)
	if !ok {
		return ""
	}
	if v, given := e.Values[name]; given {
		return valueText(p, v)
	}
	if p.Required || p.Optional {
		return ""
	}
	return valueText(p, p.Default)
}
