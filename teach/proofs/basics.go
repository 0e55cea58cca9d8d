package proofs

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

var oneCount = mechanisms.Laplace{Epsilon: 1, Sensitivity: 1}

// laplacePrivacy: Bassi and Park, "Laplace mechanism is ε-DP". Two coordinates that
// neighbours move by a third and two thirds of Δ; z goes over a grid around them.
var laplacePrivacy = Proof{Name: "laplace-privacy", Title: "Laplace noise is ε-DP", Deck: "bassi",
	steps: func(s *scenarios.Scenario) NumberedProof {
		m, on := entryOrExample(s, acceptAny[mechanisms.Laplace], oneCount, "ε = 1, Δ = 1")
		noise := m.Noise()
		moved := [2]float64{m.Sensitivity / 3, 2 * m.Sensitivity / 3} // f(y); f(x) is 0
		ratio := func(z [2]float64) float64 {
			return noise.Density(z[0]) * noise.Density(
				z[1]) / (noise.Density(z[0]-moved[0]) * noise.Density(z[1]-moved[1]))
		}
		most, least := 0.0, math.Inf(1)
		for i := -30; i <= 60; i++ {
			for j := -30; j <= 60; j++ {
				r := ratio([2]float64{float64(i) * m.Sensitivity / 30, float64(j) * m.Sensitivity / 30})
				most, least = math.Max(most, r), math.Min(least, r)
			}
		}
		at := [2]float64{m.Sensitivity / 2, m.Sensitivity / 2}
		gaps := 0.0
		for i, z := range at {
			gaps += math.Abs(moved[i]-z) - math.Abs(z)
		}
		return NumberedProof{on + ", two coordinates that move by Δ/3 and 2Δ/3", []Step{
			{Says: "The densities are products, so their ratio is an exponential of distances; here at z = (Δ/2, Δ/2).",
				Left: Term{"p_x(z)/p_y(z)", ratio(at)}, Relation: Equals,
				Right: Term{"exp(ε·Σ(|f(y)_i − z_i| − |f(x)_i − z_i|)/Δ)", math.Exp(m.Epsilon * gaps / m.Sensitivity)}},
			{Says: "Triangle inequality, in each coordinate: the largest ratio over all z.",
				Left: Term{"max p_x(z)/p_y(z)", most}, Relation: AtMost,
				Right: Term{"exp(ε‖f(x) − f(y)‖₁/Δ)", math.Exp(m.Epsilon * (moved[0] + moved[1]) / m.Sensitivity)}},
			{Says: "‖f(x) − f(y)‖₁ is at most Δ.", Left: Term{"exp(ε‖f(x) − f(y)‖₁/Δ)", math.Exp(m.Epsilon * (moved[0] + moved[1]) / m.Sensitivity)}, Relation: AtMost, Right: Term{"e^ε", math.Exp(m.Epsilon)}},
			{Says: "By symmetry from below.", Left: Term{"min p_x(z)/p_y(z)", least}, Relation: AtLeast, Right: Term{"e^{−ε}", math.Exp(-m.Epsilon)}},
			{Says: "The expected distortion of each coordinate.", Left: Term{"E|Y|, by quadrature", meanAbs(noise, m.Scale())}, Relation: Equals, Right: Term{"Δ/ε", m.Sensitivity / m.Epsilon}},
		}}
	}}

// meanAbs integrates |y| over a noise.
func meanAbs(noise mechanisms.Noise, scale float64) float64 {
	return 2 * quad.Fixed(func(y float64) float64 { return y * noise.Density(y) }, 0, 45*scale, 200, quad.Legendre{}, 0)
}

// randomizedResponse: Park, "Randomized response is DP" and "How informative?".
var randomizedResponse = Proof{Name: "randomized-response", Title: "Randomized response: private, and the share is found", Deck: "park",
	steps: func(s *scenarios.Scenario) NumberedProof {
		m, on := entryOrExample(s, func(r mechanisms.RandomizedResponse) bool { return r.Categories == 2 },
			mechanisms.RandomizedResponse{Epsilon: math.Log(3), Categories: 2}, "the coin survey, γ = ¼")
		gamma, n, share := m.Gamma(), 1000.0, 0.3
		yes := share*(0.5+gamma) + (1-share)*(0.5-gamma) // expected share of yes
		return NumberedProof{on + "; 1000 people, 30 % of whom hide yes", []Step{
			{Says: "One coordinate differs, so all factors but one cancel; the ratio is largest where the answer is the truth.",
				Left: Term{"P[Y_j = X_j]/P[Y_j ≠ X_j]", m.Truth() / (1 - m.Truth())}, Relation: Equals,
				Right: Term{"(½+γ)/(½−γ)", (0.5 + gamma) / (0.5 - gamma)}},
			{Says: "That is ε; ln 3 at γ = ¼ and only there.", Left: Term{"ln((½+γ)/(½−γ))", math.Log((0.5 + gamma) / (0.5 - gamma))}, Relation: Equals, Right: Term{"ε", m.Epsilon}},
			{Says: "Truth probabilities in this range keep ε; the largest is used.", Left: Term{"½ + γ", 0.5 + gamma}, Relation: AtMost, Right: Term{"e^ε/(1 + e^ε)", 1 / (1 + math.Exp(-m.Epsilon))}},
			{Says: "Over the coins an answer is yes with this probability.", Left: Term{"E[Y]", yes}, Relation: Equals, Right: Term{"2γp + ½ − γ", 2*gamma*share + 0.5 - gamma}},
			{Says: "Solved for p: the estimator is unbiased.", Left: Term{"E[(Y − ½ + γ)/2γ]", (yes - 0.5 + gamma) / (2 * gamma)}, Relation: Equals, Right: Term{"p", share}},
			{Says: "The deviation of the estimate falls with √n, and is not on the slides.", Left: Term{"deviation of p̂", math.Sqrt(m.EstimatorVariance(share, n))}, Relation: AtMost, Right: Term{"1/(4γ√n)", 1 / (4 * gamma * math.Sqrt(n))}},
			{Says: "“Contains a 1?” on {0, 1} and on {0}, answered as it is: yes for certain on one, never on the other. No deterministic answer but a constant is private, even at ε = 10.",
				Left:     Term{"P[yes on {0, 1}] − e^{10}·P[yes on {0}]", yesProbability(0, 1) - math.Exp(10)*yesProbability(0)},
				Relation: Equals, Right: Term{"δ of a full disclosure", 1}},
			{Says: "The same answer through the coins is as private as they are.", Left: Term{"P[yes on {0, 1}]", m.Truth()}, Relation: AtMost, Right: Term{"e^ε·P[yes on {0}]", math.Exp(m.Epsilon) * (1 - m.Truth())}},
		}}
	}}

