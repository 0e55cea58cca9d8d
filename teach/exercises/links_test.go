package exercises_test

import (
	"testing"

	"epsiloscope/scenarios"
	"epsiloscope/teach/exercises"
	"epsiloscope/teach/labs"
)

// What explains an answer exists.
func TestLinksLeadSomewhere(t *testing.T) {
	for _, e := range exercises.Library() {
		ok := e.See.Kind() == "screen" || e.See.Kind() == "chart"
		if e.See.Kind() == "lab" {
			_, ok = labs.Lookup(e.See.Name())
		}
		if e.See.Kind() == "scenario" {
			_, err := scenarios.LoadBundled(e.See.Name())
			ok = err == nil
		}
		if !ok {
			t.Errorf("%s: nothing is called %s", e.Question, e.See)
		}
	}
}
