package interop

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// A tree of events comes in; entries of a stack go out, or the reason why an event is refused.

// eventWalker collects the entries of event trees.
type eventWalker struct {
	rec      *Record
	relation string // as stated; "" if the record does not say
	adjacent mechanisms.Adjacency
	sample   bool // inside of a sample
	// inside of a sample of fixed size that is not amplified: a further one is a share of fewer records than it says
	subset  bool
	double  bool     // the sensitivity is twice the distance that the noise is relative to
	refused []string // events with a cost that a scenario cannot express
}

// addEvents adds what the events cost under a neighbouring relation of dp_accounting.
func (r *Record) addEvents(relation string, reading bool, trees []node) {
	w := eventWalker{rec: r, relation: relation, adjacent: relations[relation]}
	if relation == "" {
		w.inferRelation(trees)
	}
	r.Scenario.Adjacency = w.adjacent
	w.double = w.adjacent == mechanisms.Replace && !reading
	for _, n := range trees {
		if n.kind == list {
			n = node{at: n.at, kind: call, text: "ComposedDpEvent", parts: []part{{"events", n}}}
		}
		w.walk(n, 1)
	}
	if len(w.refused) > 0 {
		refuse("", "these events spend privacy and have no counterpart in a scenario; "+
			"replace them by an approximate, zcdp or rdp entry with their known guarantee:\n  %s",
			strings.Join(w.refused, "\n  "))
	}
}

// requireAdjacency refuses an event under an adjacency that is not allowed, as dp_accounting does.
func (w *eventWalker) requireAdjacency(n node, allowed ...mechanisms.Adjacency) {
	if !slices.Contains(allowed, w.adjacent) {
		refuse(n.at, "dp_accounting has no %s under %s", n.text, w.relation)
	}
}

// maxRefused is the largest number of events that are refused by name.
const maxRefused = 3

func (w *eventWalker) refuse(n node, why string) {
	switch {
	case len(w.refused) < maxRefused:
		w.refused = append(w.refused, fmt.Sprintf("%s: %s: %s", n.at, n.text, why))
	case len(w.refused) == maxRefused:
		w.refused = append(w.refused, "and more")
	}
}

// add appends the entry of an event.
func (w *eventWalker) add(n node, e scenarios.Entry) {
	e.Label = n.label
	w.rec.spend(n, e)
}

// walk adds what one event costs, count times.
func (w *eventWalker) walk(n node, count float64) {
	n.want(call, "an event")
	if w.sample && (n.text == "PoissonSampledDpEvent" || n.text == "SampledWithoutReplacementDpEvent") {
		w.refuse(n, "a sample of a sample is not known here")
		return
	}
	switch n.text {
	case "NoOpDpEvent":
		n.fields(n.text)
		w.rec.remarkFree(n)
	case "ComposedDpEvent":
		events := n.fields(n.text, "events").node("events").list("events")
		for _, e := range events {
			w.walk(e, count)
		}
		if len(events) == 0 {
			w.rec.remarkFree(n)
		}
	case "SelfComposedDpEvent", composition:
		f := n.fields(n.text, "event", "count")
		inner := f.node("event")
		inner.label = n.label
		times := 1.0
		if n.text != composition || f.has("count") {
			times = f.count("count")
		}
		w.walk(inner, count*times)
	case "PoissonSampledDpEvent":
		w.readPoissonSample(n, count)
	case "SampledWithoutReplacementDpEvent":
		w.readFixedSample(n, count)
	default:
		w.readLeaf(n, count)
	}
}

// readFixedSample reads a sample of fixed size around one event. Gaussian noise on it is a step of a training with
// batches of fixed size; anything else is priced without the sample.
func (w *eventWalker) readFixedSample(n node, count float64) {
	w.requireAdjacency(n, mechanisms.Replace)
	f := n.fields(n.text, "source_dataset_size", "sample_size", "event")
	records, batch := f.positiveNumber("source_dataset_size"), f.positiveNumber("sample_size")
	inner := f.node("event")
	if w.subset || !onlyGaussian(inner) || batch > records || count > maxSteps {
		w.rec.remark("sampling without replacement (source_dataset_size, sample_size) is not amplified here but around Gaussian noise: the cost shown is that without sampling, which is never smaller")
		within := w.subset
		w.subset = true
		w.walk(inner, count)
		w.subset = within
		return
	}
	run := w.runEntries(inner, eventWalker{sample: true})
	if len(run) == 0 {
		w.rec.remarkFree(n)
		return
	}
	e, _ := mergeRun(run)
	z := e.Values["sigma"].Number // over what one record contributes, as a training states its noise
	if !w.double {
		z *= 2 // it was over what a changed record moves, which is twice that
	} else {
		w.noiseSensitivity(n) // for its remark
	}
	training := newEntry("dp-sgd", 1, map[string]float64{"noise_multiplier": z, "batch": batch, "records": records, "steps": count})
	training.Values["batches"] = param.ChoiceValue(string(mechanisms.Fixed))
	w.addTraining(n, training)
}

