package mechanisms

import (
	"math"
	"strings"
	"testing"

	"epsiloscope/accounting"
)

// recomputed are the true ε of ten rounds, computed here for this test by convolving the listed
// losses directly on lattices of two spacings, each loss split into its two neighbours, and
// extrapolating. The references of attacks over rounds are lower ends and lie below them, and that
// over all inputs is an upper end, whose own lattice put it 5e-5 above.
var recomputed = map[string]float64{
	"shuffle-rounds-attack-e8-n100000-K10":     2.7790663,
	"shuffle-rounds-attack-e8-n1000000-K10":    0.7314133,
	"shuffle-rounds-attack-e1-n10000-K10":      0.1216986,
	"shuffle-exact-rounds-e2-n1000-K10-up":     1.0334490,
	"shuffle-exact-rounds-e2-n1000-K10-attack": 1.0334490, // over all inputs: an attack is not above
}

// shuffleOfFigure returns the shuffle that a reference value is about.
func shuffleOfFigure(t *testing.T, f crowdFigure) Shuffle {
	var of Mechanism = RandomizedResponse{f.in("local_epsilon"), 2}
	if f.text("randomizer") == "pure" || strings.Contains(f.Name, "-pure-") {
		of = Pure{f.in("local_epsilon")}
	}
	if name := f.text("oracle"); name != "" {
		of = frequency(t, strings.TrimSuffix(name, "64"), f.in("epsilon"), math.Max(64, f.in("k")))
	}
	return shuffleOf(t, of, f.in("people"))
}

// No upper end is below the truth, and no lower end above it; each is close.
func TestShuffleFigures(t *testing.T) {
	for _, f := range crowdFiguresOfKinds(t, "shuffle-binary", "shuffle-pure", "shuffle-rounds", "shuffle-exact",
		"shuffle-clone", "shuffle-bucketed", "oracle-shuffled") {
		entries, _, err := Entries(shuffleOfFigure(t, f), Setting{Adjacency: Replace, Count: f.in("rounds")})
		if err != nil {
			t.Fatal(err)
		}
		truth, exact := recomputed[f.Name], 1e-6
		if truth == 0 {
			truth, exact = f.Value, math.Max(1e-9, math.Min(1e-6, f.Tolerance))
		}
		lower, upper := numericalEpsilon(t, entries, accounting.Target{Delta: f.in("delta")})
		switch {
		case strings.Contains(f.Name, "clone"): // all inputs can be tried, which is better than the clones
			if upper > f.Value {
				t.Errorf("%s: upper end %v, by clones %v", f.Name, upper, f.Value)
			}
		case strings.Contains(f.Name, "bucketed"): // both ends of the clones' bound, by normal tails that are right to 1e-5
			if f.Bound == "lower" && upper < f.Value*(1-1e-5) || f.Bound == "upper" && upper > f.Value*(1+2e-4) {
				t.Errorf("%s: upper end %v, reference %v", f.Name, upper, f.Value)
			}
		case f.Bound == "upper":
			if upper < truth*(1-exact) || upper > f.Value*(1+2e-4) {
				t.Errorf("%s: upper end %v, reference %v, truth %v", f.Name, upper, f.Value, truth)
			}
		default:
			if lower > upper || lower > truth*(1+exact) || lower < f.Value*(1-1e-3) {
				t.Errorf("%s: lower end %v, reference %v, truth %v", f.Name, lower, f.Value, truth)
			}
		}
	}
}

