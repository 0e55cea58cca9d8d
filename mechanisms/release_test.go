package mechanisms

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting"
	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms/param"
)

// Values published with other accountants' tests, or computed at 40 digits.
func TestPublishedRenyi(t *testing.T) {
	rr := RandomizedResponse{Epsilon: math.Log(0.73 * 9 / 0.27), Categories: 10} // 0.3 of the answers are uniform
	cases := []struct {
		r     accounting.Release
		alpha float64
		want  float64
		tol   float64
	}{
		{Laplace{Epsilon: 1, Sensitivity: 1}.Releases(1)[0].Release, 2, .61912362999859, 1e-12},
		{Laplace{Epsilon: 1, Sensitivity: 1}.Releases(1)[0].Release, 10, .92868290209668, 1e-12},
		{Laplace{Epsilon: .1, Sensitivity: 1}.Releases(1)[0].Release, 2, .0096442078403447, 1e-12},
		{Laplace{Epsilon: .5, Sensitivity: 1}.Releases(1)[0].Release, 32, .47814842504543, 1e-12},
		{Laplace{Epsilon: 2, Sensitivity: 1}.Releases(1)[0].Release, 1.5, 1.4368091584146, 1e-12},
		{Pure{1}.Releases(1)[0].Release, 2, .73532566405552, 1e-12},
		{Pure{.1}.Releases(1)[0].Release, 2, .0099585843949562, 1e-12},
		{Exponential{Epsilon: 1, Sensitivity: 1}.Releases(1)[0].Release, 1, .123301561, 1e-8},
		{rr.Releases(1)[0].Release, 1.5, 2.69463202, 1e-8},
		{rr.Releases(1)[0].Release, 2.5, 2.98386536, 1e-8},
		{rr.Releases(1)[0].Release, 5, 3.11316970, 1e-8},
		{rr.Releases(1)[0].Release, 50, 3.18542448, 1e-8},
		{rr.Releases(1)[0].Release, 100, 3.18866826, 1e-8},
		{rr.Releases(1)[0].Release, math.Inf(1), 3.19184715, 1e-8},
	}
	for _, c := range cases {
		got, err := c.r.Renyi(c.alpha)
		if err != nil || math.Abs(got-c.want) > c.tol*c.want {
			t.Errorf("%s at %v: got %v, %v; want %v", c.r.Key(), c.alpha, got, err, c.want)
		}
	}
}

func TestPublishedProfiles(t *testing.T) {
	discrete := Geometric{Epsilon: 2, Sensitivity: 4}.Releases(1)[0].Release // b = 2
	cases := []struct {
		r       accounting.Release
		epsilon float64
		want    float64
	}{
		{Laplace{Epsilon: 1, Sensitivity: 1}.Releases(1)[0].Release, 0, 0.39346934}, {Laplace{Epsilon: 2, Sensitivity: 4}.Releases(1)[0].Release, .5, 0.52763345}, {Laplace{Epsilon: 1, Sensitivity: 1}.Releases(1)[0].Release, 1, 0},
		{Gaussian{1, 1}.Releases(1)[0].Release, 1, 0.12693674}, {Gaussian{1, 1}.Releases(1)[0].Release, 2, 0.02092364}, {Gaussian{1, 3}.Releases(1)[0].Release, 1, 0.78760074},
		{discrete, .5, 0.54202002}, {discrete, 1, 0.39346934}, {discrete, -.5, 0.72222110},
	}
	for _, c := range cases {
		if got, err := c.r.Profile(c.epsilon); err != nil || math.Abs(got-c.want) > 5e-9 {
			t.Errorf("%s at %v: got %v, %v; want %v", c.r.Key(), c.epsilon, got, err, c.want)
		}
	}
}

// Published calibrations of the discrete Gaussian, to three places.
func TestPublishedDiscreteGaussian(t *testing.T) {
	for _, c := range []struct {
		sensitivity, epsilon, delta,
		sigma float64
	}{{1, 1, .12693674, 1.041}, {2, 16, 1e-5, .703}} {
		below, _ := DiscreteGaussian{c.sigma - 0.0006, c.sensitivity}.Releases(1)[0].Release.Profile(c.epsilon)
		above, _ := DiscreteGaussian{c.sigma + 0.0006, c.sensitivity}.Releases(1)[0].Release.Profile(c.epsilon)
		if !(above <= c.delta && c.delta <= below) {
			t.Errorf("Δ = %v, ε = %v: δ = %v is not between %v and %v", c.sensitivity, c.epsilon, c.delta, above, below)
		}
	}
}

