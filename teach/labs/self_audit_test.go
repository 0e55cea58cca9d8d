package labs

import (
	"context"
	"sync"
	"testing"

	"epsiloscope/accounting/pld"
	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms/param"
)

// sharedAccountant returns a context whose numerical accountant all runs share: what is priced is the same with every
// seed.
var sharedAccountant = sync.OnceValue(func() context.Context {
	return pld.NewContext(context.Background(), new(pld.Accountant))
})

func selfAuditP(t *testing.T, mechanism, fault string, runs float64, seed uint64) float64 {
	t.Helper()
	out, err := Run(sharedAccountant(), "self-audit", Options{Seed: seed, Values: param.Values{
		"mechanism": param.ChoiceValue(mechanism), "fault": param.ChoiceValue(fault), "runs": param.WholeValue(runs),
		"records": param.WholeValue(4)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range out.Figures {
		if f.Name == "p-value of the priced curve" {
			return f.Value
		}
	}
	t.Fatal("no p-value")
	return 1
}

// The code that was priced is not refuted at 95 % in 95 of 100 seeds and more; the quick form has fewer seeds.
func TestCodeWithoutFaultIsNotRefuted(t *testing.T) {
	for _, mechanism := range []string{"gaussian", "laplace", "dp-sgd"} {
		seeds, refuted := gauge.Cases(2, 100), 0
		for seed := range uint64(seeds) {
			if selfAuditP(t, mechanism, noFault, 300, 1000+seed) < 0.05 {
				refuted++
			}
		}
		if 20*refuted > max(20, seeds) {
			t.Errorf("%s: refuted in %d of %d seeds", mechanism, refuted, seeds)
		}
	}
}

// Each planted fault is refuted at the number of runs stated, half of which choose the threshold.
func TestPlantedFaultsAreRefuted(t *testing.T) {
	for _, c := range []struct {
		mechanism, fault string
		runs             float64
	}{
		{"gaussian", halfNoise, 600}, {"gaussian", reusedNoise, 60}, {"gaussian", wrongSensitivity, 600}, {"gaussian", forgottenClip, 200},
		{"laplace", halfNoise, 1000}, {"laplace", reusedNoise, 60}, {"laplace", wrongSensitivity, 600}, {"laplace", forgottenClip, 200},
		{"dp-sgd", halfNoise, 600}, {"dp-sgd", shuffledAsPoisson, 3000},
	} {
		largest := 0.0
		for seed := range uint64(gauge.Cases(1, 20)) {
			p := selfAuditP(t, c.mechanism, c.fault, c.runs, 7+seed)
			if largest = max(largest, p); p >= 0.05 {
				t.Errorf("%s with %s: p = %.3g with %v runs, seed %d", c.mechanism, c.fault, p, c.runs, 7+seed)
			}
		}
		t.Logf("%s with %s, %v runs: p at most %.3g", c.mechanism, c.fault, c.runs, largest)
	}
}