// The Rényi curve bounds that of the clones over their full support, at large orders too, and ρ is
// the largest ratio between the orders: 8.3288e-4 near α = 500, not the 7.944e-4 at α → 1. For up to
// 1024 people the pair over all inputs is below the clones at small orders.
func TestShuffleRenyi(t *testing.T) {
	for _, f := range crowdFigures(t, "shuffle-rdp", "shuffle-rho") {
		release := shuffleOfFigure(t, f).Releases(1)[0].Release
		got, _ := release.Renyi(f.in("alpha"))
		above := 1e-3
		if f.Quantity == "rdp_over_alpha" {
			got, above = got/f.in("alpha"), 0.025 // beyond the pair's support, by Chernoff's bound
			if rho, _ := release.Concentrated(); rho < 8.3288e-4 || rho > 8.3288e-4*1.05 {
				t.Errorf("ρ = %v", rho)
			}
		}
		if got < f.Value*(1-f.Tolerance) || got > f.Value*(1+above) {
			t.Errorf("%s: %v, reference %v", f.Name, got, f.Value)
		}
	}
}

// cloneMoments sums E[e^{(α−1)L}] of the clones over both counts, in logarithms, from their
// definition: c of n−1 people are clones, y of these and perhaps she are on one side.
func cloneMoments(n int, epsilon, rate float64, alphas []float64) []float64 {
	choose := func(n, k float64) float64 {
		a, _ := math.Lgamma(n + 1)
		b, _ := math.Lgamma(k + 1)
		c, _ := math.Lgamma(n - k + 1)
		return a - b - c
	}
	sums, near := make([]float64, len(alphas)), 1/(1+math.Exp(-epsilon))
	for c := range n {
		m, clones := float64(n-1), float64(c)
		log := choose(m, clones) + clones*math.Log(rate) + (m-clones)*math.Log1p(-rate)
		for y := 0; y <= c+1; y++ {
			with, without := float64(y)/(clones+1), float64(c+1-y)/(clones+1) // shares of 2^{−c}·choose(c+1, y)
			p, q := near*with+(1-near)*without, (1-near)*with+near*without
			mass, logP, logQ := log+choose(clones+1, float64(y))-clones*math.Ln2, math.Log(p), math.Log(q)
			for i, alpha := range alphas {
				sums[i] += math.Exp(mass + alpha*logP + (1-alpha)*logQ)
			}
		}
	}
	for i, alpha := range alphas {
		sums[i] = math.Log(sums[i]) / (alpha - 1)
	}
	return sums
}

func TestCloneMomentsAreNotBelowTheSum(t *testing.T) {
	check := func(n int, epsilon float64, alphas ...float64) {
		release := shuffleOf(t, Pure{epsilon}, float64(n)).Releases(1)[0].Release
		truths := cloneMoments(n, epsilon, math.Exp(-epsilon), alphas)
		for i, alpha := range alphas {
			truth := truths[i]
			if got, _ := release.Renyi(alpha); got < truth*(1-1e-9) || got > math.Max(truth*1.2, truth+2/(alpha-1)) {
				t.Errorf("%d people, ε %v: D_%v = %v, priced %v", n, epsilon, alpha, truth, got)
			}
		}
	}
	for _, n := range []int{2, 5, 40, 300} {
		for _, epsilon := range []float64{0.1, 1, 3, 8} {
			check(n, epsilon, 1.5, 2, 5, 20, 60, 80)
		}
	}
	// Of 606 clones on average fewer than 350 are not listed, and count at orders so large.
	check(1000, 0.5, 2, 100, 300, 600, 1000, 1400)
}

// The largest local ε for a budget: one hair more is above it, a thousandth less is below.
func TestShuffleInverseFigures(t *testing.T) {
	for _, f := range crowdFigures(t, "shuffle-inverse") {
		cost := func(local float64) float64 {
			of := Mechanism(RandomizedResponse{local, 2})
			if strings.Contains(f.Name, "-pure-") {
				of = Pure{local}
			}
			_, upper := numericalEpsilon(t, shuffleOf(t, of, f.in("people")).Releases(1), accounting.Target{Delta: f.in("delta")})
			return upper
		}
		if at, below := cost(f.Value*(1+2e-6)), cost(f.Value*0.9999); at < 1 || below > 1 {
			t.Errorf("%s: %v costs %v, and 0.9999 of it %v", f.Name, f.Value, at, below)
		}
	}
}
