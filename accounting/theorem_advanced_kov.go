package accounting

import (
	"context"
	"fmt"
	"math"

	"epsiloscope/accounting/special"
)

// AdvancedKOV is the improved closed form of advanced composition.
const AdvancedKOV Method = "advanced-kov"

// The total is 1 − (1−δ′)·Π(1−δ_i), not the plain sum of the δ's.
var advancedKOVTheorem = Theorem{
	Method:   AdvancedKOV,
	Label:    "advanced KOV",
	Title:    "Advanced composition, improved closed form",
	Authors:  "Kairouz, Oh, Viswanath",
	Year:     2015,
	Source:   "The Composition Theorem for Differential Privacy (ICML 2015), Theorem 3.5",
	Formula:  "ε = min{ Σ Kᵢεᵢ,  B + √(2 ln(1/δ′)·S),  B + √(2 ln(e + √S/δ′)·S) },  B = Σ Kᵢεᵢ tanh(εᵢ/2), S = Σ Kᵢεᵢ²,  at  δ = 1 − (1−δ′)·Π(1−δᵢ)^Kᵢ",
	Slack:    "The mean loss is exact; what remains is the concentration inequality for its spread.",
	Filter:   "Where costs are chosen by looking only the form with √(2 ln(1/δ′)·Σε²) is known to hold; the zCDP filter gives less.",
	CiteKey:  "KairouzOV15",
	evaluate: func(_ context.Context, l *ledger) Bound { return evaluateSplit(l, kov) },
	steps:    kovSteps,
}

// kov splits −ln(1−δ), in which independent failures add up.
var kov = splitForm{
	method: AdvancedKOV,
	budget: func(delta float64, c *costs) (left float64) {
		return -math.Log1p(-math.Max(0, remainder(delta, hazard(c.stated))))
	},
	split: func(left, share, n float64) (prime, each float64) {
		return -math.Expm1(-share * left), -math.Expm1(-(1 - share) * left / n)
	},
	mean: func(m moments) Quantity { return Quantity{"Σε·tanh(ε/2)", m.tanh, "mean loss"} },
	epsilon: func(m moments, prime float64) (float64, string) {
		near, far := kovSpreads(m.squares, prime)
		second, third := m.tanh+near, m.tanh+far
		switch least := math.Min(m.sum, math.Min(second, third)); least {
		case m.sum:
			return least, "The least of the three terms is the plain sum."
		case second:
			return least, "The least of the three terms is the one with ln(1/δ′)."
		default:
			return least, "The least of the three terms is the one with ln(e + √Σε²/δ′)."
		}
	},
}

// kovSpreads are the two bounds on how far the losses may stray from their mean.
func kovSpreads(squares, prime float64) (near, far float64) {
	root := math.Sqrt(squares)
	return math.Sqrt(-2*special.Log(prime)) * root, root * math.Sqrt(2*special.Log(math.E+root/prime))
}

func kovSteps(_ Bound, in inputs, w Writing) ([]string, float64) {
	sum, mean := in["Σε"], in["Σε·tanh(ε/2)"]
	near, far := kovSpreads(in["Σε²"], in["δ′"])
	least := math.Min(sum, math.Min(mean+near, mean+far))
	return []string{
		fmt.Sprintf("Σε = %s", w.Figure(sum)),
		fmt.Sprintf("Σε·tanh(ε/2) + √(2 ln(1/δ′)·Σε²) = %s + %s = %s", w.Figure(mean), w.Figure(near), w.Figure(mean+near)),
		fmt.Sprintf("Σε·tanh(ε/2) + √(2Σε²·ln(e + √(Σε²)/δ′)) = %s + %s = %s", w.Figure(mean), w.Figure(far), w.Figure(mean+far)),
		fmt.Sprintf("ε = the smallest = %s", w.Upper(least)),
	}, least
}
