package mechanisms

import (
	"math"
	"math/rand/v2"
	"sort"
	"testing"

	"epsiloscope/internal/gauge"
)

// noises returns the distributions, each at several scales.
func noises() []Noise {
	var list []Noise
	for _, s := range []float64{0.3, 1, 7.3, 400} {
		list = append(list, LaplaceNoise(s), geometricNoise(s), GaussianNoise(s), discreteNormal{s}.noise(),
			scaledNoise{&exponentialShape, s}, scaledNoise{&gumbelShape, s}, gammaNoise(3, s), gammaNoise(40, s),
			shifted{LaplaceNoise(s), 2}, shifted{geometricNoise(s), 3})
	}
	return append(list, reportNoise(0.75, 2, 0), reportNoise(0.75, 2, 1), reportNoise(0.4, 5, 2))
}

func TestNoiseQuantileInvertsCDF(t *testing.T) {
	for _, n := range noises() {
		for _, p := range []float64{1e-12, 1e-4, 0.01, 0.2, 0.5, 0.51, 0.9, 0.999, 1 - 1e-9} {
			x := n.Quantile(p)
			if n.Discrete() {
				if n.CDF(x) < p*(1-1e-12) || n.CDF(x-1) >= p*(1+1e-12) {
					t.Errorf("%#v: quantile %v of %v is not where the CDF passes it: %v, before %v", n, x, p, n.CDF(x), n.CDF(x-1))
				}
				continue
			}
			if got := n.CDF(x); math.Abs(got-p) > 1e-9*math.Min(p, 1-p)+1e-15 {
				t.Errorf("%#v: CDF(Quantile(%v)) = %v", n, p, got)
			}
		}
	}
}

// The density must integrate to the CDF, at its median and over everything.
func TestNoiseDensity(t *testing.T) {
	for _, n := range noises() {
		middle := n.Quantile(0.5)
		below, _ := integrated(n, n.Quantile(1e-17), middle)
		all, _ := integrated(n, n.Quantile(1e-17), n.Quantile(1-1e-16))
		if math.Abs(below-n.CDF(middle)) > 1e-6 || math.Abs(all-1) > 1e-6 {
			t.Errorf("%#v: by its density the probability is %v up to the median, not %v, and %v over all", n, below, n.CDF(middle), all)
		}
	}
}

// integrated returns the mass and the variance of noise between two values, by its density.
func integrated(n Noise, low, high float64) (mass, variance float64) {
	var mean, square float64
	visit := func(x, weight float64) {
		w := weight * n.Density(x)
		mass, mean, square = mass+w, mean+w*x, square+w*x*x
	}
	if n.Discrete() {
		for x := math.Floor(low); x <= math.Ceil(high); x++ {
			visit(x, 1)
		}
	} else {
		middle := math.Min(high, n.Quantile(0.5)) // where shifted densities have a kink
		between(low, middle, visit)
		between(middle, high, visit)
	}
	return mass, square - mean*mean
}

func varianceOf(n Noise) float64 {
	_, variance := integrated(n, n.Quantile(1e-17), n.Quantile(1-1e-16))
	return variance
}

// between visits the nodes of a composite rule on [low, high], cut at 0, where some
// densities have a kink or begin.
func between(low, high float64, visit func(x, weight float64)) {
	if !(low < high) {
		return
	}
	if low < 0 && high > 0 {
		between(low, 0, visit)
		between(0, high, visit)
		return
	}
	const pieces = 64
	nodes, weights := nodes16()
	for k := range pieces {
		a, b := low+(high-low)*float64(k)/pieces, low+(high-low)*float64(k+1)/pieces
		if !(a < b) { // closer than numbers are
			continue
		}
		for i := range nodes {
			visit(a+(b-a)*nodes[i], (b-a)*weights[i])
		}
	}
}

// Samples follow the CDF: by the inequality of Dvoretzky, Kiefer, Wolfowitz and
// Massart the empirical CDF of n draws is off by more than √(ln(2/β)/(2n)) with
// probability β at most. The seed is fixed, so this passes or fails for good.
func TestNoiseSamples(t *testing.T) {
	const beta = 1e-6
	draws := gauge.Cases(5_000, 20_000)
	limit := math.Sqrt(math.Log(2/beta) / (2 * float64(draws)))
	for i, n := range noises() {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		xs := make([]float64, draws)
		for k := range xs {
			xs[k] = n.Rand(r)
		}
		sort.Float64s(xs)
		worst := 0.0
		for k, x := range xs {
			if k+1 < draws && xs[k+1] == x {
				continue // the step of a discrete distribution, compared at its top
			}
			worst = math.Max(worst, math.Abs(n.CDF(x)-float64(k+1)/float64(draws)))
		}
		if worst > limit {
			t.Errorf("%#v: samples stray from the CDF by %v, more than %v", n, worst, limit)
		}
	}
}

// Far beyond any use, nothing may be NaN.
func TestNoiseExtremes(t *testing.T) {
	for _, s := range []float64{1e-300, 1e-9, 1e9, 1e150} {
		for _, n := range []Noise{LaplaceNoise(s), geometricNoise(s), GaussianNoise(s), discreteNormal{s}.noise(),
			scaledNoise{&exponentialShape, s}, scaledNoise{&gumbelShape, s}, gammaNoise(3, s)} {
			r := rand.New(rand.NewPCG(3, 4))
			for _, x := range []float64{n.Density(0), n.Density(1), n.CDF(0), n.CDF(-s), n.CDF(s), n.Quantile(0.1),
				n.Quantile(0.975), n.Rand(r)} {
				if math.IsNaN(x) {
					t.Errorf("%#v gives NaN", n)
				}
			}
		}
	}
}

func TestDiscreteGaussianCDFMeetsItsExpansion(t *testing.T) {
	// The two ways of summing must agree where one hands over to the other.
	below, above := discreteNormal{wide * (1 - 1e-12)}.noise(), discreteNormal{wide}.noise()
	for _, k := range []float64{-400, -200, -50, -10, -1, 0, 3, 120} {
		if a, b := below.CDF(k), above.CDF(k); math.Abs(a-b) > 1e-9*math.Min(a, 1) {
			t.Errorf("CDF(%v): %v by summing, %v by expansion", k, a, b)
		}
	}
}

// The answers of two neighbours may be told apart by a factor e^ε at most, and for
// pure mechanisms somewhere by that much.
func TestAnswersOfNeighbours(t *testing.T) {
	for _, m := range []Mechanism{Laplace{Epsilon: 0.7, Sensitivity: 2}, Geometric{Epsilon: 0.7, Sensitivity: 3},
		RandomizedResponse{0.7, 4}, Thresholdout{Budget: 1, Sigma: 0.1, N: 20}} {
		here, neighbour, ok := Answers(m, AddRemove)
		if !ok {
			t.Fatalf("%s has no answers", m.Kind())
		}
		release := m.Releases(1)[len(m.Releases(1))-1].Release
		epsilon, _, err := release.Approximate()
		if err != nil {
			t.Fatal(err)
		}
		most := 0.0
		for x := -6.0; x <= 6; x += 0.25 {
			if a, b := here.Density(x), neighbour.Density(x); a > 0 && b > 0 {
				most = math.Max(most, math.Abs(math.Log(a/b)))
			}
		}
		if math.Abs(most-epsilon) > 1e-9 {
			t.Errorf("%s: the largest loss is %v, its ε %v", name(m), most, epsilon)
		}
	}
	if _, _, ok := Answers(Pure{1}, AddRemove); ok {
		t.Error("a mechanism known only by its ε has no answers to show")
	}
}
