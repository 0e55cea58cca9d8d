package interop

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// notDrawn says why a format, a mechanism, a parameter or an event of dp_accounting is in no record
// that is changed at random.
var notDrawn = map[string]string{
	"rdp":                  "its points are a list, which no cell and no other tool's format holds",
	"mixture-of-gaussians": "its sensitivities and probabilities are lists: tables of cases",

	"exponential.scores": "a list", "exponential.candidates": "a list", "noisy-max.scores": "a list", "noisy-max.candidates": "a list",

	"SingleEpochTreeAggregationDpEvent": "no scenario says it: tables of cases",
	"SampledWithReplacementDpEvent":     "always refused", "MixtureOfGaussiansDpEvent": "its lists: tables of cases", amplifiedBands: "a function of another module: tables of cases", "TruncatedSubsampledGaussianDpEvent": "whole numbers: tables of cases",
	"RandomAllocationDpEvent": "no scenario is written as one: tables of cases",
	"registry":                "one guarantee in the words of a form, not releases: tables of cases",
	"NonPrivateDpEvent":       "always refused", "UnsupportedDpEvent": "always refused",
}

// Whatever the catalogue has is among the records that are changed at random, in every
// format that holds it, with all its parameters; or there is a reason.
func TestEverythingIsDrawn(t *testing.T) {
	seen, texts := map[string]bool{}, ""
	for _, format := range readers {
		reads := func(k recordKind) bool { return k.reader == format.name }
		drawnOrNot(t, format.name, slices.ContainsFunc(recordKinds, reads))
	}
	for _, k := range recordKinds {
		r := rand.New(rand.NewPCG(1, 15))
		for range gauge.Cases(400, 1000) {
			for _, e := range k.drawScenario(r).Stack {
				seen[k.name+" "+e.Mechanism] = true
				run, _ := released(&e)
				seen[k.name+" run of "+run] = true
				for name := range e.Values {
					seen[k.name+" "+e.Mechanism+"."+name] = true
				}
			}
		}
		for range 100 {
			texts += k.draw(r).text
		}
	}
	for _, spec := range mechanisms.Catalogue() {
		for _, format := range []string{"dp-accounting", "opacus", "opendp"} {
			if exportable(format, spec) && !seen[format+" "+spec.Name] && notDrawn[spec.Name] == "" {
				t.Errorf("%s is exported as %s and not among its records that are changed", spec.Name, format)
			}
		}
		drawnOrNot(t, spec.Name, seen["csv "+spec.Name])
		for _, p := range spec.Params {
			if notDrawn[spec.Name] == "" && !p.Inner {
				drawnOrNot(t, spec.Name+"."+p.Name, seen["csv "+spec.Name+"."+p.Name])
			}
		}
	}
	for _, run := range mechanisms.Names() {
		if run != "select" {
			drawnOrNot(t, run, seen["csv run of "+run])
		}
	}
	for event := range eventFields {
		drawnOrNot(t, event, strings.Contains(texts, event))
	}
}

func drawnOrNot(t *testing.T, what string, drawn bool) {
	t.Helper()
	if drawn == (notDrawn[what] != "") {
		t.Errorf("%s: drawn is %v, and the reason why not is %q", what, drawn, notDrawn[what])
	}
}

// exportable tells whether a mechanism has a place in a format under any adjacency.
func exportable(format string, spec mechanisms.Spec) bool {
	return slices.ContainsFunc([]mechanisms.Adjacency{mechanisms.AddRemove, mechanisms.Replace, mechanisms.ZeroOut},
		func(a mechanisms.Adjacency) bool {
			s := scenarios.New()
			s.Adjacency, s.Stack = a, []scenarios.Entry{{Mechanism: spec.Name, Count: 1, Sampling: 1,
				Values: spec.Initials()}}
			_, _, err := Export(format, s)
			return err == nil
		})
}
