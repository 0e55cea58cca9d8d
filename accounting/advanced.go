package accounting

import (
	"context"
	"math"
)

// Advanced composition (Dwork, Rothblum & Vadhan 2010, Theorem III.3; with the sum
// over unequal ε_i as in Kairouz, Oh & Viswanath 2015, equation 12): releases that
// are (ε_i, δ_i)-DP are together (ε′, Σδ_i + δ′)-DP for every δ′ > 0, with
// ε′ = √(2 ln(1/δ′)·Σ ε_i²) + Σ ε_i(e^{ε_i}−1). For K equal ones that is
// √(2K ln(1/δ′))·ε + Kε(e^ε−1).
//
// Where a release has only a profile its δ_i must be paid from the same δ: the
// share s = δ′/δ is then searched in one dimension.
var advancedTheorem = Theorem{
	Method:  Advanced,
	Label:   "advanced",
	Title:   "Advanced composition",
	Authors: "Dwork, Rothblum, Vadhan",
	Year:    2010,
	Source:  "Boosting and Differential Privacy (FOCS 2010), Theorem III.3",
	Formula: "ε = √(2 ln(1/δ′)·Σ Kᵢεᵢ²) + Σ Kᵢεᵢ(e^εᵢ − 1)   at   δ = δ′ + Σ Kᵢδᵢ",
	Slack:   "A concentration inequality stands in for the true distribution of the loss, and the mean loss ε(e^ε−1) is twice what it need be.",
	Filter:  "Holds where costs are chosen by looking if δ′ is fixed beforehand; the advanced filter (Whitehouse et al. 2023) admits more.",
	CiteKey: "DworkRV10",
	BibTeX: `@inproceedings{DworkRV10,
  author    = {Cynthia Dwork and Guy N. Rothblum and Salil Vadhan},
  title     = {Boosting and Differential Privacy},
  booktitle = {51st Annual {IEEE} Symposium on Foundations of Computer Science},
  pages     = {51--60},
  year      = {2010}
}`,
	evaluate: func(_ context.Context, l *ledger) Bound { return evaluateSplit(l, drv) },
}

// drv is the formula of Dwork, Rothblum and Vadhan.
var drv = splitForm{
	method: Advanced,
	budget: func(delta float64, c *costs) (left float64) {
		_, stated := c.sums()
		return delta - stated
	},
	split: func(left, share, n float64) (prime, each float64) {
		return share * left, (1 - share) * left / n
	},
	epsilon: func(m moments, prime float64) (float64, string) {
		return math.Sqrt(-2*math.Log(prime)*m.squares) + m.expm1, ""
	},
}

// moments are the sums over all releases that the closed forms are made of.
type moments struct {
	sum     float64 // Σ K·ε
	squares float64 // Σ K·ε²
	expm1   float64 // Σ K·ε·(e^ε − 1)
	tanh    float64 // Σ K·ε·tanh(ε/2)
}

func (m *moments) add(epsilon, count float64) {
	if epsilon == 0 {
		return
	}
	m.sum += count * epsilon
	m.squares += count * epsilon * epsilon
	m.expm1 += count * epsilon * math.Expm1(epsilon)
	m.tanh += count * epsilon * math.Tanh(epsilon/2)
}

func statedMoments(c *costs) (m moments) {
	for _, s := range c.stated {
		m.add(s.epsilon, s.count)
	}
	return m
}
