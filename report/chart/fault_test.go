package chart

import (
	"context"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios"
)

// A fault of the accountant is an internal error of every chart that asks it, never a note beside the closed curves,
// nor a reason.
func TestFaultsAreNoNotes(t *testing.T) {
	asked := map[string]bool{}
	for _, name := range []string{"welcome", "dpsgd-abadi", "top-k-selection"} {
		s, err := scenarios.LoadBundled(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range Kinds() {
			broken := &gauge.Broken{Context: context.Background()}
			c, err := kind.Build(broken, s, Options{Numerical: true, Points: 3, MaxK: 4})
			if broken.Times.Load() == 0 {
				continue
			}
			asked[kind.Name] = true
			if fault := accounting.FaultOf(err); fault == nil || fault.Text != gauge.BrokenText || len(c.Series) > 0 ||
				!strings.HasPrefix(err.Error(), "internal error") {
				t.Errorf("%s of %s: %d series, %v", kind.Name, name, len(c.Series), err)
			}
		}
	}
	for _, kind := range []Kind{EpsilonK, Epochs, Profile, Loss, Tradeoff, TPR, Bayes} {
		if !asked[kind.Name] {
			t.Errorf("%s does not ask the accountant: this test does not look at it", kind.Name)
		}
	}
}
