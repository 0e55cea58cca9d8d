package mechanisms

import (
	"math"
	"testing"

	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms/param"
)

// The calibrated σ meets (ε, δ), and a slightly smaller one does not.
func TestAnalyticCalibration(t *testing.T) {
	for _, epsilon := range []float64{1e-12, 1e-3, 0.5, 1, 10, 1e4} {
		for _, delta := range []float64{1e-300, 1e-20, 1e-6, 0.01, 0.5} {
			m, err := New("gaussian", param.Values{"epsilon": param.NumberValue(epsilon), "delta": param.NumberValue(delta),
				"sensitivity": param.NumberValue(3)})
			if err != nil {
				t.Errorf("ε = %v, δ = %v: %v", epsilon, delta, err)
				continue
			}
			mu := m.(Gaussian).Mu()
			if got := special.LogGaussianProfile(mu, epsilon); got > math.Log(delta)+1e-9 {
				t.Errorf("ε = %v, δ = %v: σ = %v gives δ = e^%v", epsilon, delta, m.(Gaussian).Sigma, got)
			}
			if got := special.LogGaussianProfile(mu*(1+1e-6), epsilon); got < math.Log(delta) {
				t.Errorf("ε = %v, δ = %v: σ = %v is larger than it need be", epsilon, delta, m.(Gaussian).Sigma)
			}
		}
	}
}

// Classic wastes noise for small ε; the analytic σ is never above it.
func TestClassicCalibration(t *testing.T) {
	for _, epsilon := range []float64{0.01, 0.1, 0.5, 0.99} {
		v := param.Values{"epsilon": param.NumberValue(epsilon), "delta": param.NumberValue(1e-5)}
		analytic, err1 := New("gaussian", v)
		v["calibration"] = param.ChoiceValue("classic")
		classic, err2 := New("gaussian", v)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		want := math.Sqrt(2*math.Log(1.25/1e-5)) / epsilon
		if got := classic.(Gaussian).Sigma; math.Abs(got-want) > 1e-12*want {
			t.Errorf("ε = %v: classic σ = %v, want %v", epsilon, got, want)
		}
		if analytic.(Gaussian).Sigma >= classic.(Gaussian).Sigma {
			t.Errorf("ε = %v: analytic %v, classic %v", epsilon, analytic.(Gaussian).Sigma, classic.(Gaussian).Sigma)
		}
	}
}

// From ε = 1 on nothing is proven of the classic σ, and it is refused.
func TestClassicCalibrationIsProvenBelowOne(t *testing.T) {
	for _, epsilon := range []float64{1, 8.5} {
		if m, err := New("gaussian", param.Values{"epsilon": param.NumberValue(epsilon), "delta": param.NumberValue(1e-5),
			"calibration": param.ChoiceValue("classic")}); err == nil {
			t.Errorf("ε = %v: %+v", epsilon, m)
		}
	}
}
