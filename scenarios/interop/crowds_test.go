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
