package selfcheck

import (
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// The stacks of the reference figures, as a scenario file would state them.

func entry(p Params, mechanism string, values param.Values) []scenarios.Entry {
	return []scenarios.Entry{{
		Mechanism: mechanism, Values: values, Count: p.or("k", 1), Sampling: p.or("sampling", 1),
	}}
}

// stated is an entry with the fields that the figure states.
func stated(mechanism string, fields ...string) func(Params) []scenarios.Entry {
	return func(p Params) []scenarios.Entry {
		values := param.Values{}
		spec, _ := mechanisms.Lookup(mechanism)
		for _, field := range fields {
			if x, given := p[field].(float64); given {
				p, _ := spec.Param(field)
				values[field] = param.Value{Type: p.Type, Number: x}
			}
		}
		return entry(p, mechanism, values)
	}
}

var (
	laplace          = stated("laplace", "scale", "sensitivity")
	geometric        = stated("geometric", "scale", "sensitivity")
	discreteGaussian = stated("discrete-gaussian", "sigma", "sensitivity")
	zcdp             = stated("zcdp", "rho")
)

// gaussian is given by σ or by μ = 1/σ.
func gaussian(p Params) []scenarios.Entry {
	sigma := p.number("sigma")
	if m := p.number("mu"); m > 0 {
		sigma = 1 / m
	}
	return entry(p, "gaussian", param.Values{
		"sigma":       param.NumberValue(sigma),
		"sensitivity": param.NumberValue(p.or("sensitivity", 1)),
	})
}

func gaussianAndLaplace(p Params) []scenarios.Entry { return append(gaussian(p), laplace(p)...) }

// randomizedResponse states its categories as k, which is not a count here.
func randomizedResponse(p Params) []scenarios.Entry {
	return entry(Params{}, "randomized-response", param.Values{
		"truth":      param.NumberValue(p.number("p_truth")),
		"categories": param.WholeValue(p.number("k")),
	})
}

// pure is generic: ε, or (ε, δ) where a δ is stated. A rate q samples it.
func pure(p Params) []scenarios.Entry {
	values := param.Values{"epsilon": param.NumberValue(p.number("eps0"))}
	kind := "pure"
	if d := p.number("delta0"); d > 0 {
		kind, values["delta"] = "approximate", param.NumberValue(d)
	}
	list := entry(p, kind, values)
	list[0].Sampling = p.or("q", 1)
	return list
}

func pureList(p Params) []scenarios.Entry {
	var list []scenarios.Entry
	deltas := p.list("delta_list")
	for i, epsilon := range p.list("eps_list") {
		one := Params{"eps0": epsilon}
		if i < len(deltas) {
			one["delta0"] = deltas[i]
		}
		list = append(list, pure(one)...)
	}
	return list
}

// branches are mechanisms on disjoint parts of the data.
func branches(p Params) []scenarios.Entry {
	block := scenarios.Entry{Count: 1, Sampling: 1}
	for _, e := range pureList(p) {
		block.Parallel = append(block.Parallel, []scenarios.Entry{e})
	}
	return []scenarios.Entry{block}
}

func dpsgd(p Params) []scenarios.Entry {
	return entry(Params{}, "dp-sgd", param.Values{
		"noise_multiplier": param.NumberValue(p.number("sigma")),
		"sampling_rate":    param.NumberValue(p.number("q")),
		"steps":            param.WholeValue(p.or("k", 1)),
	})
}

// named is the mechanism that the figure names.
func named(p Params) []scenarios.Entry {
	switch p["mechanism"] {
	case "gaussian":
		return gaussian(p)
	case "laplace":
		return laplace(p)
	}
	return pure(p)
}
