package param

import (
	"slices"
	"strings"
)

// Alternative lists sets of parameters of which exactly one set is given
// (at most one, if Optional): {{"sigma"}, {"epsilon", "delta"}}.
type Alternative struct {
	Sets     [][]string
	Optional bool
}

// Check finds what is wrong with the choice between sets of parameters.
func (a Alternative) Check(v Values) *Error {
	var touched [][]string
	for _, set := range a.Sets {
		if slices.ContainsFunc(set, v.Has) {
			touched = append(touched, set)
		}
	}
	switch {
	case len(touched) == 0 && a.Optional:
		return nil
	case len(touched) == 0:
		return &Error{a.Sets[0][0], "is missing; give " + a.String()}
	case len(touched) > 1:
		set := touched[1]
		return &Error{set[slices.IndexFunc(set, v.Has)], "give only one of " + a.String()}
	}
	for _, name := range touched[0] {
		if !v.Has(name) {
			return &Error{name, "is missing; give " + a.String()}
		}
	}
	return nil
}

// String lists the sets: "sigma, or epsilon and delta".
func (a Alternative) String() string {
	sets := make([]string, len(a.Sets))
	comma := false
	for i, set := range a.Sets {
		sets[i] = strings.Join(set, " and ")
		comma = comma || len(set) > 1
	}
	last := len(sets) - 1
	separator := " or "
	if comma {
		separator = ", or "
	}
	return strings.Join(sets[:last], ", ") + separator + sets[last]
}
