package scenarios

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

// A person with five records, of which each is drawn with probability 0.1, is in the sample with probability 0.41. With
// Laplace noise of scale 1 on the count, the data sets with and without the person are told apart with advantage 0.1779
// by integration of Σ Bin(5, 0.1)(j)·Lap(j) against Lap(0); drawn as a whole, with advantage 0.09179. A query says how
// many records a person may have and not how they are drawn, so that the price says it.
func TestSampledPeople(t *testing.T) {
	for query, noted := range map[string]bool{
		"":                                              true,
		"{kind: count, total: 5}":                       true,
		"{kind: histogram, max_groups: 3}":              true,
		"{kind: histogram, per_group: 2}":               true,
		"{kind: people}":                                true,
		"{kind: people-by-group, max_groups: 1}":        true,
		"{kind: count, total: 1}":                       false,
		"{kind: count}":                                 false,
		"{kind: histogram, max_groups: 3, total: 1}":    false,
		"{kind: vector, clip: 1, dimension: 3}":         false,
		"{kind: sum, clip: [0, 3], per_group: 1}":       false,
		"{kind: sums, clip: [0, 3], total: 2, of: 100}": true,
	} {
		for _, rate := range []string{"0.1", "1"} {
			entry := "mechanism: laplace, scale: 1, query: " + query
			if query == "" { // one person counts once in a group, however many rows there are
				entry = "mechanism: partition-selection, epsilon: 1, delta: 1e-8"
			}
			text := fmt.Sprintf("version: 1\nunit: person\nadjacency: add-remove\nbudget: {delta: 1e-6}\nstack:\n  - {%s, sampling: {rate: %s}}\n", entry, rate)
			s, err := Parse("f.yaml", []byte(text))
			if err != nil {
				t.Fatal(query, err)
			}
			r, err := Evaluate(context.Background(), s, Options{ClosedFormsOnly: true})
			if err != nil {
				t.Fatal(query, err)
			}
			got := slices.ContainsFunc(r.Notes, func(n Note) bool { return n.Note == NoteWholePeople })
			if want := noted && rate != "1"; got != want {
				t.Errorf("%s at rate %s: noted %v, want %v", query, rate, got, want)
			}
		}
	}
}
