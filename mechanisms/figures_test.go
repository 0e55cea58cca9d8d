package mechanisms

import (
	"math"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms/param"
	"epsiloscope/mechanisms/selection"
)

// figure is a row of accounting/testdata/figures.json: reference values computed at 25
// digits and more, independently of this program.
type figure struct {
	ID        string  `json:"id"`
	Kind      string  `json:"kind"`
	Quantity  string  `json:"quantity"`
	Params    params  `json:"params"`
	Epsilon   float64 `json:"eps"`
	Delta     float64 `json:"delta"`
	Alpha     float64 `json:"alpha"`
	Expected  any     `json:"expected"`
	Tolerance float64 `json:"tolerance_rel"`
}

type params struct {
	Scale       float64   `json:"scale"`
	Sensitivity float64   `json:"sensitivity"`
	Sigma       float64   `json:"sigma"`
	Epsilon     float64   `json:"eps0"`
	Delta       float64   `json:"delta0"`
	Truth       float64   `json:"p_truth"`
	K           float64   `json:"k"`
	Rho         float64   `json:"rho"`
	Mu          float64   `json:"mu"`
	Q           float64   `json:"q"`
	Group       float64   `json:"group"`
	Scores      []float64 `json:"scores"`
	Index       int       `json:"index"`
	Gap         float64   `json:"gap"`
	N           float64   `json:"n"`
	T           float64   `json:"t"`
	C           float64   `json:"c"`
	Beta        float64   `json:"beta"`
	Confidence  float64   `json:"confidence"`
	Direction   string    `json:"direction"`
}

func build(t *testing.T, kind string, v map[string]float64) Mechanism {
	t.Helper()
	values := param.Values{}
	for name, x := range v {
		if x != 0 {
			values[name] = param.NumberValue(x)
		}
	}
	m, err := New(kind, values)
	if err != nil {
		t.Fatalf("%s %v: %v", kind, v, err)
	}
	return m
}

func (f figure) laplace(t *testing.T) Laplace {
	return build(t, "laplace", map[string]float64{"scale": f.Params.Scale, "sensitivity": f.Params.Sensitivity}).(Laplace)
}

func (f figure) release(t *testing.T) accounting.Release {
	p := f.Params
	var m Mechanism
	switch f.Kind {
	case "laplace_pure", "laplace_delta", "laplace_rdp":
		m = f.laplace(t)
	case "gaussian_delta", "gaussian_rdp", "gaussian_zcdp":
		m = build(t, "gaussian", map[string]float64{"sigma": p.Sigma, "sensitivity": p.Sensitivity})
	case "rr_eps", "rr_rdp", "rr_delta":
		m = build(t, "randomized-response", map[string]float64{"truth": p.Truth, "categories": p.K})
	case "pure_dp_rdp", "pure_dp_zcdp_tight":
		m = build(t, "pure", map[string]float64{"epsilon": p.Epsilon})
	case "discrete_laplace_delta", "discrete_laplace_rdp":
		m = build(t, "geometric", map[string]float64{"scale": p.Scale, "sensitivity": p.Sensitivity})
	case "discrete_gaussian_delta", "discrete_gaussian_rdp_exact", "discrete_gaussian_zcdp":
		m = build(t, "discrete-gaussian", map[string]float64{"sigma": p.Sigma, "sensitivity": p.Sensitivity})
	default:
		return nil
	}
	return m.Releases(1)[0].Release
}

// ask gives what the row is about, and whether this package answers it.
func (f figure) ask(t *testing.T) (float64, bool) {
	p := f.Params
	if r := f.release(t); r != nil {
		var x float64
		var err error
		switch f.Quantity {
		case "eps":
			x, _, err = r.Approximate()
		case "delta":
			x, err = r.Profile(f.Epsilon)
		case "rdp":
			x, err = r.Renyi(f.Alpha)
		case "rho":
			x, err = r.Concentrated()
		}
		if err != nil {
			t.Errorf("%s: %v", f.ID, err)
		}
		return x, true
	}
	switch f.Kind {
	case "gaussian_sigma_classic":
		if f.Epsilon >= 1 {
			return 0, false // refused: the formula is proven below 1 only
		}
		m, err := New("gaussian", param.Values{"epsilon": param.NumberValue(f.Epsilon), "delta": param.NumberValue(f.Delta),
			"sensitivity": param.NumberValue(p.Sensitivity), "calibration": param.ChoiceValue("classic")})
		if err != nil {
			t.Fatal(err)
		}
		return m.(Gaussian).Sigma, true
	case "gaussian_sigma_analytic":
		return build(t, "gaussian", map[string]float64{"epsilon": f.Epsilon, "delta": f.Delta, "sensitivity": p.Sensitivity}).(Gaussian).Sigma, true
	case "exponential_probability", "exponential_probability_monotone":
		m := exponential(p.Epsilon, p.Sensitivity, p.Scores...)
		m.Monotone = f.Kind == "exponential_probability_monotone"
		s, _ := m.Selection()
		return s.Probabilities[p.Index], true
	case "exponential_failure_exact":
		s, _ := exponential(p.Epsilon, p.Sensitivity, p.Scores...).Selection()
		return s.Tail(p.Gap), true
	case "exponential_failure_bound":
		s, _ := exponential(p.Epsilon, p.Sensitivity, p.Scores...).Selection()
		return s.Bound(p.Gap), true
	case "exponential_gap_bound":
		return selection.Gap(p.N, exponential(p.Epsilon, p.Sensitivity).max().Scale(), p.T), true
	case "discrete_gaussian_variance":
		return varianceOf(discreteNormal{p.Sigma}.noise()), true
	case "svt_threshold_scale":
		return SparseVector{Epsilon: p.Epsilon, Positives: p.C, Sensitivity: p.Sensitivity}.Run().ThresholdScale(), true
	case "svt_query_scale":
		return SparseVector{Epsilon: p.Epsilon, Positives: p.C, Sensitivity: p.Sensitivity}.Run().QueryScale(), true
	case "svt_accuracy":
		return AboveThreshold{Epsilon: p.Epsilon, Sensitivity: 1}.Accuracy(p.K, p.Beta), true
	case "laplace_error_quantile":
		a, _ := ErrorOf(Laplace{Epsilon: 1 / p.Scale, Sensitivity: 1}, 1-p.Confidence, 1)
		return a.Each, true
	case "gaussian_error_quantile":
		a, _ := ErrorOf(Gaussian{Sigma: p.Sigma, Sensitivity: 1}, 1-p.Confidence, 1)
		return a.Each, true
	}
	return 0, false
}

func TestReferenceFigures(t *testing.T) {
	figures := gauge.ReadFigures[[]figure](t, "../accounting/testdata/figures.json")
	checked := 0
	for _, f := range figures {
		want, ok := f.Expected.(float64)
		if !ok {
			continue
		}
		got, mine := f.ask(t)
		if !mine {
			continue
		}
		checked++
		if math.Abs(got-want) > f.Tolerance*math.Abs(want) {
			t.Errorf("%s: got %v, want %v within %v", f.ID, got, want, f.Tolerance)
		}
	}
	if checked < 60 {
		t.Errorf("only %d rows were recognised", checked)
	}
}
