package accounting

import (
	"fmt"
	"math"
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/special"
)

// bestRuns are the inputs of every entry that keeps the best of several runs. Where there are
// several such entries, each symbol has the number of its selection.
func bestRuns(entries []Entry, alpha float64) (list []Quantity) {
	var runs [][]Quantity
	for _, e := range entries {
		if b, ok := unwrapAs[*bestOf](e.Release); ok {
			runs = append(runs, b.inputs(alpha))
		}
	}
	for i, run := range runs {
		for _, q := range run {
			if mark := fmt.Sprintf(" #%d", i+1); len(runs) > 1 {
				q.Symbol, q.Meaning = q.Symbol+mark, q.Meaning+"; selection"+mark
			}
			list = append(list, q)
		}
	}
	return list
}

// inputs are what the divergence at an order is made of; [bestRunSteps] puts them together.
func (b *bestOf) inputs(alpha float64) []Quantity {
	order, _ := b.best()
	order = math.Max(order, alpha)
	if !(b.renyiBound(order) < curveOf(b.Release)(alpha)) {
		epsilon, _, _ := b.Approximate()
		return []Quantity{{"(2+η)·ε₁", epsilon, "pure ε of the best run, ε₁ being that of one run"}}
	}
	r, _ := b.inner.Renyi(order)
	list := []Quantity{
		{"m", b.runs.Mean, "runs on average, of which the best is kept"},
		{"α₁", order, "order at which the best run is bounded, α or above"},
		{"r₁(α₁)", r, "Rényi divergence of one run at that order"},
	}
	if b.runs.Poisson {
		delta, _ := b.inner.Profile(math.Log1p(1 / (order - 1)))
		return append(list, Quantity{"δ₁", delta, "δ of one run at ε = ln(1 + 1/(α₁−1))"})
	}
	lambda, _ := b.constant()
	at, _ := b.inner.Renyi(lambda)
	return append(list,
		Quantity{"η", b.runs.Shape, "shape of the number of runs"},
		Quantity{"γ", b.runs.Gamma(), "parameter of the number of runs with that mean and shape"},
		Quantity{"λ", lambda, "order of the term that does not depend on α"},
		Quantity{"r₁(λ)", at, "Rényi divergence of one run at order λ"})
}

// bestRunSteps writes out the divergence of each best run; there is nothing to write where its
// pure ε is smaller.
func bestRunSteps(b Bound) (lines []string) {
	in := inputsOf(b.Inputs)
	for _, q := range b.Inputs {
		mark, ok := strings.CutPrefix(q.Symbol, "m")
		if !ok {
			continue
		}
		name := "best run" + mark + " (Papernot & Steinke 2022)"
		m, r, order := q.Value, in["r₁(α₁)"+mark], in["α₁"+mark]
		more := special.Log(m) / (order - 1)
		if in.has("δ₁" + mark) {
			runs := m * in["δ₁"+mark]
			lines = append(lines, fmt.Sprintf("%s: r₁(α₁) + m·δ₁ + ln(m)/(α₁−1) = %s + %s + %s/%s = %s", name,
				numeral.Figure(r), numeral.Figure(runs), numeral.Figure(special.Log(m)), numeral.Figure(order-1), numeral.Figure(r+runs+more)))
			continue
		}
		lambda, factor := in["λ"+mark], 1+in["η"+mark]
		first, second := (1-1/lambda)*in["r₁(λ)"+mark], -special.Log(in["γ"+mark])/lambda
		lines = append(lines,
			fmt.Sprintf("(1−1/λ)·r₁(λ) + ln(1/γ)/λ = %s + %s = %s", numeral.Figure(first), numeral.Figure(second), numeral.Figure(first+second)),
			fmt.Sprintf("%s: r₁(α₁) + (1+η)·that + ln(m)/(α₁−1) = %s + %s·%s + %s/%s = %s", name, numeral.Figure(r), numeral.Figure(factor), numeral.Figure(first+second),
				numeral.Figure(special.Log(m)), numeral.Figure(order-1), numeral.Figure(r+factor*(first+second)+more)))
	}
	return lines
}
