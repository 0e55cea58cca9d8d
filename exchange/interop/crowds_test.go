package interop

import (
	"strings"
	"testing"

	"epsiloscope/scenarios"
)

// exportedText returns a bundled scenario as Python for dp_accounting.
func exportedText(t *testing.T, name string) string {
	t.Helper()
	s, err := scenarios.LoadBundled(name)
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := Export("dp-accounting", s)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Amplified bands are Poisson steps at the rate inside a group, never the one Gaussian release of a
// single participation, which would cost less than they do.
func TestAmplifiedBandsAreExportedAsSteps(t *testing.T) {
	text := exportedText(t, "dp-ftrl-amplified")
	if !strings.Contains(text, "PoissonSampledDpEvent(0.03125") || !strings.Contains(text, "), 128)") {
		t.Error(text)
	}
}

// A mixture goes out and comes back as it was.
func TestMixtureOfGaussiansRoundTrip(t *testing.T) {
	text := exportedText(t, "random-participation")
	r, err := Import("dp-accounting", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	out, err := r.Scenario.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"mixture-of-gaussians", "sensitivities: [0, 1, 2]", "probabilities: [0.81, 0.18, 0.01]", "count: 100"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in %s", want, string(out))
		}
	}
}

// Amplified bands of jax_privacy come in with the rate inside a group: 2048 iterations in 16 groups
// are 128 Poisson steps. A function of that name from elsewhere is not known.
func TestAmplifiedBandsOfJax(t *testing.T) {
	script := func(head, call string) string {
		return head + "\nimport dp_accounting\nfrom dp_accounting import pld\naccountant = pld.PLDAccountant(dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE)\naccountant.compose(" + call + ")\n"
	}
	good := script("from jax_privacy import accounting", "accounting.amplified_bandmf_event(1.5, 2048, num_bands=16, sampling_prob=1/32)")
	r, err := Import("dp-accounting", []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	out, err := r.Scenario.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"mechanism: dp-sgd", "noise_multiplier: 1.5", "sampling_rate: 0.03125", "steps: 128"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in %s", want, string(out))
		}
	}
	for _, c := range []struct{ script, want string }{
		{script("import dp_accounting as accounting", "accounting.amplified_bandmf_event(1.5, 2048, num_bands=16, sampling_prob=0.1)"), "is not known"},
		{script("from jax_privacy import accounting", "accounting.GaussianDpEvent(1.5)"), "is not known"},
		{script("from jax_privacy import accounting", "accounting.amplified_bandmf_event(1.5, 2048, num_bands=16, sampling_prob=1.5)"), "at most 1"},
		{script("from jax_privacy import accounting", "accounting.amplified_bandmf_event(1.5, 2048, num_bands=0, sampling_prob=0.5)"), "num_bands"},
		{script("from jax_privacy import accounting", "accounting.amplified_bandmf_event(0, 2048, num_bands=4, sampling_prob=0.5)"), "noise_multiplier"},
		{strings.ReplaceAll(good, "ADD_OR_REMOVE_ONE", "REPLACE_ONE"), "REPLACE_ONE"},
	} {
		if _, err := Import("dp-accounting", []byte(c.script)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %q, got %v\n%s", c.want, err, c.script)
		}
	}
}
