package interop

import (
	"fmt"
	"math"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// leaf turns one mechanism event into an entry.
func (w *eventWalker) leaf(where string, n node, count float64) (scenarios.Entry, bool) {
	num := func(name string, fallback float64) float64 { return w.number(where, n, name, fallback) }
	need := func(what string, x float64) {
		if w.err == nil {
			if err := positive(where, what, x); err != nil {
				w.fail(err)
			}
		}
	}
	one := func(mechanism, param string, x float64) (scenarios.Entry, bool) {
		need(param, x)
		return entry(mechanism, count, map[string]float64{param: x}), true
	}
	switch n.call {
	case "GaussianDpEvent":
		return one("gaussian", "sigma", num("noise_multiplier", required))
	case "LaplaceDpEvent":
		return one("laplace", "scale", num("noise_multiplier", required))
	case "ExponentialMechanismDpEvent":
		return one("exponential", "epsilon", num("epsilon", required))
	case "PermuteAndFlipDpEvent":
		e, ok := one("noisy-max", "epsilon", num("epsilon", required))
		e.Values["noise"] = mechanisms.ChoiceValue("exponential")
		return e, ok
	case "EpsilonDeltaDpEvent":
		epsilon, delta := num("epsilon", required), num("delta", required)
		if epsilon != 0 { // (0, δ) is a guarantee too, and (0, 0) a free one
			need("epsilon", epsilon)
		}
		if epsilon == 0 && delta == 0 {
			count = 0
		}
		if !(delta >= 0 && delta < 1) {
			w.fail(fmt.Errorf("%s.delta: must be at least 0 and below 1, got %s", where, mechanisms.FormatNumber(delta)))
		}
		return approximate(epsilon, delta, count), true
	case "RandomizedResponseDpEvent":
		return w.response(where, n, count)
	case "DiscreteLaplaceDpEvent":
		a, s := num("noise_parameter", required), num("sensitivity", 1)
		need("noise_parameter", a)
		return entry("geometric", count, map[string]float64{"scale": 1 / a, "sensitivity": s}), true
	case "DiscreteGaussianDpEvent":
		return w.discreteGaussian(where, n, count)
	case "ZCDpEvent":
		rho, xi := num("rho", required), num("xi", 0)
		need("rho", rho)
		if xi != 0 {
			w.rec.remark("a (ξ, ρ)-zCDP event became an rdp entry with the points ξ + ρα")
			return renyiLine(xi, rho, count), true
		}
		return entry("zcdp", count, map[string]float64{"rho": rho}), true
	case "SingleEpochTreeAggregationDpEvent":
		return w.tree(where, n, count)
	case "NonPrivateDpEvent":
		w.refuse(where, n, "a release without any noise has no finite guarantee")
	case "SampledWithReplacementDpEvent":
		w.refuse(where, n, "a record may be drawn more than once; no bound is known here")
	default:
		if _, known := positional[n.call]; known {
			w.refuse(where, n, "not one of the mechanisms of a scenario")
		} else {
			w.fail(fmt.Errorf("%s: unknown event %q", where, n.call))
		}
	}
	return scenarios.Entry{}, false
}

// response maps dp_accounting's k-ary response: with probability p it reports a
// uniform bucket, hence the truth with 1 − p + p/k.
func (w *eventWalker) response(where string, n node, count float64) (scenarios.Entry, bool) {
	p := w.number(where, n, "noise_parameter", required)
	k := w.number(where, n, "num_buckets", required)
	if w.err == nil && !(p > 0 && p <= 1) {
		w.fail(fmt.Errorf("%s.noise_parameter: must be above 0 and at most 1, got %s", where, mechanisms.FormatNumber(p)))
	}
	if w.err == nil && (k < 2 || k != math.Trunc(k)) {
		w.fail(fmt.Errorf("%s.num_buckets: must be a whole number from 2, got %s", where, mechanisms.FormatNumber(k)))
	}
	if p == 1 {
		return scenarios.Entry{}, false // the answer does not depend on the data
	}
	w.rec.remark("randomized response protects an answer that is changed, and the scenario says add-remove: set adjacency to replace, unless somebody who stays away sends a random answer all the same")
	return entry("randomized-response", count, map[string]float64{"truth": 1 - p + p/k, "categories": k}), true
}

// discreteGaussian keeps the lattice pair for one coordinate; a vector has no such
// pair (the discrete Gaussian is not rotation invariant), so its ρ is taken.
func (w *eventWalker) discreteGaussian(where string, n node, count float64) (scenarios.Entry, bool) {
	sigma := w.number(where, n, "sigma", required)
	s := w.number(where, n, "sensitivity", 1)
	d := w.number(where, n, "dimension", 1)
	if w.err == nil {
		if err := positive(where, "sigma", sigma); err != nil {
			w.fail(err)
		}
	}
	if d == 1 && s == math.Trunc(s) {
		return entry("discrete-gaussian", count, map[string]float64{"sigma": sigma, "sensitivity": s}), true
	}
	w.rec.remark("a discrete Gaussian on a vector became a zcdp entry with ρ = Δ²/(2σ²)")
	return entry("zcdp", count, map[string]float64{"rho": s * s / (2 * sigma * sigma)}), true
}

// tree is one tree per list item; each record enters one tree, and passes through
// ⌈log₂(steps+1)⌉ Gaussian nodes of it.
func (w *eventWalker) tree(where string, n node, count float64) (scenarios.Entry, bool) {
	z := w.number(where, n, "noise_multiplier", required)
	steps, ok := n.field("step_counts")
	if !ok || w.err != nil {
		w.fail(fmt.Errorf("%s: step_counts is missing", where))
		return scenarios.Entry{}, false
	}
	if steps.isNum {
		steps = node{list: true, args: []node{steps}}
	}
	depth := 0.0
	for _, s := range steps.args {
		if !s.isNum || s.number < 1 {
			w.fail(fmt.Errorf("%s.step_counts: must be whole numbers from 1", where))
			return scenarios.Entry{}, false
		}
		depth = math.Max(depth, math.Ceil(math.Log2(s.number+1)))
	}
	if err := positive(where, "noise_multiplier", z); err != nil {
		w.fail(err)
	}
	w.rec.remark("tree aggregation is counted as one Gaussian per level of its deepest tree (zero-out adjacency)")
	return entry("gaussian", count*depth, map[string]float64{"sigma": z}), true
}

// renyiLine writes D_α ≤ ξ + ρα as Rényi points. Between two points the accountant
// uses the chord of (α−1)·r(α), which lies above the line, so it errs upward.
func renyiLine(xi, rho, count float64) scenarios.Entry {
	e := scenarios.Entry{Mechanism: "rdp", Count: count, Sampling: 1, Values: mechanisms.Values{}}
	var items []mechanisms.Item
	for a := 1.01; a < 1e5; a = 1 + (a-1)*1.25 {
		items = append(items, mechanisms.Item{Order: a, Value: xi + rho*a})
	}
	e.Values["points"] = mechanisms.PointsValue(items...)
	return e
}
