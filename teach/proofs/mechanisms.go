package proofs

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mathext"

	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/teach/slides"
)

// aboveThreshold: Bassi, "AboveThreshold is ε-DP". With Δ the sensitivity, the threshold
// is shifted by Δ and the query that is answered ⊤ by 2Δ.
var aboveThreshold = Proof{Name: "above-threshold", Title: "AboveThreshold is ε-DP however many queries there are", Deck: "bassi",
	steps: func(s *scenarios.Scenario) NumberedProof {
		m, on := entryOrExample(s, acceptAny[mechanisms.AboveThreshold],
			mechanisms.AboveThreshold{Epsilon: 1, Sensitivity: 1}, "ε = 1, queries of sensitivity 1")
		level, query := largestRatio(m.ThresholdScale(), m.Sensitivity), largestRatio(m.QueryScale(), 2*m.Sensitivity)
		half := Term{"e^{ε/2}", math.Exp(m.Epsilon / 2)}
		return NumberedProof{on, []Step{
			{Says: "Hold the noise on all queries answered ⊥. On D′ their maximum is at most Δ higher: shift the threshold by Δ.",
				Left: Term{"largest density ratio of Lap(2Δ/ε) after a shift by Δ", level}, Relation: AtMost, Right: half},
			{Says: "The query answered ⊤ must pass the shifted threshold and may itself be Δ lower: shift its noise by 2Δ.",
				Left: Term{"largest density ratio of Lap(4Δ/ε) after a shift by 2Δ", query}, Relation: AtMost, Right: half},
			{Says: "The product bounds every sequence ⊥ … ⊥ ⊤; the number of ⊥ does not enter.", Left: Term{"the two ratios together", level * query}, Relation: AtMost,
				Right: Term{"e^ε", math.Exp(m.Epsilon)}},
			{Says: "The algorithm itself: twenty queries answered ⊥ are 0 on D and Δ on D′, the one answered ⊤ is Δ on D and 0 on D′.",
				Left: Term{"P[⊥ … ⊥ ⊤] on D over D′, by quadrature", firstAboveProbability(m, 0,
					m.Sensitivity) / firstAboveProbability(m, m.Sensitivity, 0)},
				Relation: AtMost, Right: Term{"e^ε", math.Exp(m.Epsilon)}},
		}}
	}}

// largestRatio returns the largest ratio of the density of Laplace noise to that of the noise shifted, over outputs of
// ten scales to both sides.
func largestRatio(scale, shift float64) (most float64) {
	noise := mechanisms.LaplaceNoise(scale)
	for i := -1000; i <= 1000; i++ {
		x := float64(i) / 100 * scale
		most = math.Max(most, noise.Density(x)/noise.Density(x+shift))
	}
	return most
}

// firstAboveProbability returns the probability that AboveThreshold answers ⊥ to twenty queries of one value and ⊤ to
// the next, with the threshold 0: given its noise the answers are independent.
func firstAboveProbability(m mechanisms.AboveThreshold, below, above float64) (sum float64) {
	level, query := mechanisms.LaplaceNoise(m.ThresholdScale()), mechanisms.LaplaceNoise(m.QueryScale())
	reach := 30*m.QueryScale() + m.Sensitivity
	for _, side := range [][2]float64{{-reach, 0}, {0, reach}} { // the density has a kink at 0
		sum += quad.Fixed(func(t float64) float64 {
			return level.Density(t) * math.Pow(query.CDF(t-below), 20) * query.CDF(above-t)
		}, side[0], side[1], 400, quad.Legendre{}, 0)
	}
	return sum
}

// gaussianZCDP: Gaboardi, "Gaussian mechanism revisited". The slide has Δ without its
// square.
var gaussianZCDP = Proof{Name: "gaussian-zcdp", Title: "Gaussian noise is a straight line in Rényi DP", Deck: "gaboardi",
	steps: func(s *scenarios.Scenario) NumberedProof {
		m, on := entryOrExample(s, acceptAny[mechanisms.Gaussian], mechanisms.Gaussian{Sigma: 10, Sensitivity: 2}, "σ = 10, with Δ = 2 so that the square shows")
		mu := m.Mu()
		const alpha = 8.0
		renyi := alpha * mu * mu / 2
		return NumberedProof{on, []Step{
			{Says: "Complete the square in the exponent at α = 8: the integral is that of a normal density again.",
				Left: Term{"D_α by quadrature", gaussianRenyi(mu, alpha)}, Relation: Equals, Right: Term{"αΔ²/(2σ²)", renyi}},
			{Says: "The slope is the same at every α.", Left: Term{"D_α/α at α = 3, by quadrature", gaussianRenyi(mu, 3) / 3}, Relation: Equals, Right: Term{"ρ = Δ²/(2σ²)", mu * mu / 2}},
			{Says: "The slide has Δ without its square: too small once Δ > 1.", Slide: true, Left: Term{"αΔ²/(2σ²)", renyi}, Relation: AtMost,
				Right: Term{"αΔ/(2σ²)", alpha * m.Sensitivity / (2 * m.Sigma * m.Sigma)}},
		}}
	}}

