package risk

import (
	"context"
	"math"
	"strings"
	"testing"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
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
	all := gauge.ReadFigures[struct{ Figures []figure }](t, "testdata/risk.json")
	return all.Figures
}

// stack builds the stack that a reference value is about. It is false if the value is about none.
func (f figure) stack() ([]pairs.Part, bool) {
	one := func(p pairs.Pair) ([]pairs.Part, bool) { return []pairs.Part{{Pair: p, Count: 1}}, true }
	switch m, _ := f.Inputs["mechanism"].(string); {
	case m == "gaussian" && f.number("mu") > 0:
		return one(pairs.Gaussian(f.number("mu")))
	case m == "laplace":
		return one(pairs.Laplace(f.number("eps")))
	case m == "poisson-gaussian":
		return one(pairs.Subsample(f.number("rate"), pairs.Gaussian(f.number("mu"))))
	case m == "discrete-gaussian":
		return one(pairs.DiscreteGaussian(f.number("sigma"), int(f.number("sensitivity"))))
	case m == "dp-sgd poisson" && f.number("noise_multiplier") > 0:
		return []pairs.Part{{Pair: pairs.Subsample(f.number("rate"), pairs.Gaussian(1/f.number("noise_multiplier"))), Count: f.number("steps")}},
			true
	case m == "" && f.number("eps") > 0 && !strings.HasPrefix(f.Name, "onerun") && !strings.HasPrefix(f.Name, "audit"):
		return one(pairs.Approximate(f.number("eps"), f.number("delta")))
	}
	return nil, false
}

// Every reference value is asked for: here, in package audit if it is about an attack, or in package plan if it is
// about an unknown.
func TestRiskFigures(t *testing.T) {
	ctx := context.Background()
	asked := map[string]int{}
	for _, f := range loadFigures(t) {
		switch {
		case strings.HasPrefix(f.Name, "onerun-"), strings.HasPrefix(f.Name, "audit-"): // package audit
			continue
		case f.Quantity == "noise_multiplier", f.Quantity == "releases": // package plan
			continue
		}
		if asked[f.Quantity]++; asked[f.Quantity] > gauge.Cases(4, 1000) {
			continue
		}
		parts, ok := f.stack()
		if !ok {
			t.Errorf("%s: no stack is built for it", f.Name)
			continue
		}
		curve := New(parts)
		var got Ends
		var err error
		exact, room := true, 2e-7
		summarise := func(delta0 float64) Summary {
			s, ok, problem := curve.Summarise(ctx, delta0)
			if err = problem; err == nil && !ok {
				t.Errorf("%s: no summary", f.Name)
			}
			exact = false // certified from above, at finitely many ε
			return s
		}
		switch f.Quantity {
		case "advantage":
			got, err = curve.Advantage(ctx)
		case "tpr_max":
			got, err = curve.TruePositiveRate(ctx, f.number("fpr"))
		case "tnr_max":
			got, err = curve.TrueNegativeRate(ctx, f.number("fnr"))
		case "tpr_bound": // of replace, through the absent record
			if got, err = curve.TrueNegativeRate(ctx, f.number("fpr")); err == nil {
				got, err = curve.TruePositiveRate(ctx, got.Upper)
			}
		case "bayes_success":
			got, err = curve.BayesSuccess(ctx, f.number("prior"))
		case "reconstruction_bound":
			got, err = curve.Reconstruction(ctx, f.number("prior_success"))
		case "delta":
			got, err = curve.Delta(ctx, pld.WithRecord, f.number("eps"))
		case "tail_bound": // P[L > e₁] ≤ δ(e₀)/(1 − e^{e₀−e₁})
			got, err = curve.Delta(ctx, pld.WithRecord, f.number("eps"))
			rest := -math.Expm1(f.number("eps") - f.number("eps_posterior"))
			got = Ends{got.Lower / rest, got.Upper / rest}
		case "mu_approx_gdp":
			got.Upper = summarise(f.number("delta0")).Mu
		case "mu_gdp": // pure and Laplace need no δ₀; the least that is taken stands for none
			got.Upper, room = summarise(1e-12).Mu, 1e-5
		case "regret":
			got.Upper, room = summarise(max(f.number("delta0"), 1e-12)).Regret, 0.03
		default:
			t.Errorf("%s: nothing asks for a %s", f.Name, f.Quantity)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		if got.Upper < f.Value*(1-f.Tolerance) || got.Upper > f.Value*(1+max(f.Tolerance, room)) {
			t.Errorf("%s: upper end %.12g, reference %.12g", f.Name, got.Upper, f.Value)
		}
		if exact && (got.Lower > f.Value*(1+f.Tolerance) || got.Lower < f.Value*(1-1e-5)) {
			t.Errorf("%s: lower end %.12g, reference %.12g", f.Name, got.Lower, f.Value)
		}
	}
}

// What (ε, δ) alone allows, by the reference values of its closed forms.
func TestApproximateFigures(t *testing.T) {
	asked := 0
	for _, f := range loadFigures(t) {
		if !strings.HasPrefix(f.Name, "approx-") {
			continue
		}
		a := Approximate{f.number("eps"), f.number("delta")}
		var got float64
		switch f.Quantity {
		case "advantage":
			got = a.Advantage()
		case "tpr_max":
			got = a.TruePositiveRate(f.number("fpr"))
		case "bayes_success":
			got = a.BayesSuccess(f.number("prior"))
		default:
			t.Errorf("%s: nothing asks for a %s", f.Name, f.Quantity)
		}
		if asked++; got < f.Value*(1-1e-15) || got > f.Value*(1+f.Tolerance) {
			t.Errorf("%s: %.15g, reference %.15g", f.Name, got, f.Value)
		}
	}
	if asked == 0 {
		t.Error("no reference value was compared")
	}
}
