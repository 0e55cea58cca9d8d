package mechanisms

import (
	"fmt"
	"math"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/param"
)

// specimens returns the mechanisms of the catalogue, in every way they can be stated, and
// some at extreme parameters. The suite below asks the same of each.
func specimens(t testing.TB) []Mechanism {
	number, whole := param.NumberValue, param.WholeValue
	var list []Mechanism
	add := func(kind string, v param.Values) {
		m, err := New(kind, v)
		if err != nil {
			t.Fatalf("%s %v: %v", kind, v, err)
		}
		list = append(list, m)
	}
	for _, spec := range Catalogue() {
		for _, v := range everyWay(spec) {
			add(spec.Name, v)
		}
	}
	for _, e := range []float64{1e-12, 1e-5, 0.1, 1, 5, 40, 1e4} {
		add("laplace", param.Values{"epsilon": number(e)})
		add("geometric", param.Values{"epsilon": number(e)})
		add("geometric", param.Values{"epsilon": number(e), "sensitivity": whole(7)})
		add("randomized-response", param.Values{"epsilon": number(e)})
		add("randomized-response", param.Values{"epsilon": number(e), "categories": whole(3)})
		add("randomized-response", param.Values{"epsilon": number(e), "categories": whole(1000)})
		add("exponential", param.Values{"epsilon": number(e)})
		add("noisy-max", param.Values{"epsilon": number(e)})
		add("noisy-max", param.Values{"epsilon": number(e), "noise": param.ChoiceValue("gumbel")})
		add("above-threshold", param.Values{"epsilon": number(e)})
		add("sparse-vector", param.Values{"epsilon": number(e), "positives": whole(10)})
		add("sparse-vector", param.Values{"epsilon": number(e), "positives": whole(100), "delta": number(1e-6)})
		add("output-perturbation", param.Values{"epsilon": number(e), "n": whole(1e4), "regularization": number(0.01), "dimension": whole(10)})
		add("objective-perturbation", param.Values{"epsilon": number(e), "n": whole(1e4), "regularization": number(0.01), "dimension": whole(10), "smoothness": number(0.25)})
		add("pure", param.Values{"epsilon": number(e)})
		add("approximate", param.Values{"epsilon": number(e), "delta": number(1e-8)})
		add("approximate", param.Values{"epsilon": number(e), "delta": number(0)})
		add("zcdp", param.Values{"rho": number(e)})
		add("zcdp", param.Values{"rho": number(e), "xi": number(e / 3)})
	}
	for _, s := range []float64{1e-2, 0.7, 3, 100, 1e6} {
		add("gaussian", param.Values{"sigma": number(s)})
		add("discrete-gaussian", param.Values{"sigma": number(s)})
	}
	add("gaussian", param.Values{"epsilon": number(2), "delta": number(1e-9), "sensitivity": number(3)})
	add("discrete-gaussian", param.Values{"sigma": number(10), "sensitivity": whole(4)})
	add("thresholdout", param.Values{"overfit_budget": whole(100), "sigma": number(0.02), "n": whole(1e4)})
	for _, q := range []float64{1e-6, 0.01, 0.5, 1} {
		add("dp-sgd", param.Values{"noise_multiplier": number(1.1), "sampling_rate": number(q), "steps": whole(1e4)})
	}
	add("rdp", param.Values{"points": param.PointsValue(param.Item{Order: 8, Value: 0.5}, param.Item{Order: 2, Value: 0.1})})
	return list
}

var orders = []float64{1, 1 + 1e-9, 1 + 1e-5, 1.01, 1.5, 2, 3.7, 10, 64, 1e3, 1e6, 1e9, 1e15, 1e300, math.Inf(1)}

func name(m Mechanism) string { return fmt.Sprintf("%s %+v", m.Kind(), m) }

func each(t *testing.T, check func(t *testing.T, label string, r accounting.Release)) {
	seen := map[string]bool{}
	for _, m := range specimens(t) {
		entries := m.Releases(1)
		if len(entries) == 0 {
			t.Errorf("%s releases nothing", name(m))
		}
		for _, e := range entries {
			if !(e.Count >= 1) {
				t.Errorf("%s: count %v", name(m), e.Count)
			}
			if !seen[e.Release.Key()] {
				seen[e.Release.Key()] = true
				check(t, name(m), e.Release)
			}
		}
	}
}

// slack is what rounding may cost between two ways to the same number.
const slack = 1e-9