// The lattice, point by point.
func latticeOutcomes(epsilon, sensitivity float64) []special.Outcome {
	b := sensitivity / epsilon
	tail := -math.Log1p(math.Exp(-1 / b))
	list := []special.Outcome{{LogQ: tail - epsilon, Loss: epsilon}, {LogQ: tail, Loss: -epsilon}}
	for x := 1.0; x < sensitivity; x++ {
		list = append(list, special.Outcome{
			LogQ: math.Log(math.Tanh(0.5/b)) - (sensitivity-x)/b,
			Loss: (sensitivity - 2*x) / b,
		})
	}
	return list
}

func TestGeometricClosedForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		epsilon := math.Exp(rapid.Float64Range(-27, 9).Draw(t, "ln ε"))
		sensitivity := float64(rapid.IntRange(1, 60).Draw(t, "Δ"))
		alpha := 1 + math.Exp(rapid.Float64Range(-20, 15).Draw(t, "ln(α−1)"))
		outcomes := latticeOutcomes(epsilon, sensitivity)
		for _, a := range []float64{1, alpha} {
			want := math.Min(epsilon, special.DiscreteRenyi(outcomes, a))
			if got := special.GeometricRenyi(epsilon, sensitivity, a); math.Abs(got-want) > 1e-10*want {
				t.Fatalf("ε = %v, Δ = %v: D_%v = %v, by the lattice %v", epsilon, sensitivity, a, got, want)
			}
		}
		x := epsilon * rapid.Float64Range(-1.2, 1.1).Draw(t, "t/ε")
		want := 0.0
		for _, o := range outcomes {
			want += math.Max(0, math.Exp(o.LogQ)*(math.Exp(o.Loss)-math.Exp(x)))
		}
		if got := special.GeometricProfile(epsilon, sensitivity, x); epsilon < 300 && epsilon > 1e-3 &&
			math.Abs(got-want) > 1e-11 {
			t.Fatalf("ε = %v, Δ = %v: δ(%v) = %v, by the lattice %v", epsilon, sensitivity, x, got, want)
		}
	})
}

// Where a step of the lattice is far longer than the noise the answer is as good as told: at
// every order the divergence is the largest loss.
func TestGeometricWithoutNoise(t *testing.T) {
	for _, epsilon := range []float64{1e6, 1e10, 1e17, 1e18, 1e30, 1e99} {
		for _, sensitivity := range []float64{1, 2, 3, 5, 60, 1000} {
			for _, alpha := range []float64{1, 1 + 1e-15, 1 + 1e-9, 1.5, 2, 1e6} {
				if got := special.GeometricRenyi(epsilon, sensitivity, alpha); math.Abs(got/epsilon-1) > 1e-12 {
					t.Errorf("ε = %g, Δ = %g: D_%g = %g", epsilon, sensitivity, alpha, got)
				}
			}
		}
	}
}

// With sensitivity 1 the loss is ±ε: discrete Laplace is randomized response, and
// costs more than continuous Laplace.
func TestDiscreteLaplaceIsRandomizedResponse(t *testing.T) {
	for _, epsilon := range []float64{1e-9, 0.1, 1, 20} {
		geometric := Geometric{Epsilon: epsilon, Sensitivity: 1}.Releases(1)[0].Release
		response := RandomizedResponse{epsilon, 2}.Releases(1)[0].Release
		if geometric.Key() != response.Key() {
			t.Errorf("keys differ: %s and %s", geometric.Key(), response.Key())
		}
		for _, alpha := range orders[1:] {
			g := special.GeometricRenyi(epsilon, 1, alpha)
			r, _ := response.Renyi(alpha)
			if alpha < 1e100 && math.Abs(g-r) > 1e-12*r {
				t.Errorf("ε = %v: D_%v is %v by the lattice formula, %v by randomized response's", epsilon, alpha, g, r)
			}
		}
		g, _ := geometric.Concentrated()
		l, _ := Laplace{Epsilon: epsilon, Sensitivity: 1}.Releases(1)[0].Release.Concentrated()
		if epsilon >= 0.1 && l >= g {
			t.Errorf("ε = %v: continuous Laplace has ρ = %v, discrete %v", epsilon, l, g)
		}
	}
}

// As the sensitivity grows at the same ε the lattice fills up and the continuous
// formula is left.
func TestGeometricTendsToLaplace(t *testing.T) {
	for _, alpha := range []float64{1, 1.5, 20} {
		got, want := special.GeometricRenyi(1, 1e6, alpha), special.LaplaceRenyi(1, alpha)
		if math.Abs(got-want) > 1e-10*want || got < want*(1-1e-12) {
			t.Errorf("α = %v: %v with Δ = 1e6, Laplace %v", alpha, got, want)
		}
	}
}

