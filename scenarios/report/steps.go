package report

import (
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/special"
)

// inputs are a bound's numbers by symbol.
type inputs map[string]float64

func inputsOf(b accounting.Bound) inputs {
	in := inputs{}
	for _, q := range b.Inputs {
		in[q.Symbol] = q.Value
	}
	return in
}

// has reports whether every symbol is among them.
func (in inputs) has(symbols ...string) bool {
	for _, s := range symbols {
		if _, ok := in[s]; !ok {
			return false
		}
	}
	return true
}

// steps puts a bound's own numbers into its formula, term by term. What it prints
// adds up to the bound: a test holds it to that.
func steps(b accounting.Bound) []string {
	if !b.Finite() {
		return nil
	}
	lines, _ := substitute(b)
	return lines
}

// substitute returns the lines and the ε that the terms in them amount to; NaN
// where the formula is not a sum of terms.
func substitute(b accounting.Bound) ([]string, float64) {
	in := inputsOf(b)
	switch b.Method {
	case accounting.Basic:
		return basicSteps(in)
	case accounting.Advanced:
		return advancedSteps(in)
	case accounting.AdvancedKOV:
		return advancedKOVSteps(in)
	case accounting.Optimal:
		return optimalSteps(b, in), math.NaN()
	case accounting.RDP, accounting.RDPPinned, accounting.RDPClassic:
		return renyiSteps(b, in)
	case accounting.ZCDP, accounting.ZCDPClassic:
		return concentratedSteps(b, in)
	case accounting.GDP:
		return gaussianSteps(b, in)
	case accounting.Numerical:
		return numericalSteps(b), math.NaN()
	}
	return nil, math.NaN()
}

func basicSteps(in inputs) ([]string, float64) {
	if !in.has("Σε") {
		return nil, math.NaN()
	}
	if !in.has("Σε(δᵢ)") {
		return []string{fmt.Sprintf("ε = Σε = %s", Figure(in["Σε"]))}, in["Σε"]
	}
	sum := in["Σε"] + in["Σε(δᵢ)"]
	return []string{fmt.Sprintf("ε = Σε + Σε(δᵢ) = %s + %s = %s", Figure(in["Σε"]), Figure(in["Σε(δᵢ)"]), Upper(sum))}, sum
}

func advancedSteps(in inputs) ([]string, float64) {
	if !in.has("δ′", "Σε²", "Σε(e^ε−1)") {
		return nil, math.NaN()
	}
	root, mean := spread(in), in["Σε(e^ε−1)"]
	return []string{
		fmt.Sprintf("√(2 ln(1/δ′)·Σε²) = √(2 · %s · %s) = %s", Figure(-math.Log(in["δ′"])), Figure(in["Σε²"]), Figure(root)),
		fmt.Sprintf("Σε(e^ε−1) = %s", Figure(mean)),
		fmt.Sprintf("ε = %s + %s = %s", Figure(root), Figure(mean), Upper(root+mean)),
	}, root + mean
}

// spread is √(2 ln(1/δ′)·Σε²).
func spread(in inputs) float64 { return math.Sqrt(-2 * math.Log(in["δ′"]) * in["Σε²"]) }

func advancedKOVSteps(in inputs) ([]string, float64) {
	if !in.has("δ′", "Σε", "Σε²", "Σε·tanh(ε/2)") {
		return nil, math.NaN()
	}
	sum, mean, squares := in["Σε"], in["Σε·tanh(ε/2)"], in["Σε²"]
	first := mean + spread(in)
	second := mean + math.Sqrt(2*squares*math.Log(math.E+math.Sqrt(squares)/in["δ′"]))
	least := math.Min(sum, math.Min(first, second))
	return []string{
		fmt.Sprintf("Σε = %s", Figure(sum)),
		fmt.Sprintf("Σε·tanh(ε/2) + √(2 ln(1/δ′)·Σε²) = %s + %s = %s", Figure(mean), Figure(spread(in)), Figure(first)),
		fmt.Sprintf("Σε·tanh(ε/2) + √(2Σε²·ln(e + √(Σε²)/δ′)) = %s + %s = %s", Figure(mean), Figure(second-mean), Figure(second)),
		fmt.Sprintf("ε = the smallest = %s", Upper(least)),
	}, least
}

func optimalSteps(b accounting.Bound, in inputs) []string {
	if !in.has("δ̂", "Σε") {
		return nil
	}
	if !(in["δ̂"] > 0) {
		return []string{fmt.Sprintf("with nothing of δ to spend only the largest possible loss counts: ε = Σε = %s", Upper(b.Epsilon))}
	}
	return []string{fmt.Sprintf("the smallest ε at which the sum over all signs of ±εᵢ is at most δ̂ = %s: ε = %s, below Σε = %s",
		Figure(in["δ̂"]), Upper(b.Epsilon), Figure(in["Σε"]))}
}

