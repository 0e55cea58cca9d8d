package labs

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mathext"

	"epsiloscope/accounting"
	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
)

// laplaceCounts: m counting queries on n rows inside one budget, with the per-query
// ε set by three theorems.
var laplaceCounts = Lab{
	Name: "laplace-counts", Title: "How many counts?", Decks: "Bassi, Gaboardi",
	Summary:   "m counting queries on n rows: the error each theorem leaves, against m and against the sampling error",
	Adjacency: mechanisms.AddRemove, Unit: "person",
	Params: []param.Param{
		number("epsilon", "ε", "total budget", 1, 1e-3, 100),
		number("delta", "δ", "total δ", 1e-6, 1e-30, 0.5),
		whole("queries", "m", "counting queries", 100, 1, 1_000_000),
		whole("rows", "n", "rows in the data", 10_000, 1, 1_000_000_000),
		whole("kinds", "|X|", "kinds of rows, for answers that are all made of one histogram", 32, 2, 4096),
	},
	run: runLaplaceCounts,
}

func runLaplaceCounts(s *trial) {
	epsilon, delta, n := s.number("epsilon"), s.number("delta"), s.number("rows")
	m := s.whole("queries")
	methods := []struct {
		name  string
		split func(k float64) float64
	}{
		{"basic", func(k float64) float64 { return epsilon / k }},
		{"advanced", func(k float64) float64 { return s.largestEpsilon(accounting.Advanced, epsilon, delta, k) }},
		{"exact split", func(k float64) float64 { return s.largestEpsilon(accounting.Optimal, epsilon, delta, k) }},
	}
	r := s.rand(0)
	table := Table{Title: "Error of one count", Columns: []string{"split by", "ε each", "scale", "expected error", "seen on average", "95 %"}}
	for _, method := range methods {
		each := method.split(float64(m))
		noise := mechanisms.Laplace{Epsilon: each, Sensitivity: 1}.Noise()
		seen := 0.0
		for range m {
			seen += math.Abs(noise.Rand(r))
		}
		if method.name == "exact split" {
			s.addLeak(Leak{"one noisy count below its value plus ½, against a neighbour whose count is larger by 1", 0, noise.CDF(0.5) - noise.CDF(-0.5), 0})
		}
		table.Rows = append(table.Rows, Row{method.name,
			[]float64{each, 1 / each, 1 / each, seen / float64(m), noise.Quantile(0.975)}})
	}
	table.Rows = append(table.Rows, s.oneHistogram(epsilon, m))
	s.addTable(table)
	exact, together := table.Rows[2].Values, table.Rows[3].Values
	s.addFigure("ε each, exact", exact[0], "largest ε₀ whose m-fold optimal composition stays within the budget")
	s.addFigure("sampling error of a share", 1/math.Sqrt(n), "1/√n: two standard deviations of a share of n rows, at worst")
	for i, by := range []accounting.Method{accounting.Basic, accounting.Advanced, accounting.Optimal} {
		s.addFigure("queries below it, "+methods[i].name, s.maxQueries(by, 1/math.Sqrt(n), epsilon, delta), "with noise of the size of the sampling error, ε₀ = 1/√n each")
	}
	s.addSentence("With %d counts the basic split leaves ±%s on each, the exact one ±%s.", m, text(table.Rows[0].Values[4]), text(exact[4]))
	s.addSentence("Coordinated noise: a histogram of the %d kinds has sensitivity 1, and every count is a sum of its cells. That leaves ±%s on a count of half of them, for any number of counts.",
		s.whole("kinds"), text(together[4]))

	ks := logSpread(1, math.Max(10, 10*float64(m)), 40)
	plot := chart.Chart{
		Title: "Expected error against the number of queries", X: chart.Axis{Label: "queries m", Log: true}, Y: chart.Axis{Label: "error, share of n", Log: true},
		Marks: []chart.Mark{chart.Horizontal(1/math.Sqrt(n), "sampling error"), chart.Vertical(float64(m), "m")},
	}
	for i, method := range methods {
		series := chart.Series{Name: method.name, X: ks}
		for j, k := range ks {
			s.reportProgress(i*len(ks)+j, len(methods)*len(ks))
			series.Y = append(series.Y, 1/method.split(math.Round(k))/n)
		}
		plot.Series = append(plot.Series, series)
	}
	plot.Series = append(plot.Series, chart.Series{Name: "one histogram", X: ks,
		Y: mapEach(ks, func(float64) float64 { return together[2] / n })})
	s.addChart(plot)
	s.spendLaplace("counts, by the exact split", mechanisms.Laplace{Epsilon: exact[0], Sensitivity: 1}, float64(m))
}

