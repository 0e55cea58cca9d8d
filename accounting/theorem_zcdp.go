package accounting

import (
	"context"
	"fmt"
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/special"
)

// ZCDP is zero-concentrated differential privacy; ZCDPClassic is by the classic conversion.
const (
	ZCDP        Method = "zcdp"
	ZCDPClassic Method = "zcdp-classic"
)

// Every order of the line αρ is a Rényi bound, and the best is taken.
var zcdpTheorem = Theorem{
	Method:    ZCDP,
	Label:     "zCDP",
	Title:     "Zero-concentrated differential privacy, tight conversion",
	Authors:   "Bun, Steinke; Canonne, Kamath, Steinke",
	Year:      2020,
	Source:    "Bun & Steinke 2016 (TCC), Lemma 1.7; Canonne, Kamath & Steinke 2020 (NeurIPS), Corollary 13",
	Formula:   "ε = min over α > 1 of  αρ + ln((α−1)/α) − (ln δ + ln α)/(α−1),   ρ = Σ Kᵢ·ρᵢ",
	Looseness: "A straight line αρ stands above every Rényi curve; only Gaussian noise lies on it.",
	Adaptive:  Adaptive{AdaptiveValid, "it is the zCDP filter", ""},
	CiteKey:   "CanonneKS20",
	Slips: []string{
		"Gaussian noise has ρ = Δ²/(2σ²): the sensitivity is squared. Slides that print Δ/(2σ²) agree only at Δ = 1.",
		"ρ adds up, ε does not: split ρ over the releases, not ε.",
	},
	evaluate: func(_ context.Context, l *preparedStack) Bound {
		return evaluateZCDP(l, ZCDP, ConcentratedToEpsilon)
	},
	steps: func(_ Bound, in inputs) ([]string, float64) {
		alpha, rho := in["α"], in["ρ"]
		if !in.has("α") || math.IsInf(alpha, 1) {
			return nil, math.NaN()
		}
		lines, sum := conversionSteps("αρ", alpha, alpha*rho, special.Log(in["δ"]))
		lines, sum = offsetStep(lines, sum, in)
		product := fmt.Sprintf("αρ = %s · %s = %s", numeral.Nearest(alpha), numeral.Upper(rho), numeral.Nearest(alpha*rho))
		return append([]string{product}, lines...), sum
	},
}

var zcdpClassicTheorem = Theorem{
	Method:    ZCDPClassic,
	Label:     "zCDP classic",
	FormOf:    ZCDP,
	Title:     "Zero-concentrated differential privacy, classic conversion",
	Authors:   "Bun, Steinke",
	Year:      2016,
	Source:    "Concentrated Differential Privacy (TCC 2016-B), Lemma 1.7 and Proposition 1.3",
	Formula:   "ε = ρ + 2√(ρ ln(1/δ)),   ρ = Σ Kᵢ·ρᵢ",
	Looseness: "As for zCDP; the conversion is a Chernoff bound that the tight one improves.",
	Adaptive:  Adaptive{AdaptiveValid, "its sum of ρ is that of the zCDP filter", "The zCDP filter converts tightly and admits more."},
	CiteKey:   "BunS16",
	evaluate: func(_ context.Context, l *preparedStack) Bound {
		return evaluateZCDP(l, ZCDPClassic, func(rho, delta float64) (float64, float64) {
			return ConcentratedToEpsilonClassic(rho, delta), 0
		})
	},
	steps: func(_ Bound, in inputs) ([]string, float64) {
		rho, delta := in["ρ"], in["δ"]
		sum := ConcentratedToEpsilonClassic(rho, delta)
		return offsetStep([]string{
			fmt.Sprintf("2√(ρ·ln(1/δ)) = 2√(%s · %s) = %s", numeral.Upper(rho), numeral.Nearest(-special.Log(delta)), numeral.Nearest(sum-rho)),
			"ε = ρ + 2√(ρ·ln(1/δ)) = " + numeral.SumOfBounds(sum, 1, rho, sum-rho),
		}, sum, in)
	},
}

// offsetStep adds ξ to what ρ converts to.
func offsetStep(lines []string, sum float64, in inputs) ([]string, float64) {
	xi := in["ξ"]
	if !(xi > 0) {
		return lines, sum
	}
	return append(lines, "with ξ: ε = "+numeral.SumOfBounds(xi+sum, 2, xi, sum)), xi + sum
}

func evaluateZCDP(l *preparedStack, m Method, convert func(rho, delta float64) (epsilon, alpha float64)) Bound {
	xi, rho := 0.0, 0.0
	var carried []statedCost
	for _, e := range l.entries {
		r, delta, err := CostOrPureFallback(e.Release, Release.Concentrated)
		if line, ok := unwrapAs[concentrated](e.Release); ok {
			xi += e.Count * line.xi
			r, err = line.rho, nil
		}
		if err == nil && !finite(r) {
			err = fmt.Errorf("%s has no finite ρ", e.Release.Name())
		}
		if err != nil {
			return refuse(m, err.Error(), Condition{"every release has a finite ρ, or an (ε, δ) whose δ is carried beside", false})
		}
		rho += e.Count * r
		carried = append(carried, statedCost{delta: delta, count: e.Count})
	}
	left, b, ok := deductStatedDelta(l, carried, Condition{"every release has a finite ρ, or an (ε, δ) whose δ is carried beside", true})
	if !ok {
		return b
	}
	if xi == 0 {
		rho = math.Max(rho, math.SmallestNonzeroFloat64) // it may have underflowed
	}
	positive := Condition{"δ > 0", left > 0 || rho == 0}
	conditions := append(b.Conditions, positive)
	if !positive.Holds {
		return refuse(m, "zCDP needs a δ above 0", conditions...)
	}
	epsilon, alpha := convert(rho, left)
	if rho == 0 {
		alpha = 0
	}
	epsilon += xi
	b.Status, b.Epsilon, b.Delta, b.Alpha, b.Conditions = Valid, epsilon, l.target.Delta, alpha, conditions
	b.Inputs = []Quantity{
		quantity("K", l.total(), "releases"),
		quantity("ρ", rho, "sum of ρ over all releases").as(Cost),
		quantity("δ", left, "what the conversion may use"),
	}
	if xi > 0 {
		b.Inputs = append(b.Inputs, quantity("ξ", xi, "sum of ξ over all releases, added to ε"))
	}
	if alpha > 0 {
		b.Inputs = append(b.Inputs, quantity("α", alpha, "order at which the conversion is best").as(Intermediate))
	} else if m == ZCDPClassic && rho > 0 {
		b.Inputs = append(b.Inputs, quantity("ln(1/δ)", -special.Log(left), "").as(Intermediate))
	}
	return b
}
