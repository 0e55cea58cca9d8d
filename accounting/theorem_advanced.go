package accounting

import (
	"context"
	"fmt"
	"math"
)

// Advanced is advanced composition.
const Advanced Method = "advanced"

// The sum over unequal ε_i is that of Kairouz, Oh & Viswanath 2015, equation 12. Where a
// release has only a profile its δ_i must be paid from the same δ: the share δ′/δ is then
// searched in one dimension.
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
	evaluate:  func(_ context.Context, l *ledger) Bound { return evaluateSplit(l, drv) },
	steps:     drvSteps,
	questions: drvQuestions,
	Slips: []string{
		"Slides often keep only the first term and solve it for ε = ε′/√(2K ln(1/δ′)); the second term is then missing, and the true cost is above ε′. With K = 10⁴ and δ′ = e⁻³² a query at 1/800 costs 1.0156, not 1.",
		"The shorthand O(√(K ln(1/δ′)))·ε is meant for K < 1/ε²; slides that print K < 1/ε have lost the square.",
	},
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
	epsilon: func(m moments, prime float64) (float64, string) { return drvSpread(m.squares, prime) + m.expm1, "" },
	mean:    func(m moments) Quantity { return Quantity{"Σε(e^ε−1)", m.expm1, "bound on the mean loss"} },
}

// drvSpread is how far K losses may stray from their mean, √(2 ln(1/δ′)·Σε²).
func drvSpread(squares, prime float64) float64 { return math.Sqrt(-2 * math.Log(prime) * squares) }

// AdvancedEpsilon is the theorem of Dwork, Rothblum & Vadhan for count equal ε:
// √(2K ln(1/δ′))·ε + Kε(e^ε−1).
func AdvancedEpsilon(epsilon, deltaPrime, count float64) float64 {
	return drvSpread(count*epsilon*epsilon, deltaPrime) + count*epsilon*math.Expm1(epsilon)
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

func drvSteps(_ Bound, in inputs, w Writing) ([]string, float64) {
	if !in.has("δ′", "Σε²", "Σε(e^ε−1)") {
		return nil, math.NaN()
	}
	root, mean := drvSpread(in["Σε²"], in["δ′"]), in["Σε(e^ε−1)"]
	return []string{
		fmt.Sprintf("√(2 ln(1/δ′)·Σε²) = √(2 · %s · %s) = %s", w.Figure(-math.Log(in["δ′"])), w.Figure(in["Σε²"]), w.Figure(root)),
		fmt.Sprintf("Σε(e^ε−1) = %s", w.Figure(mean)),
		fmt.Sprintf("ε = %s + %s = %s", w.Figure(root), w.Figure(mean), w.Upper(root+mean)),
	}, root + mean
}