// gaussianRenyi integrates (N(μ,1)/N(0,1))^α over N(0,1); the exponent is taken around its
// peak at αμ, less its value there.
func gaussianRenyi(mu, alpha float64) float64 {
	peak, height := alpha*mu, alpha*(alpha-1)*mu*mu/2
	bell := func(x float64) float64 {
		return math.Exp(-x*x/2+alpha*(mu*x-mu*mu/2)-height) / math.Sqrt(2*math.Pi)
	}
	return (math.Log(quad.Fixed(bell, peak-20, peak+20, 200, quad.Legendre{}, 0)) + height) / (alpha - 1)
}

// generalization: Bassi, "Statistical queries, Hoeffding and the corollary".
var generalization = Proof{Name: "generalization", Title: "Privacy prevents overfitting", Deck: "bassi",
	steps: func(s *scenarios.Scenario) NumberedProof {
		n, tau, on := sampleOf(s)
		beta, bound := slides.Hoeffding(n, tau), slides.GeneralizationBound(n, tau)
		epsilon := slides.GeneralizationEpsilon(n, tau)
		return NumberedProof{on, []Step{
			{Says: "Hoeffding: a fixed query is off by τ or more with probability at most β. A query that is 0 or 1 with equal chance is off the most.",
				Left: Term{"P[|average − ½| ≥ τ], exactly", deviationProbability(n, tau)}, Relation: AtMost, Right: Term{"β = 2e^{−2nτ²}", beta}},
			{Says: "Put β into the theorem’s ε.", Left: Term{"√(ln(1/β)/2n)", math.Sqrt(math.Log(1/beta) / (2 * n))}, Relation: Equals, Right: Term{"√(τ² − ln 2/2n)", epsilon}},
			{Says: "The theorem’s conclusion.", Left: Term{"3√β", 3 * math.Sqrt(beta)}, Relation: Equals, Right: Term{"3√2·e^{−nτ²}", bound}},
			{Says: "The price of choosing after looking: the bound of a fixed query is the square of a third of this one.",
				Left: Term{"P[off by τ] ≤ 2e^{−2nτ²}", beta}, Relation: Equals, Right: Term{"(√2·e^{−nτ²})²", bound * bound / 9}},
		}}
	}}

// deviationProbability returns the probability that the average of n fair coins is off by τ or more.
func deviationProbability(n, tau float64) float64 {
	k := math.Ceil(n * (0.5 + tau))
	if k > n {
		return 0
	}
	return 2 * mathext.RegIncBeta(k, n-k+1, 0.5)
}

// minimiser returns the w that minimises the average of −y·w over n examples with x = 1, plus Λw²/2: a loss with |ℓ′| =
// 1. Half of the first n − 1 labels are +1; the last is given.
func minimiser(n, lambda, last float64) float64 {
	gradient := func(w float64) float64 {
		sum := 0.0
		for _, group := range [][2]float64{{(n - 1) / 2, 1}, {(n - 1) / 2, -1}, {1, last}} {
			sum -= group[0] * group[1]
		}
		return sum/n + lambda*w
	}
	w, _ := special.Bisect(-2/lambda, 2/lambda, 0, func(w float64) bool { return gradient(w) <= 0 })
	return w
}

// outputPerturbation: Park, "Algorithm 1" (Chaudhuri, Monteleoni, Sarwate 2011).
var outputPerturbation = Proof{Name: "output-perturbation", Title: "Noise on the learned weights is ε-DP", Deck: "park",
	steps: func(s *scenarios.Scenario) NumberedProof {
		m, on := entryOrExample(s, acceptAny[mechanisms.OutputPerturbation],
			mechanisms.OutputPerturbation{Epsilon: 1, N: 10_000, Regularization: 0.01, Dimension: 10}, "n = 10,000, Λ = 0.01, d = 10, ε = 1")
		here, there := minimiser(m.N, m.Regularization, 1), minimiser(m.N, m.Regularization, -1)
		moved, same := math.Abs(here-there), 0.0
		if here == there {
			same = 1
		}
		beta := 1 / m.Scale()
		return NumberedProof{on, []Step{
			{Says: "Without noise the minimiser is deterministic: here one changed example moves it, and the set {f(D)} tells for certain. Plain ERM is not private at any ε.",
				Left: Term{"P[f(D) ∈ S] − e^{10}·P[f(D′) ∈ S], S = {f(D)}", 1 - math.Exp(10)*same}, Relation: Equals, Right: Term{"δ at ε = 10", 1}},
			{Says: "Changing one example changes the gradient of J by at most 2/n; J is Λ-strongly convex, so its minimiser moves by at most that over Λ.",
				Left: Term{"‖f(D) − f(D′)‖, both minimised, loss −yz", moved}, Relation: AtMost, Right: Term{"2/(nΛ)", 2 / (m.N * m.Regularization)}},
			{Says: "The noise has density proportional to exp(−β‖b‖) with β = nΛε/2.", Left: Term{"β", beta}, Relation: Equals, Right: Term{"nΛε/2", m.N * m.Regularization * m.Epsilon / 2}},
			{Says: "A shift by that much changes the density by at most e^ε.", Left: Term{"exp(β·2/(nΛ))", math.Exp(beta * moved)}, Relation: AtMost, Right: Term{"e^ε", math.Exp(m.Epsilon)}},
		}}
	}}
