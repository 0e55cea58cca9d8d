package interop

import (
	"strings"
	"testing"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// A number must not change its adjacency on the way in or out.
func TestAdjacencyOfNumbers(t *testing.T) {
	rec, err := Import("diffprivlib", []byte("[(0.5, 0), (1, 1e-9)]"))
	if err != nil || rec.Scenario.Adjacency != mechanisms.Replace {
		t.Errorf("diffprivlib fixes the number of records: %+v, %v", rec, err)
	}
	rec, err = Import("dp-accounting", []byte("RandomizedResponseDpEvent(noise_parameter=0.5, num_buckets=4)"))
	if err != nil || rec.Scenario.Adjacency != mechanisms.Replace ||
		!strings.Contains(strings.Join(rec.Remarks, " "), "adjacency replace was taken") {
		t.Errorf("randomized response protects an answer that is changed: %+v, %v", rec, err)
	}
	// There a sampled event under REPLACE_ONE takes the noise for that of an absent record.
	sampled := "version: 1\nname: x\nadjacency: replace\nstack: [{mechanism: gaussian, sigma: 1, sampling: {rate: 0.1}}]\n"
	s, err := scenarios.Parse("", []byte(sampled))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Export("dp-accounting", s); err == nil {
		t.Error("a sampled number for a changed record was exported as one for absence")
	}
	s.Adjacency = mechanisms.AddRemove
	if _, _, err := Export("dp-accounting", s); err != nil {
		t.Error(err)
	}
}
