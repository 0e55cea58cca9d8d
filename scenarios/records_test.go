package scenarios

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// An entry that counts more records than the data has would be priced for a larger crowd, a smaller rate or a smaller
// sensitivity than there is. Two data sets of 100 people, all but the first with the answer 0, whose shuffled responses
// at ε = 1 are counted: at δ = 1e-6 the truth is above 0.4, and for a million people 0.0029 would do.
func TestNoMoreRecordsThanTheDataHas(t *testing.T) {
	const text = "version: 1\nunit: person\nadjacency: %s\nrecords: 100\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n  - {%s}\n"
	for _, c := range []struct{ adjacency, entry, field string }{
		{"replace", "mechanism: shuffle, of: {mechanism: randomized-response, epsilon: 1}, people: %d", "people"},
		{"replace", "mechanism: thresholdout, overfit_budget: 5, sigma: 0.1, n: %d", "n"},
		{"replace", "mechanism: output-perturbation, epsilon: 1, n: %d, regularization: 0.1, dimension: 4", "n"},
		{"replace", "mechanism: objective-perturbation, epsilon: 1, n: %d, regularization: 0.1, dimension: 4, smoothness: 1/4", "n"},
		{"replace", "mechanism: gaussian, sigma: 1, query: {kind: mean, clip: [0, 1], people: %d}", "query.people"},
		{"add-remove", "mechanism: dp-sgd, noise_multiplier: 1, batch: 10, steps: 100, records: %d", "records"},
		{"add-remove", "parallel: [[{mechanism: dp-sgd, noise_multiplier: 1, batch: 10, steps: 100, records: %d}], []]",
			"parallel[1][1].records"},
		{"add-remove", "mechanism: select, of: {mechanism: dp-sgd, noise_multiplier: 1, batch: 10, steps: 100, records: %d}, " +
			"runs: {distribution: geometric, mean: 2}", "of.records"},
		{"zero-out", "mechanism: matrix, factorisation: banded-sqrt, bands: 4, steps: 100, noise_multiplier: 1, " +
			"batches: cyclic-poisson, batch: 5, records: %d", "records"},
	} {
		read := func(n int, more string) error {
			_, err := Parse("f.yaml", fmt.Appendf(nil, text, c.adjacency, fmt.Sprintf(c.entry, n)+more))
			return err
		}
		if err := read(100, ""); err != nil {
			t.Errorf("%s: %v", c.entry, err)
		}
		want := "stack[1]." + c.field + ": must be at most the number of records that the data has, 100"
		if err := read(101, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", c.entry, err, want)
		}
		if err := read(101, ", disabled: true"); err != nil {
			t.Errorf("%s: %v", c.entry, err)
		}
	}
}

// The truth behind [TestNoMoreRecordsThanTheDataHas]: the count of ones among 100 shuffled responses says more of one
// person than a million people would let it.
func TestFewPeopleShuffled(t *testing.T) {
	s, err := Parse("f.yaml", []byte("version: 1\nadjacency: replace\nrecords: 100\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n  - {mechanism: shuffle, of: {mechanism: randomized-response, epsilon: 1}, people: 100}\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Evaluate(context.Background(), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if b := r.BestBound(); b.Epsilon < 0.4 {
		t.Error(b.Epsilon)
	}
}

// A request that a ledger has granted before there was this rule stays readable, and has the price that was charged.
func TestGrantedRecordsStayReadable(t *testing.T) {
	const text = `{"version":1,"adjacency":"replace","records":100,"stack":[{"mechanism":"thresholdout","overfit_budget":5,"sigma":0.1,"n":1000}]}`
	if _, err := Parse("stack", []byte(text)); err == nil {
		t.Error("a new request is not refused")
	}
	s, err := ParseRequest("stack", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Stack(s); err != nil {
		t.Error(err)
	}
}

// Neither an override nor a branch lets more records in.
func TestNoMoreRecordsByAnOverride(t *testing.T) {
	s, err := Parse("f.yaml", []byte("version: 1\nrecords: 100\nbudget: {delta: 1e-6}\nstack:\n  - parallel: [[{mechanism: dp-sgd, noise_multiplier: 1, batch: 10, records: 90, steps: 10}], []]\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Set("1.1.1.records", "1000"); err != nil {
		t.Fatal(err)
	}
	if _, err := Stack(s); err == nil || !strings.Contains(err.Error(), "parallel[1][1].records: must be at most") {
		t.Error(err)
	}
}