// onlyGaussian reports whether an event is Gaussian noise, or a composition of nothing else.
func onlyGaussian(n node) bool {
	switch n.text {
	case "GaussianDpEvent":
		return n.kind == call
	case "ComposedDpEvent":
		return !slices.ContainsFunc(n.fields(n.text, "events").node("events").list("events"), func(e node) bool {
			return !onlyGaussian(e)
		})
	case "SelfComposedDpEvent":
		return onlyGaussian(n.fields(n.text, "event", "count").node("event"))
	}
	return false
}

// maxSteps is the largest number of steps of a training.
const maxSteps = 1e12

// readTruncatedBatches reads steps of Gaussian noise on Poisson samples that are cut to a size.
func (w *eventWalker) readTruncatedBatches(n node, f fields, count float64) {
	w.requireAdjacency(n, mechanisms.AddRemove, mechanisms.Replace)
	if w.sample {
		w.refuse(n, "a sample of a sample is not known here")
		return
	}
	training := newEntry("dp-sgd", 1, map[string]float64{
		"noise_multiplier": f.positiveNumber("noise_multiplier"), "sampling_rate": f.positiveNumber("sampling_probability"),
		"max_batch": f.count("truncated_batch_size"), "records": f.count("dataset_size"), "steps": count,
	})
	training.Values["batches"] = param.ChoiceValue(string(mechanisms.Truncated))
	w.addTraining(n, training)
}

// addTraining adds a training; one that takes no steps costs nothing, and one out of range is refused.
func (w *eventWalker) addTraining(n node, e scenarios.Entry) {
	if e.Values["steps"].Number == 0 {
		w.rec.remarkFree(n)
		return
	}
	if _, err := mechanisms.New(e.Mechanism, e.Values); err != nil {
		refuse(n.at, "%s: %v", n.text, err)
	}
	w.add(n, e)
}

// readPoissonSample reads Poisson sampling around one event. Several Gaussians run on the same
// sample merge into one exactly; several pure releases add up to one pure release.
func (w *eventWalker) readPoissonSample(n node, count float64) {
	f := n.fields(n.text, "sampling_probability", "event")
	q := f.number("sampling_probability")
	if !(q >= 0 && q <= 1) {
		refuse(f.node("sampling_probability").at, "sampling_probability must be between 0 and 1, got %s", numeral.Format(q))
	}
	// Under replace a sampled Gaussian becomes a dp-sgd entry, which doubles the sensitivity itself.
	run := w.runEntries(f.node("event"), eventWalker{sample: true})
	if q == 0 || len(run) == 0 {
		w.rec.remarkFree(n)
		return
	}
	e, ok := mergeRun(run)
	switch {
	case !ok:
		w.refuse(n, "one sample is used for several unlike events; their joint amplification is not known here")
		return
	case e.Mechanism == "gaussian" && (q < 1 || w.adjacent == mechanisms.Replace):
		e = w.rec.sgdEntry(n.at, e.Values["sigma"].Number, q, count)
	case w.adjacent == mechanisms.Replace:
		w.refuse(n, "dp_accounting samples only Gaussians under REPLACE_ONE")
		return
	default:
		e.Count, e.Sampling = count, q
	}
	w.add(n, e)
}

// runEntries returns the entries of one run of an inner event, collected by another walker.
func (w *eventWalker) runEntries(event node, inner eventWalker) []scenarios.Entry {
	inner.rec, inner.relation, inner.adjacent = newRecord(), w.relation, w.adjacent
	inner.rec.Scenario.Adjacency = w.adjacent
	inner.walk(event, 1)
	w.refused = append(w.refused, inner.refused...)
	for _, text := range inner.rec.Remarks {
		w.rec.remark("%s", text)
	}
	return inner.rec.Scenario.Stack
}

// mergeRun turns the releases made on one sample into a single entry.
func mergeRun(stack []scenarios.Entry) (scenarios.Entry, bool) {
	first, sum := stack[0], 0.0
	if len(stack) == 1 && first.Count == 1 {
		return first, true
	}
	for _, e := range stack {
		switch {
		case e.Mechanism != first.Mechanism:
			return scenarios.Entry{}, false
		case e.Mechanism == "gaussian":
			sum += e.Count / (e.Values["sigma"].Number * e.Values["sigma"].Number)
		case e.Mechanism == "pure":
			sum += e.Count * e.Values["epsilon"].Number
		default:
			return scenarios.Entry{}, false
		}
	}
	if first.Mechanism == "pure" {
		return newEntry("pure", 1, map[string]float64{"epsilon": sum}), true
	}
	return newEntry("gaussian", 1, map[string]float64{"sigma": 1 / math.Sqrt(sum)}), true
}
