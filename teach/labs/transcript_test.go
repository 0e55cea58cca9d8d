package labs

import (
	"maps"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"epsiloscope/mechanisms/param"
)

// noData are the labs that draw noise, or the outputs of two worlds, without any data behind them.
var noData = map[string]string{
	"laplace-counts":   "errors of counts, whatever they are",
	"composition":      "losses of the worst two worlds",
	"shuffled-batches": "losses of the worst two worlds",
	"shuffled-survey":  "losses of the worst two worlds",
	"running-sums":     "errors of sums, whatever they are",
	"tuning":           "two worlds, side by side",
	"natural-filter":   "no guarantee, which it says",
	"odometers":        "losses of the worst two worlds",
	"stopping-early":   "stops of simulated trainings",
	"self-audit":       "two worlds, side by side",
}

// small makes labs short enough for every randomized value to be kept.
var small = map[string]param.Values{
	"randomized-response":    {"surveys": param.WholeValue(10), "people": param.WholeValue(50)},
	"exponential":            {"samples": param.WholeValue(100)},
	"laplace-vs-exponential": {"samples": param.WholeValue(100)},
	"selection":              {"samples": param.WholeValue(100)},
	"thresholdout":           {"trials": param.WholeValue(2), "features": param.WholeValue(50), "n": param.WholeValue(256)},
	"adaptive-gaussian":      {"trials": param.WholeValue(40), "n": param.WholeValue(100)},
	"generalization":         {"trials": param.WholeValue(10), "queries": param.WholeValue(50)},
	"erm":                    {"trials": param.WholeValue(2), "n": param.WholeValue(100)},
	"frequency-oracles":      {"people": param.WholeValue(100), "runs": param.WholeValue(2), "domain": param.WholeValue(8)},
	"surviving-groups":       {"people": param.WholeValue(500), "runs": param.WholeValue(10)},
	"sparse-vector":          {"queries": param.WholeValue(100)},
	"median":                 {"queries": param.WholeValue(200)},
	"dp-sgd":                 {"steps": param.WholeValue(40), "n": param.WholeValue(100), "sampling_rate": param.NumberValue(0.2)},
}

// runTwice runs a lab on its data and on a neighbour whose randomized values are the same.
func runTwice(t *testing.T, name string, values param.Values) (here, there *transcript) {
	t.Helper()
	lab, _ := Lookup(name)
	filled, err := lab.fill(values)
	if err != nil {
		t.Fatal(err)
	}
	run := func(record *transcript) *transcript {
		s := &trial{ctx: sharedAccountant(), values: filled, seed: 1, transcript: record,
			out: &Outcome{Lab: lab, Seed: 1, Values: filled}}
		if err := s.run(); err != nil {
			t.Fatal(err)
		}
		return record
	}
	here = run(&transcript{})
	return here, run(&transcript{replayed: here.randomized})
}

// move returns how far one record moved what a randomized value was drawn for.
func move(a, b randomized) float64 {
	if len(a.exact) != len(b.exact) {
		return math.Inf(1)
	}
	if a.isChoice {
		return floats.Distance(a.exact, b.exact, math.Inf(1))
	}
	return floats.Distance(a.exact, b.exact, 2)
}

// Attacker: an analyst who sees everything that a lab releases, and knows that one record is one of two. With the same
// randomized values nothing that the lab releases tells the records apart, and the record moves nothing farther than
// the cost of the run allows.
func TestNothingLeavesALabWithoutNoise(t *testing.T) {
	for _, lab := range All() {
		if noData[lab.Name] != "" {
			continue
		}
		t.Run(lab.Name, func(t *testing.T) {
			here, there := runTwice(t, lab.Name, small[lab.Name])
			if len(here.published) == 0 || len(here.published) != len(there.published) {
				t.Fatalf("%d values leave the run (publish), and %d on a neighbour", len(here.published), len(there.published))
			}
			for i, v := range here.published {
				if there.published[i] != v {
					t.Fatalf("with the same randomized values, value %d that leaves the run is %v, and %v on a neighbour: it was not randomized", i, v, there.published[i])
				}
			}
			if len(here.randomized) != len(there.randomized) {
				t.Fatalf("%d randomized values, and %d on a neighbour", len(here.randomized), len(there.randomized))
			}
			farthest := 0.0
			for i, a := range here.randomized {
				b := there.randomized[i]
				moved := move(a, b)
				if moved > a.sensitivity*(1+1e-9) {
					t.Fatalf("one record moves what randomized value %d was drawn for by %v, and %v is paid for", i, moved, a.sensitivity)
				}
				farthest = max(farthest, moved)
			}
			if farthest == 0 {
				t.Error("the changed record changes nothing, so nothing was tested")
			}
		})
	}
	for name := range maps.Keys(noData) {
		if here, _ := runTwice(t, name, quick[name]); len(here.randomized) > 0 || len(here.published) > 0 {
			t.Errorf("%s has data", name)
		}
	}
}

// The slide's version of the unrealistic example releases an exact average, and the test above would see it.
func TestExactAverageIsSeenToLeave(t *testing.T) {
	values := maps.Clone(small["adaptive-gaussian"])
	values["final"] = param.ChoiceValue(exactFinal)
	if here, there := runTwice(t, "adaptive-gaussian", values); slices.Equal(here.published, there.published) {
		t.Error("an exact average that holds a changed record is the same on both neighbours")
	}
}
