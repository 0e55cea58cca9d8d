package plan

import (
	"context"
	"reflect"
	"testing"

	"epsiloscope/internal/samples"
)

// A remembered size is the one that is simulated, and of the same claim, attack, power and confidence only.
func TestRememberedSizesAreThoseSimulated(t *testing.T) {
	knownSizes.plans = nil
	plan := func(sigma, power, confidence float64) []AuditPlan {
		plans, err := PlanAudits(context.Background(), samples.Gaussian(sigma, 1, 1e-6), power, confidence)
		if err != nil || len(plans) != 2 {
			t.Fatal(plans, err)
		}
		return plans
	}
	first := plan(1, 0.8, 0.95)
	if len(knownSizes.plans) != 2 {
		t.Fatalf("%d sizes are remembered, want 2", len(knownSizes.plans))
	}
	for _, c := range [][3]float64{{1.1, 0.8, 0.95}, {1, 0.7, 0.95}, {1, 0.8, 0.9}} {
		if got := plan(c[0], c[1], c[2]); reflect.DeepEqual(got, first) {
			t.Errorf("σ, power, confidence %v: the plans are those of another audit", c)
		}
	}
	if again := plan(1, 0.8, 0.95); len(knownSizes.plans) != 8 || !reflect.DeepEqual(again, first) {
		t.Errorf("%d sizes are remembered, want 8; %+v, then %+v", len(knownSizes.plans), first, again)
	}
	knownSizes.plans = nil
	if again := plan(1, 0.8, 0.95); !reflect.DeepEqual(again, first) {
		t.Errorf("%+v, simulated again %+v", first, again)
	}
}
