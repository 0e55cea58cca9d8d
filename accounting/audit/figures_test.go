package audit

import (
	"math"
	"strings"
	"testing"

	"epsiloscope/accounting/special"
	"epsiloscope/internal/gauge"
)

// figure is a reference value of accounting/risk/testdata/risk.json, computed in 40-digit arithmetic without this
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
	return Claim{func(e float64) (float64, error) {
		return math.Exp(special.LogGaussianProfile(mu, e)), nil
	}, power, power}
}

func TestAuditFigures(t *testing.T) {
	all := gauge.ReadFigures[struct{ Figures []figure }](t, "../risk/testdata/risk.json")
	for _, f := range all.Figures {
		var got float64
		var err error
		switch {
		case !strings.HasPrefix(f.Name, "onerun-") && !strings.HasPrefix(f.Name, "audit-"): // packages risk and plan
			continue
		case strings.HasPrefix(f.Name, "audit-saturation-"), strings.HasPrefix(f.Name, "onerun-saturation-"):
			got, err = f.result().LargestProvable(f.number("delta"), f.number("confidence"))
		case f.Quantity == "p_value" && strings.Contains(f.Name, "curve"):
			got, err = f.result().CurvePValue(gaussianClaim(f.number("mu")))
		case f.Quantity == "p_value":
			got, err = f.result().PValue(f.number("eps"), f.number("delta"))
		case f.Quantity == "eps_lower":
			got, err = f.result().EpsilonLower(f.number("delta"), f.number("confidence"))
		case f.Quantity == "mu_lower":
			got, err = f.result().(TwoSample).MuLower(0, f.number("confidence"))
		case f.Quantity == "trials_each":
			got, err = RequiredRuns(f.number("eps"), f.number("delta"), f.number("confidence"))
		case f.Quantity == "p_value_thm_5_2": // the published code, which is no bound
			got = publishedPValue(f.result().(OneRun), f.number("eps"), f.number("delta"))
		case f.Quantity == "eps_lower_thm_5_2":
			got = publishedEpsilon(f.result().(OneRun), f.number("delta"), f.number("confidence"))
		default:
			t.Errorf("%s: nothing asks for a %s", f.Name, f.Quantity)
			continue
		}
		room := f.Tolerance*math.Abs(f.Value) + 1e-10
		if err != nil || math.Abs(got-f.Value) > room {
			t.Errorf("%s: %.15g, reference %.15g (%v)", f.Name, got, f.Value, err)
		}
	}
}

// publishedPValue returns what the code published with Steinke, Nasr and Jagielski 2023 computes: F + 2mδ·max over i of
// P[v > W ≥ v−i]/i. It is for comparison alone: it is weaker for small p-values and can be too small for large ones.
func publishedPValue(o OneRun, epsilon, delta float64) float64 {
	q := 1 / (1 + math.Exp(-epsilon))
	above, _, _, _ := tails(o.Guesses, o.Correct, q)
	sum, most := 0.0, 0.0
	for i := 1; i <= o.Correct; i++ {
		sum += math.Exp(special.LogBinomial(float64(o.Correct-i), float64(o.Guesses), q))
		most = math.Max(most, sum/float64(i))
	}
	return math.Min(1, above+2*float64(o.Canaries)*delta*most)
}

func publishedEpsilon(o OneRun, delta, confidence float64) float64 {
	refutes := func(epsilon float64) bool { return publishedPValue(o, epsilon, delta) < 1-confidence }
	if !refutes(0) {
		return 0
	}
	low, _ := special.Bisect(0, 20, 1e-12, refutes)
	return low
}

// The ε that Steinke, Nasr and Jagielski 2023 print for counts of an attack (arXiv 2305.08846v1; pages as noted in
// github.com/RAFAELDCOELHO/PersonaCore, .planning/research/V6-PREREG-09.md; three digits, rounded or cut off), by their
// formula, and what the exact p-value shows: never less.
func TestPublishedAudits(t *testing.T) {
	for _, c := range []struct {
		attack           OneRun
		delta, published float64
		page             string
	}{
		{OneRun{100, 100, 75}, 0, 0.702, "appendix D, p. 45"},
		{OneRun{100, 100, 75}, 1e-4, 0.699, "appendix D, p. 46"},
		{OneRun{1000, 100, 75}, 1e-4, 0.673, "appendix D, p. 46"},
		{OneRun{100000, 1510, 1439}, 1e-5, 2.675, "section 7, p. 28"},
	} {
		if got := publishedEpsilon(c.attack, c.delta, 0.95); math.Abs(got-c.published) > 1e-3 {
			t.Errorf("%+v: ε ≥ %.6g, the paper prints %g (%s)", c.attack, got, c.published, c.page)
		}
		exact, err := c.attack.EpsilonLower(c.delta, 0.95)
		if err != nil || exact < publishedEpsilon(c.attack, c.delta, 0.95)-1e-9 {
			t.Errorf("%+v: the exact p-value shows ε ≥ %.6g, less than the paper's %g (%v)", c.attack, exact, c.published, err)
		}
	}
	if p, err := (OneRun{100, 100, 75}).PValue(math.Log(3), 0); err != nil || math.Abs(p-0.553) > 1e-3 {
		t.Errorf("p = %g, the paper prints 0.553 (appendix D, p. 45), %v", p, err)
	}
}

// The exact p-value never shows less than the published one for p below ½.
func TestExactPValueIsNoWeaker(t *testing.T) {
	for _, o := range []OneRun{{100, 100, 80}, {1000, 100, 90}, {1000, 200, 150}, {25, 20, 17}} {
		for _, epsilon := range []float64{0, 0.3, 0.8, 1.5} {
			exact, err := o.PValue(epsilon, 1e-4)
			if published := publishedPValue(o, epsilon, 1e-4); err != nil ||
				published < 0.5 && exact > published*(1+1e-9) {
				t.Errorf("%v at ε = %g: %g, published %g (%v)", o, epsilon, exact, published, err)
			}
		}
	}
}
