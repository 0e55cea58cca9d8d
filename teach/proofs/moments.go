package proofs

import (
	"math"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// moments: Gaboardi, "Bounding the moments" and "Moment generating function". The loss of
// Gaussian noise is N(μ²/2, μ²); its raw moments follow a recursion.
var moments = Proof{Name: "moments", Title: "The moments of the privacy loss, and their series", Deck: "gaboardi",
	steps: func(s *scenarios.Scenario) NumberedProof {
		m, on := entryOrExample(s, func(g mechanisms.Gaussian) bool {
			return g.Mu() <= 2
		}, mechanisms.Gaussian{Sigma: 2, Sensitivity: 1}, "Gaussian noise with μ = Δ/σ = ½")
		mu := m.Mu()
		raw := rawMoments(mu, 200)
		const alpha = 2.0
		whole := math.Exp(alpha * (alpha + 1) * mu * mu / 2)
		partial := func(terms int) (sum float64) {
			term := 1.0 // αⁿ/n!
			for n := range terms + 1 {
				if n > 0 {
					term *= alpha / float64(n)
				}
				sum += term * raw[n]
			}
			return sum
		}
		return NumberedProof{on + ", α = 2", []Step{
			{Says: "The first moment is the mean of the loss.", Left: Term{"μ₁ = E[L], by quadrature", momentOf(mu, 1)}, Relation: Equals, Right: Term{"(Δ/σ)²/2", raw[1]}},
			{Says: "The second raw moment is the variance and the square of the mean.", Left: Term{"μ₂ = E[L²], by quadrature", momentOf(mu, 2)}, Relation: Equals, Right: Term{"(Δ/σ)² + μ₁²", raw[2]}},
			{Says: "The slide calls E[Xⁿ] central. The first central moment is 0, not the mean.", Slide: true, Left: Term{"E[L − E[L]]", 0}, Relation: Equals, Right: Term{"μ₁", raw[1]}},
			{Says: "The generating function begins with 1 and the mean.", Left: Term{"1 + αμ₁", partial(1)}, Relation: AtMost, Right: Term{"E[e^{αL}]", whole}},
			{Says: "One term more.", Left: Term{"1 + αμ₁ + α²μ₂/2!", partial(2)}, Relation: AtMost, Right: Term{"E[e^{αL}]", whole}},
			{Says: "Up to the fourth moment.", Left: Term{"1 + αμ₁ + … + α⁴μ₄/4!", partial(4)}, Relation: AtMost, Right: Term{"E[e^{αL}]", whole}},
			{Says: "The whole series is the function: it holds all moments.", Left: Term{"Σ αⁿμ_n/n!, up to n = 200", partial(200)}, Relation: Equals, Right: Term{"exp(α(α+1)(Δ/σ)²/2)", whole}},
			{Says: "Its logarithm over α is the Rényi divergence of order α + 1: a bound on one bounds the other.",
				Left: Term{"ln of the series over α", math.Log(partial(200)) / alpha}, Relation: Equals,
				Right: Term{"D_{α+1} = (α+1)(Δ/σ)²/2", (alpha + 1) * mu * mu / 2}},
		}}
	}}

// rawMoments returns E[Lⁿ] of a N(μ²/2, μ²) loss for n up to most:
// E[Lⁿ⁺¹] = m·E[Lⁿ] + n·s²·E[Lⁿ⁻¹].
func rawMoments(mu float64, most int) []float64 {
	raw := make([]float64, most+1)
	raw[0], raw[1] = 1, mu*mu/2
	for n := 1; n < most; n++ {
		raw[n+1] = mu*mu/2*raw[n] + float64(n)*mu*mu*raw[n-1]
	}
	return raw
}

// momentOf integrates Lⁿ over the bell.
func momentOf(mu float64, n float64) (sum float64) {
	visitLosses(mu, func(loss, weight float64) { sum += weight * math.Pow(loss, n) })
	return sum
}