func renyiSteps(b accounting.Bound, in inputs) ([]string, float64) {
	if !in.has("α", "r(α)", "δ") {
		return nil, math.NaN()
	}
	alpha, r, delta := in["α"], in["r(α)"], in["δ"]
	if math.IsInf(alpha, 1) {
		return []string{fmt.Sprintf("ε = r(∞) = %s", Upper(r))}, r
	}
	if b.Method == accounting.RDPClassic {
		tail := -math.Log(delta) / (alpha - 1)
		return []string{
			fmt.Sprintf("ln(1/δ)/(α−1) = %s/%s = %s", Figure(-math.Log(delta)), Figure(alpha-1), Figure(tail)),
			fmt.Sprintf("ε = r(α) + ln(1/δ)/(α−1) = %s + %s = %s", Figure(r), Figure(tail), Upper(r+tail)),
		}, r + tail
	}
	return conversionSteps("r(α)", alpha, r, delta)
}

// conversionSteps is the tight conversion of a divergence r at order α.
func conversionSteps(name string, alpha, r, delta float64) ([]string, float64) {
	first := -math.Log1p(1 / (alpha - 1))
	second := -(math.Log(delta) + math.Log(alpha)) / (alpha - 1)
	sum := math.Max(0, r+first+second)
	return []string{
		fmt.Sprintf("ln((α−1)/α) = %s", Figure(first)),
		fmt.Sprintf("−(ln δ + ln α)/(α−1) = −(%s + %s)/%s = %s", Figure(math.Log(delta)), Figure(math.Log(alpha)), Figure(alpha-1), Figure(second)),
		fmt.Sprintf("ε = %s + ln((α−1)/α) − (ln δ + ln α)/(α−1) = %s − %s %s %s = %s", name, Figure(r), Figure(-first), sign(second), Figure(math.Abs(second)), Upper(sum)),
	}, sum
}

func sign(x float64) string {
	if x < 0 {
		return "−"
	}
	return "+"
}

func concentratedSteps(b accounting.Bound, in inputs) ([]string, float64) {
	if !in.has("ρ", "δ") {
		return nil, math.NaN()
	}
	rho, delta := in["ρ"], in["δ"]
	if b.Method == accounting.ZCDPClassic {
		tail := 2 * math.Sqrt(rho*-math.Log(delta))
		if rho == 0 {
			tail = 0
		}
		return []string{fmt.Sprintf("ε = ρ + 2√(ρ·ln(1/δ)) = %s + 2√(%s · %s) = %s",
			Figure(rho), Figure(rho), Figure(-math.Log(delta)), Upper(rho+tail))}, rho + tail
	}
	alpha, ok := in["α"]
	if !ok || math.IsInf(alpha, 1) {
		return nil, math.NaN()
	}
	lines, sum := conversionSteps("αρ", alpha, alpha*rho, delta)
	return append([]string{fmt.Sprintf("αρ = %s · %s = %s", Figure(alpha), Figure(rho), Figure(alpha*rho))}, lines...), sum
}

func gaussianSteps(b accounting.Bound, in inputs) ([]string, float64) {
	mu, ok := in["μ"]
	if !ok || !(mu > 0) {
		return nil, math.NaN()
	}
	e := b.Epsilon
	a, c := special.NormalCDF(mu/2-e/mu), math.Exp(e+special.LogNormalCDF(-mu/2-e/mu))
	return []string{
		fmt.Sprintf("Φ(μ/2 − ε/μ) = Φ(%s) = %s", Figure(mu/2-e/mu), Figure(a)),
		fmt.Sprintf("e^ε·Φ(−μ/2 − ε/μ) = e^%s · Φ(%s) = %s", Figure(e), Figure(-mu/2-e/mu), Figure(c)),
		fmt.Sprintf("their difference is δ = %s at ε = %s", Figure(accounting.GaussianToDelta(mu, e)), Upper(e)),
	}, math.NaN()
}

func numericalSteps(b accounting.Bound) []string {
	iv := b.Interval
	if iv == nil {
		return nil
	}
	lines := []string{fmt.Sprintf("%s ≤ ε ≤ %s, certified", Lower(b.Lower), Upper(b.Epsilon))}
	if iv.Form != "" {
		return append(lines, "a closed form was used: "+iv.Form)
	}
	if iv.Grid > 0 {
		lines = append(lines, fmt.Sprintf("grid of %d points, step %s; the worse direction is %s", iv.Grid, Figure(iv.Step), iv.Direction))
	}
	return append(lines, fmt.Sprintf("error budget in ε: grid %s, tail %s, wrap-around %s, round-off %s",
		Figure(iv.Budget.Grid), Figure(iv.Budget.Tail), Figure(iv.Budget.Wrap), Figure(iv.Budget.Roundoff)))
}
