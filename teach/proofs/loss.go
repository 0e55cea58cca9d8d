package proofs

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"

	"epsiloscope/accounting"
	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/teach/slides"
)

// privacyLoss: Gaboardi, "(ε, δ)-DP and the privacy loss". Of Gaussian noise the loss is
// normal with mean μ²/2 and deviation μ.
var privacyLoss = Proof{Name: "privacy-loss", Title: "What δ has to do with the privacy loss", Deck: "gaboardi",
	steps: func(s *scenarios.Scenario) NumberedProof {
		example := mechanisms.Gaussian{Sigma: mechanisms.AnalyticSigma(1, 1e-5, 1), Sensitivity: 1}
		m, on := entryOrExample(s, acceptAny[mechanisms.Gaussian], example, "Gaussian noise calibrated to (1, 10⁻⁵)")
		mu, delta := m.Mu(), 1e-5
		epsilon := accounting.GaussianToEpsilon(mu, delta)
		beyond := lossTail(mu, epsilon)
		excess := beyond - math.Exp(epsilon)*special.NormalCDF(-mu/2-epsilon/mu)
		return NumberedProof{fmt.Sprintf("%s, at δ = 10⁻⁵ where ε = %.4g", on, epsilon), []Step{
			{Says: "The loss is ln of the ratio of two normal densities: normal again. It exceeds ε with this probability.",
				Left: Term{"P(L > ε), by quadrature of the density", beyond}, Relation: Equals, Right: Term{"Φ(μ/2 − ε/μ)", special.NormalCDF(mu/2 - epsilon/mu)}},
			{Says: "δ is the expected excess, which weighs a loss by how far it is beyond ε.", Left: Term{"E[(1 − e^{ε−L})₊]", excess}, Relation: AtMost, Right: Term{"δ", delta}},
			{Says: "So a bound on P(L > ε) is enough: the excess is smaller.", Left: Term{"E[(1 − e^{ε−L})₊]", excess}, Relation: AtMost, Right: Term{"P(L > ε)", beyond}},
			{Says: "The slide presents the two as equivalent; the loss exceeds ε more often than δ.", Slide: true, Left: Term{"P(L > ε)", beyond}, Relation: AtMost, Right: Term{"δ", delta}},
			{Says: "Given that it exceeds ε, the loss is still finite: the mean of the part beyond.", Left: Term{"ε", epsilon}, Relation: AtMost, Right: Term{"E[L | L > ε]", conditionalLoss(mu, epsilon)}},
			{Says: "The slide conditions on events. Let E keep an output of loss L with probability min(1, e^{ε−L}), and E′ the same the other way round.",
				Left: Term{"P(E), by quadrature", keepProbability(mu, epsilon)}, Relation: AtLeast, Right: Term{"1 − δ", 1 - delta}},
			{Says: "Given E and E′ the loss is bounded for every output: so the slide’s form holds, with events of probability 1 − δ.",
				Left: Term{"largest |ln(P[r | E]/P[r | E′])|", largestConditionalLoss(mu, epsilon)}, Relation: AtMost, Right: Term{"ε", epsilon}},
		}}
	}}

// lossTail returns P(L > ε) for outputs of N(μ, 1) against N(0, 1) from the definition: the density of the outputs is
// integrated from the point on at which the logarithm of the ratio of the densities is ε.
func lossTail(mu, epsilon float64) float64 {
	loss := func(x float64) float64 { return x*x/2 - (x-mu)*(x-mu)/2 }
	from, _ := special.Bisect(-40-mu, 40+2*mu+epsilon/mu, 0, func(x float64) bool { return loss(x) <= epsilon })
	return quad.Fixed(func(x float64) float64 {
		return math.Exp(-(x-mu)*(x-mu)/2) / math.Sqrt(2*math.Pi)
	}, from, math.Max(from, mu)+40, 400, quad.Legendre{}, 0)
}

// visitLosses calls each for a grid of outputs of N(μ, 1) against N(0, 1), with the loss and the
// weight of each. The grid covers all but a tail of 1e-15.
func visitLosses(mu float64, each func(loss, weight float64)) {
	const h = 1.0 / 512
	for x := mu - 8.5; x <= mu+8.5; x += h {
		each(mu*x-mu*mu/2, h*special.NormalPDF(x-mu))
	}
}

