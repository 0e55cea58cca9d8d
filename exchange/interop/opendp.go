package interop

import (
	"slices"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// readOpenDP reads a serialized measurement: JSON of constructor calls. The noise
// measurements and compositions are understood; the sensitivity is taken as 1, as a
// serialized measurement does not say for which d_in it will be used.
func readOpenDP(rec *Record, data []byte) {
	rec.remark("a serialized measurement does not say at which sensitivity it is used; 1 was taken")
	w := odpWalker{rec: rec}
	top := parseJSON(data)
	if top.kind != list {
		top.items = []node{top}
	}
	for _, m := range top.items {
		w.walk(m, nil)
	}
	if w.chained && w.adjacency != "" && w.adjacency != string(mechanisms.AddRemove) {
		refuse("", "a transformation counts inserted and deleted records: under %s a changed record is two of them; import the measurement alone, its scale divided by the sensitivity", w.adjacency)
	}
	if w.adjacency == "" {
		rec.remark("the record names no neighbouring relation; adjacency %s was taken", rec.Scenario.Adjacency)
	} else {
		rec.Scenario.Adjacency = mechanisms.Adjacency(w.adjacency)
	}
}

type odpWalker struct {
	rec       *Record
	adjacency string // as our own export writes it beside the outermost calls
	chained   bool   // some measurement is chained with a transformation
}

// odpCall returns a constructor call: {"__function__": …, "__module__": …, "__kwargs__": …}.
func odpCall(n node, extra ...string) (function, module string, kwargs node, f fields) {
	n.want(object, "a call")
	f = n.fields("a call", append(extra, "__function__", "__module__", "__kwargs__", "__version__")...)
	kwargs = node{at: n.at, kind: object}
	if f.has("__kwargs__") {
		kwargs = f.node("__kwargs__")
		kwargs.want(object, "__kwargs__")
	}
	if f.has("__version__") {
		f.node("__version__").string("__version__")
	}
	return f.identifier("__function__"), f.identifier("__module__"), kwargs, f
}

// walk adds what a measurement costs. If it is chained, its input is given: the output of the
// transformation before it, and a measurement of anything else is refused.
func (w *odpWalker) walk(n node, given *odpSpace) {
	function, module, kwargs, f := odpCall(n, "adjacency")
	if f.has("adjacency") {
		a := f.node("adjacency")
		known := scenarios.ScenarioField("adjacency").Choices
		if v := a.string("adjacency"); !slices.Contains(known, v) || w.adjacency != "" && w.adjacency != v {
			refuse(a.at, "adjacency must be one of %s, and the same throughout", strings.Join(known, ", "))
		}
		w.adjacency = a.text
	}
	switch module {
	case "measurements":
		w.readMeasurement(n, function, kwargs, given)
	case "combinators":
		w.readCombinator(n, function, kwargs, given)
	default:
		refuse(n.at, "%s of the module %q is not a measurement that is known", function, module)
	}
}

// readCombinator composes measurements, or changes only how their cost is expressed.
func (w *odpWalker) readCombinator(n node, function string, kwargs node, given *odpSpace) {
	switch function {
	case "make_composition", "make_basic_composition":
		measurements := kwargs.fields(function, "measurements").node("measurements")
		if len(measurements.list("measurements")) == 0 {
			refuse(measurements.at, "%s of nothing", function)
		}
		for _, m := range measurements.items {
			w.walk(m, given)
		}
	case "make_zCDP_to_approxDP", "make_pureDP_to_zCDP", "make_approximate":
		w.walk(kwargs.fields(function, "measurement").node("measurement"), given)
	case "make_chain_mt":
		f := kwargs.fields(function, "measurement1", "transformation0")
		in, out := w.readTransformation(f.node("transformation0"))
		w.chained = true
		given.checkInput(n.at, in)
		w.walk(f.node("measurement1"), &out)
	default:
		refuse(n.at, "%s spends privacy in a way that is not known here", function)
	}
}

// readMeasurement adds one noise measurement.
func (w *odpWalker) readMeasurement(n node, function string, kwargs node, given *odpSpace) {
	add := func(mechanism string, params map[string]float64) { w.rec.add(newEntry(mechanism, 1, params)) }
	switch function {
	case "make_laplace", "make_geometric", "make_gaussian":
		f := kwargs.fields(function, "input_domain", "input_metric", "scale", "k", "bounds", "MO")
		if f.has("k") && f.node("k").kind != null {
			refuse(f.node("k").at, "k makes the noise coarser, which is not priced here")
		}
		w.remarkOnIgnoredArguments(f, "bounds", "MO")
		whole, vector := w.readDomain(f.node("input_domain"))
		given.checkInput(n.at, spaceOf(f))
		if function == "make_gaussian" {
			w.checkMetric(f.node("input_metric"), map[bool]string{false: "absolute_distance", true: "l2_distance"}[vector])
			add(map[bool]string{false: "gaussian", true: "discrete-gaussian"}[whole], map[string]float64{"sigma": f.positiveNumber("scale")})
		} else {
			w.checkMetric(f.node("input_metric"), map[bool]string{false: "absolute_distance", true: "l1_distance"}[vector])
			add(map[bool]string{false: "laplace", true: "geometric"}[whole], map[string]float64{"scale": f.positiveNumber("scale")})
		}
	case "make_randomized_response_bool":
		f := kwargs.fields(function, "prob", "constant_time")
		given.checkInput(n.at, odpSpace{"one value", "bool", "discrete_distance"})
		w.remarkOnIgnoredArguments(f, "constant_time")
		add("randomized-response", map[string]float64{"truth": f.positiveNumber("prob")})
	case "make_randomized_response":
		f := kwargs.fields(function, "categories", "prob", "T")
		given.checkInput(n.at, odpSpace{"one value", "a category", "discrete_distance"})
		w.remarkOnIgnoredArguments(f, "T")
		add("randomized-response", map[string]float64{"truth": f.positiveNumber("prob"), "categories": float64(len(f.node("categories").list("categories")))})
	case "make_noisy_max":
		f := kwargs.fields(function, "input_domain", "input_metric", "output_measure", "scale", "negate")
		w.remarkOnIgnoredArguments(f, "negate")
		w.readDomain(f.node("input_domain"))
		given.checkInput(n.at, spaceOf(f))
		w.checkMetric(f.node("input_metric"), "linf_distance")
		// Scores may move either way: ε is 2/scale at distance 1.
		e := newEntry("noisy-max", 1, map[string]float64{"epsilon": 2 / f.positiveNumber("scale")})
		measure, module, kw, _ := odpCall(f.node("output_measure"))
		switch {
		case module == "measures" && measure == "max_divergence" && len(kw.parts) == 0:
			e.Values["noise"] = param.ChoiceValue("exponential") // permute and flip
		case module == "measures" && measure == "zero_concentrated_divergence" && len(kw.parts) == 0:
			e.Values["noise"] = param.ChoiceValue("gumbel")
		default:
			refuse(n.at, "the measure %s is not known", measure)
		}
		w.rec.add(e)
	default:
		refuse(n.at, "%s spends privacy in a way that is not known here", function)
	}
}

// remarkOnIgnoredArguments remarks on arguments that do not change the cost.
func (w *odpWalker) remarkOnIgnoredArguments(f fields, names ...string) {
	for _, name := range names {
		if f.has(name) && f.node(name).kind != null {
			w.rec.remark("%s of %s has no effect on the cost", name, f.owner)
		}
	}
}
