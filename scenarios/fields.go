package scenarios

import (
	"slices"

	"epsiloscope/mechanisms"
)

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