func TestBoundedRangeRho(t *testing.T) {
	for _, epsilon := range []float64{1e-6, 0.1, 1, 10} {
		r := Exponential{Epsilon: epsilon, Sensitivity: 1}.Releases(1)[0].Release
		rho, err := r.Concentrated()
		u := epsilon / math.Expm1(epsilon)
		if want := u - 1 - math.Log(u); err != nil || epsilon > 0.01 && math.Abs(rho-want) > 1e-10*want ||
			rho > epsilon*epsilon/8 {
			t.Errorf("ε = %v: ρ = %v, %v; want %v, at most ε²/8 = %v", epsilon, rho, err, want, epsilon*epsilon/8)
		}
		if pure, _ := (Pure{epsilon}).Releases(1)[0].Release.Concentrated(); !(rho < pure) {
			t.Errorf("ε = %v: bounded range gives no discount: %v against %v", epsilon, rho, pure)
		}
	}
}

// The ρ of k-ary response, sup r(α)/α in 40 digits: never below, and nine digits of it, which
// a ledger compares. At k = 1000, ε = 0.1 it is 35 times the divergence at α = 1.
func TestRandomizedResponseRho(t *testing.T) {
	for _, c := range []struct{ epsilon, categories, want float64 }{
		{0.001, 3, 3.3338887036265504e-7}, // largest at α = 1
		{0.001, 20, 8.5150677373147588e-8},
		{0.02, 4, 1.0049914577970547e-4}, // at 1
		{0.1, 3, 3.3869606810830459e-3},  // at 1
		{0.1, 1000, 3.6460630612257566e-4},
		{1, 20, 0.10199456342716793},
		{5, 20, 4.4026753898196947}, // at 1
		{5, 1000, 1.5074558031427206},
	} {
		rho, err := RandomizedResponse{c.epsilon, c.categories}.Releases(1)[0].Release.Concentrated()
		if err != nil || rho < c.want || rho > c.want*(1+2e-9) {
			t.Errorf("ε = %v, k = %v: ρ = %v, %v; want %v", c.epsilon, c.categories, rho, err, c.want)
		}
	}
}

// Traps that other accountants fell into: ten selections are not one, and ten
// reports cost ten times one under basic composition.
func TestTenCostMoreThanOne(t *testing.T) {
	target := accounting.Target{Delta: 1e-6}
	for _, m := range []Mechanism{Exponential{Epsilon: 1, Sensitivity: 1}, RandomizedResponse{1, 2},
		NoisyMax{Epsilon: 1, Sensitivity: 1, Shape: "gumbel"}} {
		one := accounting.ClosedForms(context.Background(), m.Releases(1), target)
		runs := []accounting.Entry{{Release: m.Releases(1)[0].Release, Count: 10}}
		ten := accounting.ClosedForms(context.Background(), runs, target)
		for i, b := range one {
			if !b.Finite() || !ten[i].Finite() {
				continue
			}
			if ten[i].Epsilon <= b.Epsilon {
				t.Errorf("%s, %s: ten cost %v, one %v", m.Kind(), b.Method, ten[i].Epsilon, b.Epsilon)
			}
			if b.Method == accounting.Basic && math.Abs(ten[i].Epsilon-10*b.Epsilon) > 1e-12 {
				t.Errorf("%s: basic charges %v for ten and %v for one", m.Kind(), ten[i].Epsilon, b.Epsilon)
			}
		}
	}
}

func TestRDPPoints(t *testing.T) {
	m, err := New("rdp", param.Values{"points": param.PointsValue(param.Item{Order: 8, Value: 0.5},
		param.Item{Order: 2, Value: 0.1})})
	if err != nil {
		t.Fatal(err)
	}
	r := m.Releases(1)[0].Release
	for alpha, want := range map[float64]float64{
		1.5: 0.1, 2: 0.1, 8: 0.5,
		5: (0.1 + 0.5*(7*0.5-0.1)) / 4, // the chord of (α−1)·r(α), halfway
	} {
		if got, err := r.Renyi(alpha); err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("order %v: got %v, %v; want %v", alpha, got, err, want)
		}
	}
	if got, err := r.Renyi(9); err == nil && !math.IsInf(got, 1) {
		t.Errorf("above the last order nothing is known, got %v", got)
	}
}
