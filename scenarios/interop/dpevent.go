package interop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// readDpEvent reads a DpEvent tree of dp_accounting, either as JSON of its named
// tuples ({"module_name": …, "class_name": …, fields}), as repr prints it, or as the
// `event = …` of a Python file such as [Export] writes.
func readDpEvent(data []byte) (*Record, error) {
	var tree node
	var err error
	if t := bytes.TrimSpace(data); len(t) > 0 && (t[0] == '{' || t[0] == '[') {
		var v any
		if err := json.Unmarshal(t, &v); err != nil {
			return nil, jsonProblem(t, err)
		}
		tree, err = eventNode(v, 0)
	} else if n, found, assignErr := parseAssigned(string(data), "event"); found {
		tree, err = n, assignErr
	} else {
		tree, err = parseLiteral(string(data))
	}
	if err != nil {
		return nil, err
	}
	rec := record("dp_accounting")
	rec.noDelta()
	rec.assigned(string(data))
	w := eventWalker{rec: rec}
	if tree.list {
		tree = node{call: "ComposedDpEvent", fields: map[string]node{"events": tree}}
	}
	w.walk("event", tree, 1)
	if len(w.refused) > 0 {
		return nil, fmt.Errorf("these events spend privacy and have no counterpart in a scenario; "+
			"replace them by an approximate, zcdp or rdp entry with their known guarantee:\n  %s",
			strings.Join(w.refused, "\n  "))
	}
	return rec, w.err
}

// assigned takes rounds and delta from Python code that sets them beside the event.
func (r *Record) assigned(src string) {
	if n, ok, err := parseAssigned(src, "rounds"); ok && err == nil && n.isNum {
		r.Scenario.Rounds = n.number
	}
	if n, ok, err := parseAssigned(src, "delta"); ok && err == nil && n.isNum {
		r.Scenario.Budget.Delta = n.number
		r.Remarks = nil // the only remark so far says that δ is missing
	}
}

// eventNode turns decoded JSON into the same tree that repr gives.
func eventNode(v any, depth int) (node, error) {
	if depth > maxDepth {
		return node{}, fmt.Errorf("nested more than %d deep", maxDepth)
	}
	switch v := v.(type) {
	case float64:
		return node{isNum: true, number: v}, nil
	case string:
		return node{text: v}, nil
	case bool:
		return node{text: fmt.Sprint(v)}, nil
	case nil:
		return node{text: "None"}, nil
	case []any:
		n := node{list: true}
		for _, x := range v {
			item, err := eventNode(x, depth+1)
			if err != nil {
				return node{}, err
			}
			n.args = append(n.args, item)
		}
		return n, nil
	case map[string]any:
		class, ok := v["class_name"].(string)
		if !ok {
			return node{}, fmt.Errorf("an event without class_name (fields: %s)", strings.Join(sortedKeys(v), ", "))
		}
		n := node{call: class, fields: map[string]node{}}
		for k, x := range v {
			if k == "class_name" || k == "module_name" {
				continue
			}
			field, err := eventNode(x, depth+1)
			if err != nil {
				return node{}, err
			}
			n.fields[k] = field
		}
		return n, nil
	}
	return node{}, fmt.Errorf("unexpected value in the tree")
}

// eventWalker collects the entries of a tree; refused are the events that spend
// privacy in a way a scenario cannot say.
type eventWalker struct {
	rec     *Record
	refused []string
	err     error
}

// positional names the fields of each event in declaration order, so that a repr
// without keywords is understood too.
var positional = map[string][]string{
	"RandomizedResponseDpEvent":          {"noise_parameter", "num_buckets"},
	"EpsilonDeltaDpEvent":                {"epsilon", "delta"},
	"GaussianDpEvent":                    {"noise_multiplier"},
	"LaplaceDpEvent":                     {"noise_multiplier"},
	"DiscreteLaplaceDpEvent":             {"noise_parameter", "sensitivity"},
	"DiscreteGaussianDpEvent":            {"sigma", "sensitivity", "dimension"},
	"SelfComposedDpEvent":                {"event", "count"},
	"ComposedDpEvent":                    {"events"},
	"PoissonSampledDpEvent":              {"sampling_probability", "event"},
	"SampledWithReplacementDpEvent":      {"source_dataset_size", "sample_size", "event"},
	"SampledWithoutReplacementDpEvent":   {"source_dataset_size", "sample_size", "event"},
	"SingleEpochTreeAggregationDpEvent":  {"noise_multiplier", "step_counts"},
	"RepeatAndSelectDpEvent":             {"event", "mean", "shape"},
	"MixtureOfGaussiansDpEvent":          {"standard_deviation", "sensitivities", "sampling_probs"},
	"ZCDpEvent":                          {"rho", "xi"},
	"ExponentialMechanismDpEvent":        {"epsilon"},
	"PermuteAndFlipDpEvent":              {"epsilon"},
	"TruncatedSubsampledGaussianDpEvent": {"dataset_size", "sampling_probability", "truncated_batch_size", "noise_multiplier"},
	"NoOpDpEvent":                        {},
	"NonPrivateDpEvent":                  {},
	"UnsupportedDpEvent":                 {},
}

