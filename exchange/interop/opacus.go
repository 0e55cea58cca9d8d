package interop

import (
	"slices"
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

// replaceWarning is the value of the key adjacency in the state of an accountant whose history
// is meant under replace. Opacus ignores it.
const replaceWarning = "replace: Opacus accounts for add-remove only, so the ε it gives for this history is too small"

// stateKeys are the keys of an accountant's state.
var stateKeys = []string{"history", "mechanism", "adjacency"}

// opacusAccountants are the accountants that take a history of Poisson-sampled Gaussian steps: those of Opacus, and
// that of the client for Python.
var opacusAccountants = []string{"rdp", "prv", "gdp", "epsiloscope"}

// readOpacus reads the state of an Opacus accountant: {"history": [[noise
// multiplier, sample rate, steps], …], "mechanism": "rdp"}. A whole checkpoint,
// where the state stands under privacy_accountant_state_dict, is understood too.
func readOpacus(rec *Record, data []byte) {
	state := parseJSON(data)
	state.want(object, "the record")
	for _, p := range state.parts {
		if p.name != "privacy_accountant_state_dict" {
			continue
		}
		p.want(object, p.name)
		for i, other := range state.parts {
			switch {
			case other.name == p.name:
			case slices.Contains(stateKeys, other.name):
				refuse(other.at, "%s stands beside %s: which of them was spent is not said", other.name, p.name)
			case i < maxNotes:
				rec.remark("%q was not carried over", report.Plain(other.name))
			default:
				rec.remark("further parts of the checkpoint were not carried over")
			}
		}
		state = p.node
	}
	f := state.fields("an accountant's state", stateKeys...)
	if f.has("mechanism") {
		by := f.node("mechanism")
		if !slices.Contains(opacusAccountants, by.string("mechanism")) { // a custom one may sample batches in another way
			refuse(by.at, "the accountant %q is not one of %s: what its history means is not known", by.text, strings.Join(opacusAccountants, ", "))
		}
		rec.remark("Opacus accounted with %q; here every method is computed", by.text)
	}
	if f.has("adjacency") {
		a := f.node("adjacency")
		switch a.string("adjacency") {
		case replaceWarning:
			rec.Scenario.Adjacency = mechanisms.Replace
		case string(mechanisms.ZeroOut):
			rec.Scenario.Adjacency = mechanisms.ZeroOut
		default:
			refuse(a.at, "adjacency must be %q or as export writes it for replace", mechanisms.ZeroOut)
		}
	} else {
		rec.remark("Opacus assumes add-remove adjacency and Poisson sampling")
	}
	for _, h := range f.node("history").list("history") {
		if len(h.list("an item of history")) != 3 {
			refuse(h.at, "an item of history must hold 3 numbers (noise multiplier, sample rate, steps), got %d", len(h.items))
		}
		h.parts = []part{{"noise multiplier", h.items[0]}, {"sample rate", h.items[1]}, {"steps", h.items[2]}}
		f := h.fields("history", "noise multiplier", "sample rate", "steps")
		rec.spend(h, rec.sgdEntry(h.at, f.positiveNumber("noise multiplier"), f.number("sample rate"), f.count("steps")))
	}
}

// sgdEntry returns steps of the Poisson-subsampled Gaussian; at rate 1 there is no sampling.
func (r *Record) sgdEntry(at string, noise, rate, steps float64) scenarios.Entry {
	if !(rate > 0 && rate <= 1) {
		refuse(at, "the sampling rate must be above 0 and at most 1, got %s", numeral.Format(rate))
	}
	if rate == 1 && r.Scenario.Adjacency != mechanisms.Replace {
		return newEntry("gaussian", steps, map[string]float64{"sigma": noise})
	}
	e := newEntry("dp-sgd", 1, map[string]float64{"noise_multiplier": noise, "sampling_rate": rate, "steps": steps})
	if steps == 0 {
		e.Count = 0
	}
	return e
}

// writeOpacus writes the stack as an accountant state. Only Gaussians and DP-SGD
// have a place there.
func writeOpacus(s *scenarios.Scenario, x *export) []byte {
	history := [][3]float64{}
	for i, e := range s.Stack {
		m := x.mechanism(e)
		switch m := m.(type) {
		case mechanisms.DPSGD:
			if e.Sampling == 1 {
				history = append(history, [3]float64{m.NoiseMultiplier, m.SamplingRate, m.Steps * e.Count * s.Rounds})
				continue
			}
		case mechanisms.Gaussian:
			if s.Adjacency != mechanisms.Replace { // under replace the noise is written relative to that sensitivity
				history = append(history, [3]float64{1 / m.Mu(), e.Sampling, e.Count * s.Rounds})
				continue
			}
		}
		x.refuse(i, e)
	}
	state := map[string]any{"history": history, "mechanism": "rdp"}
	switch s.Adjacency {
	case mechanisms.Replace:
		x.remark("Opacus accounts for add-remove only: the ε it gives for this file is too small; the file says so")
		state["adjacency"] = replaceWarning
	case mechanisms.ZeroOut:
		state["adjacency"] = mechanisms.ZeroOut
	}
	x.remarkOmissions(s, "an Opacus state")
	x.why = "an Opacus history holds Poisson-sampled Gaussian steps only"
	return x.json(state)
}
