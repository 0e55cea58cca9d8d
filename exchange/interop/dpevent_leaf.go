package interop

import (
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// eventFields names the fields of each mechanism's event in declaration order.
var eventFields = map[string][]string{
	"RandomizedResponseDpEvent":          {"noise_parameter", "num_buckets"},
	"EpsilonDeltaDpEvent":                {"epsilon", "delta"},
	"GaussianDpEvent":                    {"noise_multiplier"},
	"LaplaceDpEvent":                     {"noise_multiplier"},
	"DiscreteLaplaceDpEvent":             {"noise_parameter", "sensitivity"},
	"DiscreteGaussianDpEvent":            {"sigma", "sensitivity", "dimension"},
	"SampledWithReplacementDpEvent":      {"source_dataset_size", "sample_size", "event"},
	"SingleEpochTreeAggregationDpEvent":  {"noise_multiplier", "step_counts"},
	"RepeatAndSelectDpEvent":             {"event", "mean", "shape"},
	"MixtureOfGaussiansDpEvent":          {"standard_deviation", "sensitivities", "sampling_probs"},
	"RandomAllocationDpEvent":            {"event", "num_selected", "num_steps"},
	"ZCDpEvent":                          {"rho", "xi"},
	"ExponentialMechanismDpEvent":        {"epsilon"},
	"PermuteAndFlipDpEvent":              {"epsilon"},
	"TruncatedSubsampledGaussianDpEvent": {"dataset_size", "sampling_probability", "truncated_batch_size", "noise_multiplier"},
	"NonPrivateDpEvent":                  {},
	"UnsupportedDpEvent":                 {},
	amplifiedBands:                       {"noise_multiplier", "iterations", "num_bands", "sampling_prob"},
}

// readLeaf adds one mechanism's event.
func (w *eventWalker) readLeaf(n node, count float64) {
	names, known := eventFields[n.text]
	if !known {
		refuse(n.at, "the event %s is not known", n.text)
	}
	f := n.fields(n.text, names...)
	one := func(mechanism, field string, x float64) {
		w.add(n, newEntry(mechanism, count, map[string]float64{field: x}))
	}
	switch n.text {
	case "GaussianDpEvent":
		one("gaussian", "sigma", f.positiveNumber("noise_multiplier")/w.noiseSensitivity(n))
	case "LaplaceDpEvent":
		one("laplace", "scale", f.positiveNumber("noise_multiplier")/w.noiseSensitivity(n))
	case "DiscreteLaplaceDpEvent":
		w.add(n, newEntry("geometric", count, map[string]float64{
			"scale": 1 / f.positiveNumber("noise_parameter"), "sensitivity": f.positiveNumber("sensitivity") * w.noiseSensitivity(n)}))
	case "DiscreteGaussianDpEvent":
		w.readDiscreteGaussian(n, f, count)
	case "ExponentialMechanismDpEvent":
		w.remarkMiscount(n, count, "RDP")
		one("exponential", "epsilon", f.positiveNumber("epsilon"))
	case "PermuteAndFlipDpEvent":
		e := newEntry("noisy-max", count, map[string]float64{"epsilon": f.positiveNumber("epsilon")})
		e.Values["noise"] = param.ChoiceValue("exponential")
		w.add(n, e)
	case "EpsilonDeltaDpEvent":
		f.node("delta")
		w.add(n, guaranteeEntry(f, count))
	case "RandomizedResponseDpEvent":
		w.readResponse(n, f, count)
	case "ZCDpEvent":
		numbers := map[string]float64{"rho": f.positiveNumber("rho")}
		if f.numberOr("xi", 0) != 0 { // D_α ≤ ξ + ρα
			numbers["xi"] = f.positiveNumber("xi")
		}
		w.add(n, newEntry("zcdp", count, numbers))
	case "SingleEpochTreeAggregationDpEvent":
		w.readTree(n, f, count)
	case "RepeatAndSelectDpEvent":
		w.readSelection(n, f, count)
	case "MixtureOfGaussiansDpEvent":
		w.readMixture(n, f, count)
	case "RandomAllocationDpEvent":
		w.readAllocation(n, f, count)
	case amplifiedBands:
		w.readBands(n, f, count)
	case "TruncatedSubsampledGaussianDpEvent":
		w.readTruncatedBatches(n, f, count)
	case "NonPrivateDpEvent":
		w.refuse(n, "a release without any noise has no finite guarantee")
	case "SampledWithReplacementDpEvent":
		w.refuse(n, "a record may be drawn more than once; no bound is known here")
	default:
		w.refuse(n, "not one of the mechanisms of a scenario")
	}
}

// noiseSensitivity returns the sensitivity in the unit of the noise multiplier. dp_accounting states noise relative to
// the contribution of one record. Replacing a record changes the sum by twice that, but its RDP accountant does not
// double it.
func (w *eventWalker) noiseSensitivity(n node) float64 {
	if !w.double {
		return 1
	}
	w.rec.remark("under REPLACE_ONE the noise of %s has two readings: over what one record contributes (dp_accounting's PLD accountant: "+
		"a changed record moves twice as far) or over what a changed record moves (its RDP accountant). The first, which costs more, was taken; "+
		"if the second is meant, add the line reading = %q", n.text, replaceReading)
	return 2
}

// remarkMiscount remarks on events whose repeat count an accountant of dp_accounting ignores.
func (w *eventWalker) remarkMiscount(n node, count float64, by string) {
	if count > 1 {
		w.rec.remark("dp_accounting 0.6.0 drops the repeat count of %s in its %s accountant: an ε from there is too small", n.text, by)
	}
}

// readResponse adds dp_accounting's k-ary randomized response: with probability p it reports a
// uniform bucket, so the truth with probability 1 − p + p/k.
func (w *eventWalker) readResponse(n node, f fields, count float64) {
	w.requireAdjacency(n, mechanisms.Replace, mechanisms.ZeroOut)
	w.remarkMiscount(n, count, "PLD")
	p, k := f.positiveNumber("noise_parameter"), f.positiveNumber("num_buckets")
	if p > 1 {
		refuse(f.node("noise_parameter").at, "noise_parameter must be at most 1, got %s", numeral.Format(p))
	}
	if k < 2 || k != math.Trunc(k) {
		refuse(f.node("num_buckets").at, "num_buckets must be a whole number from 2, got %s", numeral.Format(k))
	}
	if p == 1 {
		w.rec.remarkFree(n) // the answer does not depend on the data
		return
	}
	truth, lie := 1-p+p/k, p-p/k
	for lie < 1e-6 && 1-truth > lie { // this near to 1, its last digit changes ε
		truth = math.Nextafter(truth, 1)
	}
	w.add(n, newEntry("randomized-response", count, map[string]float64{"truth": truth, "categories": k}))
}

// readDiscreteGaussian adds discrete Gaussian noise. For one coordinate it keeps the mechanism, with its
// dominating pair. For a vector, or if the dimension is not stated, it adds the ρ only: the discrete Gaussian
// is not rotation invariant, so the pair of one coordinate does not dominate.
func (w *eventWalker) readDiscreteGaussian(n node, f fields, count float64) {
	sigma, s := f.positiveNumber("sigma"), 1.0
	if f.has("sensitivity") {
		s = f.positiveNumber("sensitivity")
	} else {
		w.rec.remark("where %s gives no sensitivity, 1 was taken", n.text)
	}
	s *= w.noiseSensitivity(n)
	if f.has("dimension") && f.node("dimension").kind != null && f.count("dimension") == 1 && s == math.Trunc(s) {
		w.add(n, newEntry("discrete-gaussian", count, map[string]float64{"sigma": sigma, "sensitivity": s}))
		return
	}
	w.rec.remark("a discrete Gaussian that may be a vector became a zcdp entry with ρ = Δ²/(2σ²)")
	w.add(n, newEntry("zcdp", count, map[string]float64{"rho": s * s / (2 * sigma * sigma)}))
}

// readSelection reads the best of a random number of runs of one event.
func (w *eventWalker) readSelection(n node, f fields, count float64) {
	if w.sample {
		w.refuse(n, "one sample for all runs of a selection is not known here")
		return
	}
	refused := len(w.refused)
	stack := w.runEntries(f.node("event"), eventWalker{double: w.double})
	if len(stack) != 1 {
		if len(w.refused) == refused {
			w.refuse(n, "a run of several unlike events has no counterpart in a scenario")
		}
		return
	}
	mean, shape := f.positiveNumber("mean"), f.number("shape")
	if !(shape >= 0) {
		refuse(f.node("shape").at, "shape must be at least 0, got %s", numeral.Format(shape))
	}
	values := param.Values{"runs.mean": param.NumberValue(mean)}
	distribution, own := map[float64]mechanisms.Distribution{
		0: mechanisms.Logarithmic, 1: mechanisms.GeometricRuns, math.Inf(1): mechanisms.PoissonRuns}[shape]
	if !own {
		distribution, values["runs.shape"] = mechanisms.NegativeBinomial, param.NumberValue(shape)
	}
	values["runs.distribution"] = param.ChoiceValue(string(distribution))
	e := scenarios.Entry{Count: count, Sampling: 1, Values: values}
	e.SetRun(stack[0])
	if _, err := mechanisms.New(e.Mechanism, e.Values); err != nil {
		refuse(n.at, "%s: %v", n.text, err)
	}
	w.add(n, e)
}

// readTree adds one tree per list item. Each record is in one tree and contributes to
// ⌈log₂(steps+1)⌉ Gaussian nodes of it.
func (w *eventWalker) readTree(n node, f fields, count float64) {
	w.requireAdjacency(n, mechanisms.ZeroOut)
	z, steps := f.positiveNumber("noise_multiplier"), f.node("step_counts")
	trees := []node{steps}
	if steps.kind == list {
		trees = steps.items
	}
	depth := 0
	for _, s := range trees {
		x := s.float("step_counts")
		checkCount(s.at, "step_counts", x)
		_, levels := math.Frexp(x) // of a whole number, exact: how many binary digits it has
		depth = max(depth, levels)
	}
	w.rec.remark("tree aggregation is counted as one Gaussian per level of its deepest tree")
	w.add(n, newEntry("gaussian", count*float64(depth), map[string]float64{"sigma": z}))
}

// readMixture reads Gaussian noise on a sum that a record moves by a random, secret amount. The
// event is for add-remove or zero-out.
func (w *eventWalker) readMixture(n node, f fields, count float64) {
	w.requireAdjacency(n, mechanisms.AddRemove, mechanisms.ZeroOut)
	numbers := func(name string) param.Value {
		var list []float64
		for _, x := range f.node(name).list(name) {
			list = append(list, x.float(name))
		}
		return param.ScoresValue(list...)
	}
	e := newEntry("mixture-of-gaussians", count, map[string]float64{"sigma": f.positiveNumber("standard_deviation")})
	e.Values["sensitivities"], e.Values["probabilities"] = numbers("sensitivities"), numbers("sampling_probs")
	if _, err := mechanisms.New(e.Mechanism, e.Values); err != nil {
		refuse(n.at, "%s: %v", n.text, err)
	}
	w.add(n, e)
}

// readBands adds amplified bands as Poisson steps of the same cost: one per step in which a group of records takes its
// turn, with sampling_prob as the rate inside the group and noise relative to a column of norm one.
func (w *eventWalker) readBands(n node, f fields, count float64) {
	w.requireAdjacency(n, mechanisms.AddRemove, mechanisms.ZeroOut)
	z, q := f.positiveNumber("noise_multiplier"), f.positiveNumber("sampling_prob")
	if f.count("num_bands") < 1 {
		refuse(f.node("num_bands").at, "num_bands must be at least 1")
	}
	turns := math.Ceil(f.count("iterations") / f.count("num_bands"))
	if w.sample {
		w.refuse(n, "bands on sampled records are not known here")
		return
	}
	w.rec.remark("amplified bands are read as the Poisson steps that they cost: %s steps, with sampling_prob inside one of num_bands groups of records; the matrix itself is not in the event", numeral.Format(turns))
	w.add(n, w.rec.sgdEntry(n.at, z, q, turns*count))
}

// readAllocation reads one pass of balls and bins, if one of the steps of the whole event is
// selected and each is Gaussian noise. Several selected steps over the run have another loss than
// as many passes, and are refused.
func (w *eventWalker) readAllocation(n node, f fields, count float64) {
	w.requireAdjacency(n, mechanisms.AddRemove, mechanisms.ZeroOut)
	inner, steps := f.node("event"), f.count("num_steps")
	switch {
	case w.sample:
		w.refuse(n, "an allocation of sampled records is not known here")
	case f.count("num_selected") != 1:
		w.refuse(n, "more than one selected step over the run has no counterpart in a scenario; passes are SelfComposedDpEvent of one selected step each")
	case inner.text != "GaussianDpEvent":
		w.refuse(n, "only Gaussian noise is known to be allocated")
	default:
		z := inner.fields(inner.text, eventFields[inner.text]...).positiveNumber("noise_multiplier")
		e := newEntry("dp-sgd", count, map[string]float64{"noise_multiplier": z, "sampling_rate": 1 / steps, "steps": steps})
		e.Values["batches"] = param.ChoiceValue(string(mechanisms.Allocated))
		if _, err := mechanisms.New(e.Mechanism, e.Values); err != nil {
			refuse(n.at, "%s: %v", n.text, err)
		}
		w.add(n, e)
	}
}