// field finds a field by keyword or position.
func (n node) field(name string) (node, bool) {
	if v, ok := n.fields[name]; ok {
		return v, true
	}
	for i, p := range positional[n.call] {
		if p == name && i < len(n.args) {
			return n.args[i], true
		}
	}
	return node{}, false
}

func (w *eventWalker) number(where string, n node, name string, fallback float64) float64 {
	v, ok := n.field(name)
	switch {
	case !ok && !math.IsNaN(fallback):
		return fallback
	case !ok:
		w.fail(fmt.Errorf("%s: %s lacks %s", where, n.call, name))
	case v.text == "None" && !math.IsNaN(fallback):
		return fallback
	case !v.isNum:
		w.fail(fmt.Errorf("%s: %s of %s must be a number", where, name, n.call))
	}
	return v.number
}

func (w *eventWalker) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *eventWalker) refuse(where string, n node, why string) {
	w.refused = append(w.refused, fmt.Sprintf("%s: %s: %s", where, n.call, why))
}

var required = math.NaN()

// walk adds what one event costs, count times.
func (w *eventWalker) walk(where string, n node, count float64) {
	if w.err != nil {
		return
	}
	switch n.call {
	case "":
		w.fail(fmt.Errorf("%s: expected an event", where))
	case "NoOpDpEvent":
	case "ComposedDpEvent":
		events, _ := n.field("events")
		for i, e := range events.args {
			w.walk(fmt.Sprintf("%s.events[%d]", where, i), e, count)
		}
	case "SelfComposedDpEvent":
		inner, ok := n.field("event")
		times := w.number(where, n, "count", required)
		if !ok || w.err != nil {
			w.fail(fmt.Errorf("%s: SelfComposedDpEvent needs event and count", where))
			return
		}
		if err := wholeCount(where+".count", times); err != nil {
			w.fail(err)
			return
		}
		w.walk(where+".event", inner, count*times)
	case "PoissonSampledDpEvent":
		w.sampled(where, n, count)
	case "SampledWithoutReplacementDpEvent":
		inner, _ := n.field("event")
		w.rec.remark("sampling without replacement is not amplified here: the cost shown is that without sampling, which is never smaller")
		w.walk(where+".event", inner, count)
	default:
		if e, ok := w.leaf(where, n, count); ok && w.err == nil {
			w.rec.add(e)
		}
	}
}

// sampled is Poisson sampling around one event. Several Gaussians run on the same
// sample merge into one exactly; several pure releases add up to one pure release.
func (w *eventWalker) sampled(where string, n node, count float64) {
	q := w.number(where, n, "sampling_probability", required)
	inner, ok := n.field("event")
	if !ok {
		w.fail(fmt.Errorf("%s: PoissonSampledDpEvent needs an event", where))
	}
	if w.err != nil {
		return
	}
	if !(q >= 0 && q <= 1) {
		w.fail(fmt.Errorf("%s.sampling_probability: must be between 0 and 1, got %s", where, mechanisms.FormatNumber(q)))
		return
	}
	if q == 0 {
		return
	}
	sub := eventWalker{rec: record("")}
	sub.walk(where+".event", inner, 1)
	w.refused = append(w.refused, sub.refused...)
	if sub.err != nil {
		w.fail(sub.err)
		return
	}
	for _, text := range sub.rec.Remarks {
		w.rec.remark("%s", text)
	}
	e, ok := mergeRun(sub.rec.Scenario.Stack)
	if !ok {
		w.refuse(where, n, "one sample is used for several unlike events; their joint amplification is not known here")
		return
	}
	if e.Mechanism == "" {
		return
	}
	if e.Mechanism == "gaussian" && q < 1 {
		s, err := sgd(where, e.Values["sigma"].Number, q, count)
		if err != nil {
			w.fail(err)
			return
		}
		w.rec.add(s)
		return
	}
	e.Count, e.Sampling = count, q
	w.rec.add(e)
}

// mergeRun turns the releases made on one sample into a single entry.
func mergeRun(stack []scenarios.Entry) (scenarios.Entry, bool) {
	if len(stack) == 0 {
		return scenarios.Entry{}, true
	}
	if len(stack) == 1 && stack[0].Count == 1 {
		return stack[0], stack[0].Sampling == 1
	}
	mu2, epsilon := 0.0, 0.0
	gaussians, pures := true, true
	for _, e := range stack {
		if e.Sampling != 1 {
			return scenarios.Entry{}, false
		}
		if e.Mechanism == "gaussian" {
			mu2 += e.Count / (e.Values["sigma"].Number * e.Values["sigma"].Number)
		} else {
			gaussians = false
		}
		if e.Mechanism == "pure" {
			epsilon += e.Count * e.Values["epsilon"].Number
		} else {
			pures = false
		}
	}
	switch {
	case gaussians:
		return entry("gaussian", 1, map[string]float64{"sigma": 1 / math.Sqrt(mu2)}), true
	case pures:
		return entry("pure", 1, map[string]float64{"epsilon": epsilon}), true
	}
	return scenarios.Entry{}, false
}