// keepProbability returns the probability of the event that keeps an output with min(1, e^{ε−L}).
func keepProbability(mu, epsilon float64) (sum float64) {
	visitLosses(mu, func(loss, weight float64) { sum += weight * math.Min(1, math.Exp(epsilon-loss)) })
	return sum
}

// largestConditionalLoss returns the largest absolute loss given those events. Both have the same
// probability, as the two sides mirror each other.
func largestConditionalLoss(mu, epsilon float64) (most float64) {
	visitLosses(mu, func(loss, _ float64) {
		here, there := math.Min(0, epsilon-loss), math.Min(0, epsilon+loss)
		most = math.Max(most, math.Abs(loss+here-there))
	})
	return most
}

// conditionalLoss returns the mean of a N(μ²/2, μ²) loss given that it exceeds ε.
func conditionalLoss(mu, epsilon float64) float64 {
	t := epsilon/mu - mu/2
	return mu*mu/2 + mu*special.NormalPDF(t)/special.NormalCDF(-t)
}

// chosenQuery: Bassi, the slides from "Generalisation via max-information" to "take 2".
// n and τ are those of a Thresholdout entry, if there is one.
var chosenQuery = Proof{Name: "chosen-query", Title: "Generalisation by max-information", Deck: "bassi",
	steps: func(s *scenarios.Scenario) NumberedProof {
		n, tau, on := sampleOf(s)
		epsilon := slides.MaxInformationEpsilon(tau)
		bits := slides.MaxInformation(epsilon, n)
		c := 1 / n // one record moves an average by that much
		x := tau * tau / (n * c * c)
		slide, proven := slides.TakeTwo(x)
		from := slides.TakeTwoFrom()
		return NumberedProof{on, []Step{
			{Says: "McDiarmid: a fixed query that one record moves by c = 1/n misses by τ or more with at most this probability; for an average it is Hoeffding. A fair coin misses the most.",
				Left: Term{"P[|average − ½| ≥ τ], exactly", deviationProbability(n, tau)}, Relation: AtMost, Right: Term{"2e^{−2τ²/(nc²)}", 2 * math.Exp(-2*x)}},
			{Says: "A τ²-DP analysis has at most k bits of max-information, k = log₂e·nτ². Choosing the query costs at most the factor 2^k.",
				Left: Term{"2^k·2e^{−2nτ²}", math.Exp2(bits) * slides.Hoeffding(n, tau)}, Relation: Equals,
				Right: Term{"2e^{−nτ²}", 2 * math.Exp(-x)}},
			{Says: "Against generalisation by DP: a smaller probability, for a far smaller ε.",
				Left: Term{"τ²", epsilon}, Relation: AtMost, Right: Term{"√(τ² − ln 2/2n)", slides.GeneralizationEpsilon(n, tau)}},
			{Says: "Take 2, for independent records: ε may be τ. With β = 2e^{−x}, x = τ²/(nc²), the bits are at most log₂e·x(½ + 1/√2).",
				Left: Term{"bits at ε = τ, β = 2e^{−x}", slides.ApproximateMaxInformation(tau, n, 2*math.Exp(-x))}, Relation: AtMost,
				Right: Term{"log₂e·x(½ + 1/√2)", math.Log2E * x * (0.5 + math.Sqrt2/2)}},
			{Says: "The slide’s 2e^{−¾x} follows from what is proven once x is large enough.",
				Left: Term{"2e^{(1/√2 − 3/2)x} + 2e^{−x}", proven}, Relation: AtMost, Right: Term{"2e^{−¾x}", slide}, Slide: x < from},
			{Says: "“More than 10 seems OK”, says the slide; it is enough from here on.", Left: Term{"least x", from}, Relation: AtMost, Right: Term{"10", 10}},
		}}
	}}

// sampleOf returns the n and τ of the scenario's Thresholdout entry, or the deck's.
func sampleOf(s *scenarios.Scenario) (n, tau float64, on string) {
	if m, entry, ok := findEntry(s, func(t mechanisms.Thresholdout) bool {
		return t.N*t.Threshold*t.Threshold > 1
	}); ok {
		return m.N, m.Threshold, fmt.Sprintf("n and T of entry %d", entry)
	}
	return 10_000, 0.05, "the deck's corollary at n = 10,000 and τ = 0.05"
}

