package peers

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// What the tools' own Rényi code printed (dp_accounting 0.6.0 of 6 August 2026, Opacus
// 1.5.4), run on these trainings with the arithmetic of the standard library in place of
// numpy and scipy.
func TestRenyiAsTheToolsPrint(t *testing.T) {
	var cases []struct {
		Q, Z, Steps, Delta       float64
		DPAccounting             []float64 `json:"dp_accounting"`
		DPAccountingHalf         []float64 `json:"dp_accounting_half"`
		Opacus                   []float64
		TFOlder                  []float64 `json:"tf_older"`
		WithoutReplacement       *float64  `json:"without_replacement"`
		WithoutReplacementHalved *float64  `json:"without_replacement_half"`
	}
	data, err := os.ReadFile("testdata/renyi.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		near := func(what string, got, alpha float64, want []float64) {
			t.Helper()
			if math.Abs(got-want[0]) > 1e-8*want[0] || len(want) > 1 && alpha != want[1] {
				t.Errorf("q %v, z %v, %v steps, δ %v: %s %.12g at order %v, printed %.12g", c.Q, c.Z, c.Steps, c.Delta, what, got, alpha, want)
			}
		}
		whole := []steps{{c.Q, c.Z, c.Steps}}
		half := []steps{{c.Q, c.Z / 2, c.Steps}}
		epsilon, alpha := dpAccountingLeast(dpAccountingOrders(), sumOf(whole, absoluteRenyi), c.Delta)
		near("dp_accounting", epsilon, alpha, c.DPAccounting)
		epsilon, alpha = dpAccountingLeast(dpAccountingOrders(), sumOf(half, absoluteRenyi), c.Delta)
		near("dp_accounting, half the noise", epsilon, alpha, c.DPAccountingHalf)
		epsilon, alpha = leastEpsilon(opacusOrders(), sumOf(whole, exactRenyi), c.Delta)
		near("Opacus", epsilon, alpha, c.Opacus)
		epsilon, alpha = dpAccountingLeast(tfPrivacyOrders(), sumOf(whole, absoluteRenyi), c.Delta)
		near("TF-Privacy", epsilon, alpha, c.TFOlder)
		if c.WithoutReplacement != nil {
			epsilon, _ = dpAccountingLeast(dpAccountingOrders(), sumOf(whole, fixedRenyi), c.Delta)
			near("without replacement", epsilon, 0, []float64{*c.WithoutReplacement})
			epsilon, _ = dpAccountingLeast(dpAccountingOrders(), sumOf(half, fixedRenyi), c.Delta)
			near("without replacement, half the noise", epsilon, 0, []float64{*c.WithoutReplacementHalved})
		}
	}
}