// yesProbability returns the probability that the question "contains a 1?" is answered yes, without noise.
func yesProbability(data ...int) float64 {
	if slices.Contains(data, 1) {
		return 1
	}
	return 0
}

// postProcessing: Bassi, "Post-processing". f says whether the noisy answer is above a
// level; its preimage T of yes is a half line.
var postProcessing = Proof{Name: "post-processing", Title: "What is computed from a private answer stays private", Deck: "bassi",
	steps: func(s *scenarios.Scenario) NumberedProof {
		m, on := entryOrExample(s, acceptAny[mechanisms.Laplace], oneCount, "ε = 1, Δ = 1")
		noise := m.Noise()
		above := func(value, level float64) float64 { return noise.CDF(value - level) }
		level := m.Sensitivity / 2
		here, there := above(m.Sensitivity, level), above(0, level) // f(x) = Δ, f(y) = 0
		most := 0.0
		for i := -100; i <= 100; i++ {
			c := float64(i) / 20 * m.Sensitivity
			most = math.Max(most, math.Log(above(m.Sensitivity, c)/above(0, c)))
		}
		coin := func(p float64) float64 { return 0.8*p + 0.2*(1-p) } // f lies one time in five
		return NumberedProof{on + "; f says whether the answer is above Δ/2", []Step{
			{Says: "f says yes exactly on the set T of answers above the level.", Left: Term{"P[f(M(x)) = yes]", here}, Relation: Equals, Right: Term{"P[M(x) ∈ T] = 1 − ½e^{−ε/2}", 1 - math.Exp(-m.Epsilon/2)/2}},
			{Says: "T is an event like any other, so the promise of M covers it.", Left: Term{"P[M(x) ∈ T]", here}, Relation: AtMost, Right: Term{"e^ε·P[M(y) ∈ T]", math.Exp(m.Epsilon) * there}},
			{Says: "Whatever the level, f cannot tell x from y better than ε.", Left: Term{"largest ln(P[f(M(x)) = yes]/P[f(M(y)) = yes])", most}, Relation: AtMost, Right: Term{"ε", m.Epsilon}},
			{Says: "An f with coins of its own is a mixture of such: here it lies one time in five.", Left: Term{"ln of the ratio then", math.Log(coin(here) / coin(there))}, Relation: AtMost, Right: Term{"ε", m.Epsilon}},
		}}
	}}

// uniformNoise: Bassi, the first randomised algorithm: the sum of the cigarettes with
// uniform noise on 2L+1 values, with Bob's five and without.
var uniformNoise = Proof{Name: "uniform-noise", Title: "Uniform noise is not differentially private", Deck: "bassi",
	steps: func(*scenarios.Scenario) NumberedProof {
		const shift = 5.0
		answer := func(truth, half, b float64) float64 { // probability of b
			if math.Abs(b-truth) <= half {
				return 1 / (2*half + 1)
			}
			return 0
		}
		only := func(half, epsilon float64) (sum float64) { // δ at ε, over every answer
			for b := -half; b <= half+shift; b++ {
				sum += math.Max(0, answer(shift, half, b)-math.Exp(epsilon)*answer(0, half, b))
			}
			return sum
		}
		return NumberedProof{"the deck's example: a sum with uniform noise, L = 10, and Bob's 5 cigarettes", []Step{
			{Says: "Where both are possible, an answer is as likely with Bob as without him.",
				Left: Term{"P[M(x) = 7]", answer(shift, 10, 7)}, Relation: Equals, Right: Term{"P[M(y) = 7]", answer(0, 10, 7)}},
			{Says: "Fifteen above the sum without Bob, the answer is possible only with him: no e^ε times 0 is enough.",
				Left: Term{"P[M(x) = 15] − e^{10}·P[M(y) = 15]", answer(shift, 10, 15) - math.Exp(10)*answer(0, 10, 15)}, Relation: Equals,
				Right: Term{"1/(2L + 1)", 1.0 / 21}},
			{Says: "All answers that give him away for certain are the δ.", Left: Term{"Σ (P[M(x) = b] − P[M(y) = b])₊", only(10, 0)}, Relation: Equals, Right: Term{"5/(2L + 1)", shift / 21}},
			{Says: "A larger ε does not help: at ε = 10 the δ is the same.", Left: Term{"Σ (P[M(x) = b] − e^ε·P[M(y) = b])₊", only(10, 10)}, Relation: Equals, Right: Term{"5/(2L + 1)", shift / 21}},
			{Says: "Ten times the noise still gives one in forty away; Laplace noise reveals no record.", Left: Term{"δ at L = 100", only(100, 10)}, Relation: Equals, Right: Term{"5/201", shift / 201}},
		}}
	}}