func TestRenyiCurves(t *testing.T) {
	each(t, func(t *testing.T, label string, r accounting.Release) {
		rho, noRho := r.Concentrated()
		if noRho == nil && (math.IsNaN(rho) || rho < 0) {
			t.Errorf("%s: ρ = %v", label, rho)
		}
		before := 0.0
		for _, alpha := range orders {
			value, err := r.Renyi(alpha)
			if err != nil {
				continue
			}
			if math.IsNaN(value) || value < 0 {
				t.Errorf("%s: D_%v = %v", label, alpha, value)
			}
			if value < before*(1-slack)-1e-300 {
				t.Errorf("%s: D falls to %v at α = %v from %v", label, value, alpha, before)
			}
			if noRho == nil && value > alpha*rho*(1+slack)+1e-300 {
				t.Errorf("%s: D_%v = %v exceeds αρ = %v", label, alpha, value, alpha*rho)
			}
			before = value
		}
		atOne, err := r.Renyi(1)
		nearOne, _ := r.Renyi(1 + 1e-9)
		if err == nil && math.Abs(nearOne-atOne) > 1e-6*atOne+1e-300 {
			t.Errorf("%s: D jumps from %v at 1 to %v beside it", label, atOne, nearOne)
		}
		if epsilon, delta, err := r.Approximate(); err == nil && delta == 0 {
			if top, err := r.Renyi(math.Inf(1)); err != nil || math.Abs(top-epsilon) > slack*epsilon {
				t.Errorf("%s: D_∞ = %v, %v; pure ε = %v", label, top, err, epsilon)
			}
		}
	})
}

// The tight ρ must not be above what is proven for every mechanism of its ε, nor
// below the divergence at 1.
func TestConcentratedIsTight(t *testing.T) {
	each(t, func(t *testing.T, label string, r accounting.Release) {
		rho, err := r.Concentrated()
		if err != nil {
			return
		}
		if kl, err := r.Renyi(1); err == nil && rho < kl*(1-slack) {
			t.Errorf("%s: ρ = %v is below the divergence at 1, %v", label, rho, kl)
		}
		if epsilon, delta, err := r.Approximate(); err == nil && delta == 0 {
			if limit := epsilon * math.Tanh(epsilon/2); rho > limit*(1+slack) {
				t.Errorf("%s: ρ = %v exceeds that of randomized response, %v", label, rho, limit)
			}
		}
	})
}

func TestProfiles(t *testing.T) {
	each(t, func(t *testing.T, label string, r accounting.Release) {
		before := 1.0
		for _, epsilon := range []float64{0, 1e-6, 0.01, 0.1, 0.5, 1, 3, 10, 100} {
			delta, err := r.Profile(epsilon)
			if err != nil {
				continue
			}
			if math.IsNaN(delta) || delta < 0 || delta > 1 {
				t.Errorf("%s: δ(%v) = %v", label, epsilon, delta)
			}
			if delta > before*(1+slack)+1e-300 {
				t.Errorf("%s: δ rises to %v at ε = %v from %v", label, delta, epsilon, before)
			}
			before = delta
		}
		epsilon, delta, err := r.Approximate()
		if err != nil {
			return
		}
		if got, err := r.Profile(epsilon); err != nil || got > delta*(1+slack) {
			t.Errorf("%s: δ(%v) = %v, %v; it states %v", label, epsilon, got, err, delta)
		}
		if got, _ := r.Profile(epsilon * 0.9); epsilon > 1e-4 && epsilon < 100 && !(got > delta) {
			t.Errorf("%s: δ = %v already below the stated ε", label, got)
		}
	})
}

// Where there is a pair it must say what the release says: at least as much.
func TestPairsAgree(t *testing.T) {
	each(t, func(t *testing.T, label string, r accounting.Release) {
		pair, err := r.Pair()
		if err != nil {
			if err.Error() == "" {
				t.Errorf("%s: no pair and no reason", label)
			}
			return
		}
		for _, epsilon := range []float64{0.01, 0.5, 2} {
			delta, err := r.Profile(epsilon)
			if err == nil && pair.Delta(epsilon) < delta*(1-1e-8)-1e-280 {
				t.Errorf("%s: the pair gives δ(%v) = %v, the release %v", label, epsilon, pair.Delta(epsilon), delta)
			}
		}
	})
}

func TestReasonsAreWorded(t *testing.T) {
	each(t, func(t *testing.T, label string, r accounting.Release) {
		_, _, err1 := r.Approximate()
		_, err2 := r.Gaussian()
		_, err3 := r.Concentrated()
		_, err4 := r.Pair()
		for _, err := range []error{err1, err2, err3, err4} {
			if err != nil && len(err.Error()) < 10 {
				t.Errorf("%s: %q is no reason", label, err)
			}
		}
		if r.Name() == "" || r.Key() == "" {
			t.Errorf("%s has no name or key", label)
		}
	})
}