// probabilitySpread returns the largest ratio of two probabilities of an exponential mechanism with Δ = 1, by its own
// probabilities.
func probabilitySpread(epsilon float64, scores []float64) float64 {
	items := make([]param.Item, len(scores))
	for i, score := range scores {
		items[i] = param.Item{Name: fmt.Sprint(i), Value: score}
	}
	sel, err := mechanisms.Exponential{Epsilon: epsilon, Sensitivity: 1, Candidates: items}.Selection()
	if err != nil {
		return math.NaN()
	}
	return slices.Max(sel.Probabilities) / slices.Min(sel.Probabilities)
}

// laplaceExponential: Machanavajjhala, "Laplace versus exponential mechanism".
var laplaceExponential = Proof{Name: "laplace-exponential", Title: "Laplace noise as an exponential mechanism", Deck: "machanavajjhala",
	steps: func(s *scenarios.Scenario) NumberedProof {
		m, on := entryOrExample(s, acceptAny[mechanisms.Laplace], mechanisms.Laplace{Epsilon: 1, Sensitivity: 1}, "ε = 1, Δ = 1")
		moved := 0.0 // largest change of the score −|f(D) − O| over outputs O, f(D) = 0 and f(D′) = Δ
		for i := -400; i <= 400; i++ {
			o := float64(i) / 100 * m.Sensitivity
			moved = math.Max(moved, math.Abs(math.Abs(o)-math.Abs(m.Sensitivity-o)))
		}
		scale := 2 * m.Sensitivity / m.Epsilon
		weight := func(eta float64) float64 { return math.Exp(-m.Epsilon * eta / (2 * m.Sensitivity)) }
		mass := quad.Fixed(weight, 0, 60*scale, 200, quad.Legendre{}, 0)
		above := quad.Fixed(func(eta float64) float64 {
			return eta * weight(eta)
		}, 0, 60*scale, 200, quad.Legendre{}, 0) / (2 * mass)
		return NumberedProof{on, []Step{
			{Says: "Score an output O by w = −|f(D) − O|. By the triangle inequality its sensitivity is at most that of f.", Left: Term{"Δw, the largest over O", moved}, Relation: AtMost, Right: Term{"Δf", m.Sensitivity}},
			{Says: "exp(ε·w/2Δ) is a Laplace density: an exponential one on either side of f(D), each with half the mass.",
				Left: Term{"half the mean of |noise| above f(D), by quadrature", above}, Relation: Equals, Right: Term{"½·2Δ/ε", m.Sensitivity / m.Epsilon}},
			{Says: "Its normaliser is the same for every data set, so it costs half of what the general theorem charges.",
				Left: Term{"largest ln of the density's ratio after a shift by Δ", math.Log(largestRatio(scale, m.Sensitivity))}, Relation: Equals,
				Right: Term{"ε/2", m.Epsilon / 2}},
			{Says: "Every DP algorithm is one of these: take ln of its density as the score. That moves by at most ε, so the general theorem gives back the algorithm, at twice its cost.",
				Left: Term{"2·Δ(ln density), Laplace noise of scale Δ/ε", 2 * moved * m.Epsilon / m.Sensitivity}, Relation: Equals,
				Right: Term{"2ε", 2 * m.Epsilon}},
			{Says: "A constant score is private and useless: every output is as likely as any other.",
				Left:     Term{"largest ratio of the probabilities of two of five outputs", probabilitySpread(m.Epsilon, []float64{3, 3, 3, 3, 3})},
				Relation: Equals, Right: Term{"1", 1}},
			{Says: "The score w = P[A(D) = O] would be private too, and useless: it lies within [0, 1], so even for an A that gives one output for certain that is hardly more likely than another.",
				Left: Term{"largest ratio of the probabilities of two of five outputs", probabilitySpread(m.Epsilon, []float64{1, 0, 0, 0, 0})}, Relation: Equals,
				Right: Term{"e^{ε/2}", math.Exp(m.Epsilon / 2)}},
			{Says: "The slide’s score has no minus sign: its weight grows with the distance, and no density results.", Slide: true,
				Left: Term{"e^{+ε|η|/2Δ} at |η| = 10·2Δ/ε", math.Exp(10)}, Relation: AtMost, Right: Term{"its value at η = 0", 1}},
		}}
	}}
