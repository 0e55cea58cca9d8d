package risk

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"epsiloscope/accounting/pld"
)

// figure is a reference value of testdata/risk.json, derived by a contour integral, a closed
// form or 40-digit arithmetic, without this module's code.
type figure struct {
	Name      string         `json:"name"`
	Inputs    map[string]any `json:"inputs"`
	Quantity  string         `json:"quantity"`
	Value     float64        `json:"value"`
	Bound     string         `json:"bound"`
	Tolerance float64        `json:"tolerance_rel"`
}

func (f figure) number(name string) float64 {
	x, _ := f.Inputs[name].(float64)
	return x
}

func loadFigures(t *testing.T) []figure {
	t.Helper()
	data, err := os.ReadFile("testdata/risk.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Figures []figure }
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all.Figures
}

// stack builds the stack that a reference value is about. It is false if the value is about none.
func (f figure) stack() ([]pld.Part, bool) {
	one := func(p pld.Pair) ([]pld.Part, bool) { return []pld.Part{{Pair: p, Count: 1}}, true }
	switch m, _ := f.Inputs["mechanism"].(string); {
	case m == "gaussian" && f.number("mu") > 0:
		return one(pld.Gaussian(f.number("mu")))
	case m == "laplace":
		return one(pld.Laplace(f.number("eps")))
	case m == "poisson-gaussian":
		return one(pld.Subsample(f.number("rate"), pld.Gaussian(f.number("mu"))))
	case m == "dp-sgd poisson" && f.number("noise_multiplier") > 0:
		return []pld.Part{{Pair: pld.Subsample(f.number("rate"), pld.Gaussian(1/f.number("noise_multiplier"))), Count: f.number("steps")}}, true
	case m == "" && f.number("eps") > 0 && !strings.HasPrefix(f.Name, "onerun") && !strings.HasPrefix(f.Name, "audit"):
		return one(pld.Approximate(f.number("eps"), f.number("delta")))
	}
	return nil, false
}

func TestRiskFigures(t *testing.T) {
	ctx := context.Background()
	checked := 0
	for _, f := range loadFigures(t) {
		parts, ok := f.stack()
		if !ok {
			continue
		}
		curve := New(parts)
		var got Ends
		var err error
		exact := true
		switch f.Quantity {
		case "advantage":
			got, err = curve.Advantage(ctx)
		case "tpr_max":
			got, err = curve.TruePositiveRate(ctx, f.number("fpr"))
		case "tnr_max":
			got, err = curve.TrueNegativeRate(ctx, f.number("fnr"))
		case "bayes_success":
			got, err = curve.BayesSuccess(ctx, f.number("prior"))
		case "reconstruction_bound":
			got, err = curve.Reconstruction(ctx, f.number("prior_success"))
		case "mu_approx_gdp":
			var s Summary
			s, ok, err = curve.Summarise(ctx, f.number("delta0"))
			if err == nil && !ok {
				t.Errorf("%s: no summary", f.Name)
			}
			got, exact = Ends{0, s.Mu}, false
		default:
			continue
		}
		checked++
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		room := max(f.Tolerance, 2e-7) * f.Value
		if got.Upper < f.Value-f.Tolerance*f.Value || got.Upper > f.Value+room {
			t.Errorf("%s: upper end %.12g, reference %.12g", f.Name, got.Upper, f.Value)
		}
		if exact && (got.Lower > f.Value+f.Tolerance*f.Value || got.Lower < f.Value*(1-1e-5)) {
			t.Errorf("%s: lower end %.12g, reference %.12g", f.Name, got.Lower, f.Value)
		}
	}
	if checked < 40 {
		t.Errorf("only %d reference values were compared", checked)
	}
}
