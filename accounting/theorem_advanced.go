package accounting

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/special"
)

// Advanced is advanced composition.
const Advanced Method = "advanced"

// The sum over unequal ε_i is that of Kairouz, Oh & Viswanath 2015, equation 12. Where a
// release has only a profile its δ_i must be paid from the same δ: the share δ′/δ is then
// searched in one dimension.
var advancedTheorem = Theorem{
	Method:    Advanced,
	Label:     "advanced",
	Title:     "Advanced composition",
	Authors:   "Dwork, Rothblum, Vadhan",
	Year:      2010,
	Source:    "Boosting and Differential Privacy (FOCS 2010), Theorem III.3",
	Formula:   "ε = √(2 ln(1/δ′)·Σ Kᵢεᵢ²) + Σ Kᵢεᵢ(e^εᵢ − 1)   at   δ = δ′ + Σ Kᵢδᵢ",
	Looseness: "A concentration inequality stands in for the true distribution of the loss, and the mean loss ε(e^ε−1) is twice what it need be.",
	Adaptive:  Adaptive{AdaptiveValidIf, "δ′ is fixed in advance", "The zCDP filter admits more."},
	CiteKey:   "DworkRV10",
	evaluate:  func(_ context.Context, l *preparedStack) Bound { return evaluateSplit(l, drv) },
	steps:     drvSteps,
	questions: drvQuestions,
	Slips: []string{
		"Slides often keep only the first term and solve it for ε = ε′/√(2K ln(1/δ′)); the second term is then missing, and this theorem gives more than ε′. With K = 10⁴ and δ′ = e⁻³², queries at 1/800 cost 1.0157 by it, not 1; the optimal theorem gives 0.8917.",
		"The shorthand O(√(K ln(1/δ′)))·ε holds for K < 1/ε², where the first term leads; a slide that asks for K < 1/ε asks for more than is needed.",
	},
}

// drv is the formula of Dwork, Rothblum and Vadhan.
var drv = splitForm{
	method: Advanced,
	budget: func(delta float64, c *entryCosts) (left float64) {
		_, stated := c.sums()
		return delta - stated
	},
	split: func(left, share, n float64) (prime, each float64) {
		return share * left, (1 - share) * left / n
	},
	epsilon: func(m moments, prime float64) (float64, string) { return drvSpread(m.squares, prime) + m.expm1, "" },
	mean: func(m moments) Quantity {
		return quantity("Σε(e^ε−1)", m.expm1, "bound on the mean loss").as(Intermediate)
	},
}

// drvSpread returns √(2 ln(1/δ′)·Σε²), the distance from its mean that the total loss exceeds with
// probability at most δ′.
func drvSpread(squares, prime float64) float64 { return math.Sqrt(-2 * special.Log(prime) * squares) }

// AdvancedEpsilon returns the theorem of Dwork, Rothblum & Vadhan for count equal ε:
// √(2K ln(1/δ′))·ε + Kε(e^ε−1).
func AdvancedEpsilon(epsilon, deltaPrime, count float64) float64 {
	if !(epsilon >= 0 && deltaPrime >= 0 && count >= 0) {
		return math.Inf(1)
	}
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

func drvSteps(_ Bound, in inputs) ([]string, float64) {
	root, mean := drvSpread(in["Σε²"], in["δ′"]), in["Σε(e^ε−1)"]
	return []string{
		fmt.Sprintf("√(2 ln(1/δ′)·Σε²) = √(2 · %s · %s) = %s", numeral.Nearest(-special.Log(in["δ′"])), numeral.Nearest(in["Σε²"]), numeral.Nearest(root)),
		"Σε(e^ε−1) = " + numeral.Nearest(mean),
		"ε = " + numeral.Sum(root+mean, root, mean),
	}, root + mean
}

// drvQuestions returns three questions that students ask: where the factor 2 comes from, why δ′ cannot be 0,
// and how √K gives n² queries.
func drvQuestions(b Bound, in inputs) []Question {
	if !(in["Σε²"] > 0 && in["δ′"] > 0) {
		return nil
	}
	return []Question{factorTwo(b, in), deltaPrime(in), manyQueries(in)}
}

func factorTwo(b Bound, in inputs) Question {
	root, mean := drvSpread(in["Σε²"], in["δ′"]), in["Σε(e^ε−1)"]
	half := "It is the smaller term here, so half of the budget more than covers it."
	if mean > root {
		half = "Here it is the larger term: half of the budget would not cover it."
	}
	return Question{"Where does the factor 2 come from?", []string{
		"Under the root: the privacy loss of one release moves by at most ±ε around its mean, and Azuma's inequality for K such steps lets the sum stray " +
			"by √(2 ln(1/δ′)·Σε²) with probability δ′ at most.",
		fmt.Sprintf("That is √(2 · %s · %s) = %s here.", numeral.Nearest(-special.Log(in["δ′"])), numeral.Nearest(in["Σε²"]), numeral.Nearest(root)),
		fmt.Sprintf("Before the root, in the corollary ε/(2√(2K ln(1/δ′))): it pays for the second term, Σε(e^ε−1) = %s, by giving the first one half of the budget. %s", numeral.Nearest(mean), half),
		"Solving the theorem itself needs no such factor: " + numeral.Sum(b.Epsilon, root, mean) + ".",
	}}
}

func deltaPrime(in inputs) Question {
	at := func(delta float64) string {
		return numeral.Upper(drvSpread(in["Σε²"], delta) + in["Σε(e^ε−1)"])
	}
	d := in["δ′"]
	text := fmt.Sprintf("At δ′ = %s the theorem gives %s, at δ′ = %s already %s", numeral.FormatGiven(d), at(d), numeral.FormatGiven(d*d), at(d*d))
	// Where the theorem passes the plain sum.
	if gap := in["Σε"] - in["Σε(e^ε−1)"]; gap > 0 {
		if exponent := gap * gap / (2 * in["Σε²"]); exponent > 0 {
			text += fmt.Sprintf("; below δ′ = e^−%s it exceeds the plain sum %s", numeral.Nearest(exponent), numeral.Upper(in["Σε"]))
		}
	}
	return Question{"Why can δ′ not be 0?", []string{
		"The sum of the losses stays near its mean except with probability δ′. Ask for no exception and only its largest value counts, where every release loses its full ε: that is basic composition.",
		text + ".",
	}}
}

func manyQueries(in inputs) Question {
	k := in["K"]
	return Question{"How does √K give n² queries?", []string{
		"With a fixed total, ε per query may fall like 1/√K instead of 1/K, so the noise grows like √K. Noise on a count is harmless while it stays below n: " +
			"that allows about n queries by basic composition, and about n² by the advanced one.",
		fmt.Sprintf("With these %s releases the noise of basic composition would be %s times that of one, by the advanced one about %s times.",
			numeral.FormatGiven(k), numeral.FormatGiven(k), numeral.FormatGiven(threeDigits(drvSpread(k, in["δ′"])))),
	}}
}

func threeDigits(x float64) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 2, 64), 64)
	return y
}
