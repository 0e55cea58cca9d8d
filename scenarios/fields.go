package scenarios

import (
	"slices"

	"epsiloscope/mechanisms"
)

// Field is one editable field of an entry.
type Field struct {
	Param mechanisms.Param
	Value mechanisms.Value // as given, else the default, else the initial value
	Given bool             // whether the entry states it
	// Excluded means that another field, given instead, stands in the way:
	// setting this one removes the other.
	Excluded bool
}

// Fields lists what an editor can change of an entry: its mechanism's parameters
// in their declared order, then count and sampling. A parallel block has a count
// only.
func Fields(e Entry) []Field {
	spec, _ := mechanisms.Lookup(e.Mechanism)
	var fields []Field
	for _, l := range e.table().leaves {
		f := Field{Param: l.Param}
		f.Param.Name = l.short
		switch at := l.at(&e).(type) {
		case *Entry:
			if f.Value, f.Given = at.Values[l.Name]; !f.Given && (l.Required || l.Optional) {
				f.Value = l.Initial
			} else if !f.Given {
				f.Value = l.Default
			}
			f.Excluded = len(rivals(spec, e.Values, l.Name)) > 0
		case *float64:
			f.Value, f.Given = mechanisms.Value{Type: l.Type, Number: *at}, *at != l.Default.Number
		default:
			continue
		}
		fields = append(fields, f)
	}
	return fields
}

// rivals are the given parameters that exclude the named one: those of the other
// sets of an alternative it belongs to.
func rivals(spec mechanisms.Spec, v mechanisms.Values, name string) []string {
	var found []string
	for _, a := range spec.Alternatives {
		if !inAlternative(a, name) {
			continue
		}
		for _, set := range a.Sets {
			if slices.Contains(set, name) {
				continue
			}
			for _, other := range set {
				// A name may stand in several sets; it is no rival of itself.
				if v.Has(other) && !sharesSet(a, name, other) {
					found = append(found, other)
				}
			}
		}
	}
	return found
}

func inAlternative(a mechanisms.Alternative, name string) bool {
	for _, set := range a.Sets {
		if slices.Contains(set, name) {
			return true
		}
	}
	return false
}

func sharesSet(a mechanisms.Alternative, x, y string) bool {
	for _, set := range a.Sets {
		if slices.Contains(set, x) && slices.Contains(set, y) {
			return true
		}
	}
	return false
}

// NewEntry is an entry as an editor starts it, with the catalogue's initial values.
func NewEntry(mechanism string) (Entry, error) {
	spec, ok := mechanisms.Lookup(mechanism)
	if !ok {
		return Entry{}, &mechanisms.ParamError{Param: "mechanism", Problem: mechanisms.UnknownMechanism(mechanism)}
	}
	return Entry{Mechanism: mechanism, Count: 1, Sampling: 1, Values: spec.Initials()}, nil
}
