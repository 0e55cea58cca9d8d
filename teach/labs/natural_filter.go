package labs

import (
	"math"

	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
)

// naturalFilter: composing the losses of the releases made so far, and refusing a release
// that would exceed δ(ε), is not a filter (Tran, Räisä, Koskela & Honkela 2026). The true δ of
// the attack is computed by enumerating its outcomes.
var naturalFilter = Lab{
	Name: "natural-filter", Title: "A filter that is none", Paper: "Tran et al. 2026",
	Summary:   "an analyst chooses the last release by the outcome of the others: every path keeps δ, the whole does not",
	Adjacency: mechanisms.Replace, Unit: "person",
	Params: []param.Param{
		number("epsilon", "ε", "promised ε", 1, 0.01, 10),
		number("delta", "δ", "promised δ", 1e-6, 1e-12, 1e-3),
		whole("k", "k", "releases of randomized response before the chosen one", 8, 1, 64),
		whole("samples", "", "simulated sessions", 20_000, 100, 500_000),
	},
	run: runNaturalFilter,
}

// strategy is the analyst's strategy: after k answers of which j said "+", with loss l_j
// so far, one release that shows a rare output, of probability η_j and loss
// t_j = ε − l_j + 2ε/k, and otherwise reveals nearly nothing. η_j is the largest that the rule,
// which composes the releases made so far, allows.
type strategy struct {
	p       []float64 // probability of j
	rare    []float64 // η_j
	exceeds float64   // (1 − e^{ε−L})₊ at the rare output: 1 − e^{−2ε/k}
}

func chooseLast(epsilon, delta float64, k int) strategy {
	each := epsilon / float64(k)
	c := strategy{exceeds: -math.Expm1(-2 * each)}
	plus := 1 / (1 + math.Exp(-each))
	for j := range k + 1 {
		c.p = append(c.p, math.Exp(special.LogBinomial(float64(j), float64(k), plus)))
	}
	for j := range k + 1 {
		// The rule composes the k answers as if they had not been seen.
		sum := 0.0
		for i := j; i <= k; i++ {
			sum += c.p[i] * -math.Expm1(2*each*float64(j-i)-2*each)
		}
		c.rare = append(c.rare, math.Min(1, delta/sum))
	}
	return c
}

// delta returns the true δ(ε) of the whole session, over all outcomes.
func (c strategy) delta() float64 {
	sum := 0.0
	for j, p := range c.p {
		sum += p * c.rare[j] * c.exceeds
	}
	return sum
}

func runNaturalFilter(s *trial) {
	epsilon, delta, k, n := s.number("epsilon"), s.number("delta"), s.whole("k"), s.whole("samples")
	c := chooseLast(epsilon, delta, k)
	r := s.rand(0)
	plus := 1 / (1 + math.Exp(-epsilon/float64(k)))
	seen := 0.0
	for i := range n {
		s.reportProgress(i, n)
		j := 0
		for range k {
			if r.Float64() < plus {
				j++
			}
		}
		seen += c.rare[j] * c.exceeds / float64(n)
	}
	s.addFigure("true δ ÷ promised δ", c.delta()/delta, "listed outcome by outcome")
	s.addFigure("simulated", seen/delta, "mean over "+text(float64(n))+" sessions")
	table := Table{Title: "True δ ÷ promised δ by the number of releases before the chosen one", Columns: []string{"k", "ratio"}}
	var ks, ratios []float64
	for _, k := range []int{1, 2, 4, 8, 16, 32, 64} {
		ratio := chooseLast(epsilon, delta, k).delta() / delta
		ks, ratios = append(ks, float64(k)), append(ratios, ratio)
		table.Rows = append(table.Rows, Row{text(float64(k)), []float64{ratio}})
	}
	s.addTable(table)
	s.addChart(chart.Chart{Title: "True δ ÷ promised δ", X: chart.Axis{Label: "k", Log: true}, Y: chart.Axis{Label: "ratio"},
		Series: []chart.Series{{Name: "true ÷ promised", X: ks, Y: ratios}}, Marks: []chart.Mark{chart.Horizontal(1, "promised")}})
	s.addSentence("Every path keeps δ(ε) ≤ δ by its own composed losses; over all paths δ is %s times the promise.", text(c.delta()/delta))
	s.addSentence("The rule looks at answers that are known as if they were open: the analyst spends what the others would have cost.")
	s.addSentence("A filter adds up costs that are declared in advance: ρ, μ², one Rényi order, or a plan of releases that is fixed in advance.")
	s.addLeak(Leak{"the rare sign of the chosen release", epsilon, c.delta(), 0})
	s.refuseGuarantee("the last release was chosen by the outcomes of the others, and the rule that granted it is not a privacy filter: δ at ε = %s is %s times the promised %s",
		text(epsilon), text(c.delta()/delta), text(delta))
}