// maxQueries returns how many releases of each fit within epsilon at delta under the method.
func (s *trial) maxQueries(method accounting.Method, each, epsilon, delta float64) float64 {
	return s.largestFitting(accounting.Search{Low: 1, High: 1 << 30, Whole: true}, method, epsilon*(1+1e-12), delta,
		func(k float64) accounting.Entry { return accounting.Entry{Release: accounting.PureDP(each), Count: k} })
}

// largestEpsilon returns the largest ε₀ such that k copies cost at most epsilon at delta under the method.
func (s *trial) largestEpsilon(method accounting.Method, epsilon, delta, k float64) float64 {
	return s.largestFitting(accounting.Search{Low: epsilon / k / 1e6, High: epsilon, Start: epsilon / k},
		method, epsilon, delta,
		func(each float64) accounting.Entry {
			return accounting.Entry{Release: accounting.PureDP(each), Count: k}
		})
}

// largestFitting returns the largest x for which the entry costs at most epsilon; 0 if there is none.
func (s *trial) largestFitting(search accounting.Search, method accounting.Method, epsilon, delta float64,
	of func(x float64) accounting.Entry) float64 {
	search.Rising = true
	search.Cost = func(ctx context.Context, x float64) (float64, error) {
		return accounting.Evaluate(ctx, method, []accounting.Entry{of(x)}, accounting.Target{Delta: delta}).Epsilon, nil
	}
	found, err := accounting.Solve(s.ctx, search, epsilon)
	if err != nil || !found.Feasible {
		return 0
	}
	return found.Value
}

// oneHistogram answers m counts of half of the kinds from one noisy histogram: their
// noises are sums of the same cells, not independent.
func (s *trial) oneHistogram(epsilon float64, m int) Row {
	noise := mechanisms.Laplace{Epsilon: epsilon, Sensitivity: 1}.Noise()
	r, kinds := s.rand(1), s.whole("kinds")
	half := kinds / 2
	sum := func(cells []float64) (total float64) {
		for _, x := range cells[:half] {
			total += x
		}
		return math.Abs(total)
	}
	cells := make([]float64, kinds)
	for i := range cells {
		cells[i] = noise.Rand(r)
	}
	seen := 0.0
	for range m {
		r.Shuffle(kinds, func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		seen += sum(cells) / float64(m)
	}
	return Row{"one histogram", []float64{epsilon, 1 / epsilon, meanAbsSum(half) / epsilon, seen,
		absSumQuantile(half, 0.95) / epsilon}}
}

// meanAbsSum returns E|X| for a sum of k Laplace variables of scale 1, the difference of two
// Gamma(k) ones: 2k·C(2k, k)/4^k.
func meanAbsSum(k int) float64 {
	all, _ := math.Lgamma(2*float64(k) + 1)
	one, _ := math.Lgamma(float64(k) + 1)
	return 2 * float64(k) * math.Exp(all-2*one-2*float64(k)*math.Ln2)
}

// absSumQuantile returns a quantile of |X| for the sum X of k Laplace variables of scale 1: |X| is Gamma(k−j) with
// probability C(k−1+j, j)/2^(k−1+j), j < k.
func absSumQuantile(k int, p float64) float64 {
	_, above := special.Bisect(0, 12*math.Sqrt(float64(k)), 1e-9, func(x float64) bool {
		beyond := 0.0
		for j := range k {
			n := float64(k - 1 + j)
			beyond += math.Exp(special.LogChoose(n, float64(j))-n*math.Ln2) * mathext.GammaIncRegComp(float64(k-j), x)
		}
		return beyond > 1-p
	})
	return above
}
