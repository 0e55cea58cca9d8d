package document

import (
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// SetValue gives an entry a parameter and takes away those that it replaces: of ε
// and scale only the one set last stands in the file.
func SetValue(e *scenarios.Entry, name string, v mechanisms.Value) {
	values := e.Values.Clone()
	values[name] = v
	spec, _ := mechanisms.Lookup(e.Mechanism)
	for _, a := range spec.Alternatives {
		keep := setWith(a, name)
		if keep == nil {
			continue
		}
		known := Equivalents(e.Mechanism, e.Values)
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
					values[n] = mechanisms.NumberValue(x)
				}
			}
		}
	}
	e.Values = values
}

func setWith(a mechanisms.Alternative, name string) []string {
	for _, set := range a.Sets {
		if slices.Contains(set, name) {
			return set
		}
	}
	return nil
}

// Equivalents are the numbers an entry could have been given instead of those it
// states: the scale that its ε means, the σ of its ε and δ. They keep a form in
// step; what has no equivalent is absent.
func Equivalents(kind string, v mechanisms.Values) map[string]float64 {
	out := map[string]float64{}
	m, err := mechanisms.New(kind, v)
	if err != nil {
		return out
	}
	switch m := m.(type) {
	case mechanisms.Laplace:
		out["epsilon"], out["scale"] = m.Epsilon, m.Sensitivity/m.Epsilon
	case mechanisms.Geometric:
		out["epsilon"], out["scale"] = m.Epsilon, m.Sensitivity/m.Epsilon
	case mechanisms.Gaussian:
		out["sigma"], out["delta"] = m.Sigma, 1e-6
		if v.Has("delta") {
			out["delta"] = v["delta"].Number
		}
		out["epsilon"] = gaussianEpsilon(m, out["delta"])
	case mechanisms.RandomizedResponse:
		out["epsilon"] = m.Epsilon
		if m.Categories == 2 {
			out["gamma"] = math.Tanh(m.Epsilon/2) / 2
		}
		out["truth"] = 1 / (1 + (m.Categories-1)*math.Exp(-m.Epsilon))
	}
	return out
}

// gaussianEpsilon is the ε whose analytic calibration at δ is the mechanism's σ, from
// above. It is solved for in one search: screens ask for it while they are drawn.
func gaussianEpsilon(g mechanisms.Gaussian, delta float64) float64 {
	const least = 1e-17 // noise without end costs nothing, but an ε is greater than 0
	return math.Max(least, accounting.GaussianToEpsilon(g.Sensitivity/g.Sigma, delta))
}

// Number is the value of a numerical parameter: as given, else what follows from
// the others, else its default. False if it has none.
func Number(e *scenarios.Entry, p mechanisms.Param) (x float64, ok bool) {
	if v, given := e.Values[p.Name]; given {
		return v.Number, true
	}
	if p.Required || p.Optional {
		return 0, false
	}
	return p.Default.Number, p.Type == mechanisms.Number || p.Type == mechanisms.Whole
}
