package audit

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"epsiloscope/accounting/special"
)

// figure is a reference value of testdata/risk.json, computed in 40-digit arithmetic without this
// module's code.
type figure struct {
	Name      string         `json:"name"`
	Inputs    map[string]any `json:"inputs"`
	Quantity  string         `json:"quantity"`
	Value     float64        `json:"value"`
	Tolerance float64        `json:"tolerance_rel"`
}

func (f figure) number(name string) float64 {
	x, _ := f.Inputs[name].(float64)
	return x
}

func (f figure) result() Result {
	count := func(name string) int { return int(f.number(name)) }
	if strings.HasPrefix(f.Name, "onerun") {
		return OneRun{count("m"), count("r"), count("v")}
	}
	return TwoSample{count("n_in"), count("n_in") - count("fn"), count("n_out"), count("fp")}
}

// gaussianClaim returns the claim of one Gaussian release, by its closed forms.
func gaussianClaim(mu float64) Claim {
	power := func(level float64) (float64, error) {
		return special.NormalCDF(special.NormalQuantile(level) + mu), nil
	}
	return Claim{func(e float64) (float64, error) { return math.Exp(special.LogGaussianProfile(mu, e)), nil }, power, power}
}

func TestAuditFigures(t *testing.T) {
	data, err := os.ReadFile("testdata/risk.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Figures []figure }
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, f := range all.Figures {
		var got float64
		var err error
		switch {
		case !strings.HasPrefix(f.Name, "onerun") && !strings.HasPrefix(f.Name, "audit"):
			continue
		case f.Quantity == "p_value" && strings.Contains(f.Name, "curve"):
			got, err = f.result().CurvePValue(gaussianClaim(f.number("mu")))
		case f.Quantity == "p_value":
			got, err = f.result().PValue(f.number("eps"), f.number("delta"))
		case f.Quantity == "eps_lower":
			got, err = f.result().EpsilonLower(f.number("delta"), f.number("confidence"))
		case f.Quantity == "mu_lower":
			got, err = f.result().(TwoSample).MuLower(0, f.number("confidence"))
		case f.Quantity == "trials_each":
			got, err = RunsNeeded(f.number("eps"), f.number("delta"), f.number("confidence"))
		default:
			continue // the published code's weaker bound
		}
		checked++
		room := f.Tolerance*math.Abs(f.Value) + 1e-10
		if err != nil || math.Abs(got-f.Value) > room {
			t.Errorf("%s: %.15g, reference %.15g (%v)", f.Name, got, f.Value, err)
		}
	}
	if checked < 25 {
		t.Errorf("only %d reference values were compared", checked)
	}
}
