package accounting

import (
	"fmt"
	"math"
	"slices"

	"epsiloscope/accounting/special"
)

// Numbers are all numbers the bound was computed from: its inputs, then those of the best
// runs. Where there are several of these, each symbol has the number of its selection.
func (b Bound) Numbers() []Quantity {
	list := slices.Clone(b.Inputs)
	for i, run := range b.BestRuns {
		mark := b.selection(i)
		for _, q := range run {
			if mark != "" {
				q.Symbol, q.Meaning = q.Symbol+mark, q.Meaning+"; selection"+mark
			}
			list = append(list, q)
		}
	}
	return list
}

// selection tells the best runs of several selections apart.
func (b Bound) selection(i int) string {
	if len(b.BestRuns) == 1 {
		return ""
	}
	return fmt.Sprintf(" #%d", i+1)
}

// bestRuns are the inputs of every entry that keeps the best of several runs.
func bestRuns(entries []Entry, alpha float64) (list [][]Quantity) {
	for _, e := range entries {
		if b, ok := behind[*bestOf](e.Release); ok {
			list = append(list, b.inputs(alpha))
		}
	}
	return list
}

// inputs are what the divergence at an order is made of; [bestRunSteps] puts them together.
func (b *bestOf) inputs(alpha float64) []Quantity {
	order, _ := b.best()
	order = math.Max(order, alpha)
	if !(b.at(order) < curveOf(b.Release)(alpha)) {
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
		Quantity{"γ", math.Exp(-b.runs.logInverse()), "parameter of the number of runs with that mean and shape"},
		Quantity{"λ", lambda, "order of the term that does not depend on α"},
		Quantity{"r₁(λ)", at, "Rényi divergence of one run at order λ"})
}

// bestRunSteps writes out the divergence of each best run.
func bestRunSteps(b Bound, w Writing) (lines []string) {
	for i, run := range b.BestRuns {
		in := inputsOf(run)
		if !in.has("m", "α₁", "r₁(α₁)") {
			continue // its pure ε is smaller
		}
		name := "best run" + b.selection(i) + " (Papernot & Steinke 2022)"
		m, r, order := in["m"], in["r₁(α₁)"], in["α₁"]
		more := special.Log(m) / (order - 1)
		if in.has("δ₁") {
			runs := m * in["δ₁"]
			lines = append(lines, fmt.Sprintf("%s: r₁(α₁) + m·δ₁ + ln(m)/(α₁−1) = %s + %s + %s/%s = %s", name,
				w.Figure(r), w.Figure(runs), w.Figure(special.Log(m)), w.Figure(order-1), w.Figure(r+runs+more)))
			continue
		}
		lambda, factor := in["λ"], 1+in["η"]
		first, second := (1-1/lambda)*in["r₁(λ)"], -special.Log(in["γ"])/lambda
		lines = append(lines,
			fmt.Sprintf("(1−1/λ)·r₁(λ) + ln(1/γ)/λ = %s + %s = %s", w.Figure(first), w.Figure(second), w.Figure(first+second)),
			fmt.Sprintf("%s: r₁(α₁) + (1+η)·that + ln(m)/(α₁−1) = %s + %s·%s + %s/%s = %s", name, w.Figure(r), w.Figure(factor), w.Figure(first+second),
				w.Figure(special.Log(m)), w.Figure(order-1), w.Figure(r+factor*(first+second)+more)))
	}
	return lines
}
