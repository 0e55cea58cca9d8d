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
	count := Field{Param: entryCount, Value: mechanisms.WholeValue(e.Count), Given: e.Count != 1}
	if e.Parallel != nil {
		return []Field{count}
	}
	spec, ok := mechanisms.Lookup(e.Mechanism)
	if !ok {
		return []Field{count}
	}
	fields := make([]Field, 0, len(spec.Params)+2)
	for _, p := range spec.Params {
		f := Field{Param: p, Excluded: len(rivals(spec, e.Values, p.Name)) > 0}
		if f.Value, f.Given = e.Values[p.Name]; !f.Given {
			f.Value = p.Initial
			if !p.Required && !p.Optional {
				f.Value = p.Default
			}
		}
		fields = append(fields, f)
	}
	return append(fields, count, Field{
		Param: samplingRate, Value: mechanisms.NumberValue(e.Sampling), Given: e.Sampling != 1,
	})
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
