package document

import (
	"slices"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// setValue gives an entry a parameter and takes away those that it replaces: of ε
// and scale only the one set last stands in the file.
func setValue(e *scenarios.Entry, name string, v param.Value) {
	values := e.Values.Clone()
	values[name] = v
	spec := e.Spec()
	for _, a := range spec.Alternatives {
		keep := setWith(a, name)
		if keep == nil {
			continue
		}
		known := mechanisms.Equivalents(e.Mechanism, e.Values)
		for _, set := range a.Sets {
			for _, n := range set {
				if !slices.Contains(keep, n) {
					delete(values, n)
				}
			}
		}
		// The others of the same set come along at what they were worth, so that the
		// entry stays whole: σ replaced by ε needs a δ too.
		for _, n := range keep {
			if !values.Has(n) {
				p, _ := spec.Param(n)
				values[n] = p.Initial
				if x, ok := known[n]; ok {
					values[n] = param.NumberValue(x)
				}
			}
		}
	}
	e.Values = values
}

func setWith(a param.Alternative, name string) []string {
	for _, set := range a.Sets {
		if slices.Contains(set, name) {
			return set
		}
	}
	return nil
}

// Number is the value of a numerical parameter: as given, else what follows from
// the others, else its default. False if it has none.
func Number(e *scenarios.Entry, p param.Param) (x float64, ok bool) {
	if v, given := e.Values[p.Name]; given {
		return v.Number, true
	}
	if p.Required || p.Optional {
		return 0, false
	}
	return p.Default.Number, p.Type.Numeric()
}
