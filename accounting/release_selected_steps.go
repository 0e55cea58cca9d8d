package accounting

import (
	"fmt"
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/special"
)

// bestRuns returns the inputs of every entry that keeps the best of several runs. If there are
// several such entries, each input has the number of its selection.
func bestRuns(entries []Entry, alpha float64) (list []Quantity) {
	var runs [][]Quantity
	for _, e := range entries {
		if b, ok := unwrapAs[*bestOf](e.Release); ok {
			runs = append(runs, b.inputs(alpha))
		}
	}
	for i, run := range runs {
		for _, q := range run {
			if len(runs) > 1 {
				q.Selection, q.Meaning = i+1, fmt.Sprintf("%s; selection #%d", q.Meaning, i+1)
			}
			list = append(list, q)
		}
	}
	return list
}

// inputs returns the quantities that the divergence at an order is computed from; [bestRunSteps]
// puts them together.
func (b *bestOf) inputs(alpha float64) []Quantity {
	order, _ := b.best()
	order = math.Max(order, alpha)
	if !(b.renyiBound(order) < curveOf(b.Release)(alpha)) {
		epsilon, _, _ := b.Approximate()
		return []Quantity{quantity("(2+η)·ε₁", epsilon, "pure ε of the best run, ε₁ being that of one run")}
	}
	r, _ := b.inner.Renyi(order)
	list := []Quantity{
		quantity("m", b.runs.Mean, "runs on average, of which the best is kept"),
		quantity("α₁", order, "order at which the best run is bounded, α or above").withRounding(RoundNearest),
		quantity("r₁(α₁)", r, "Rényi divergence of one run at that order").withRounding(RoundNearest),
	}
	if b.runs.Poisson {
		delta, _ := b.inner.Profile(math.Log1p(1 / (order - 1)))
		return append(list, quantity("δ₁", delta, "δ of one run at ε = ln(1 + 1/(α₁−1))"))
	}
	lambda, _ := b.constant()
	at, _ := b.inner.Renyi(lambda)
	return append(list,
		quantity("η", b.runs.Shape, "shape of the number of runs"),
		quantity("γ", b.runs.Gamma(), "parameter of the number of runs with that mean and shape"),
		quantity("λ", lambda, "order of the term that does not depend on α").withRounding(RoundNearest),
		quantity("r₁(λ)", at, "Rényi divergence of one run at order λ").withRounding(RoundNearest))
}

// bestRunSteps writes out the divergence of each best run; there is nothing to write where its
// pure ε is smaller.
func bestRunSteps(b Bound) (lines []string) {
	for _, q := range b.Inputs {
		if q.Symbol != "m" {
			continue
		}
		in := inputsOf(b.Inputs, q.Selection)
		name := "best run (Papernot & Steinke 2022)"
		if q.Selection > 0 {
			name = fmt.Sprintf("best run #%d (Papernot & Steinke 2022)", q.Selection)
		}
		m, r, order := q.Value, in["r₁(α₁)"], in["α₁"]
		more := special.Log(m) / (order - 1)
		if in.has("δ₁") {
			runs := m * in["δ₁"]
			_, sum := numeral.Sum(r+runs+more, r, runs, more)
			lines = append(lines, name+": r₁(α₁) + m·δ₁ + ln(m)/(α₁−1) = "+sum)
			continue
		}
		lambda, factor := in["λ"], 1+in["η"]
		first, second := (1-1/lambda)*in["r₁(λ)"], -special.Log(in["γ"])/lambda
		_, constant := numeral.Sum(first+second, first, second)
		_, sum := numeral.Sum(r+factor*(first+second)+more, r, factor*(first+second), more)
		lines = append(lines,
			"(1−1/λ)·r₁(λ) + ln(1/γ)/λ = "+constant,
			name+": r₁(α₁) + (1+η)·that + ln(m)/(α₁−1) = "+sum)
	}
	return lines
}
