package labs

import (
	"context"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
)

// laplaceCounts: m counting queries on n rows inside one budget, with the per-query
// ε set by three theorems.
var laplaceCounts = Lab{
	Name: "laplace-counts", Title: "How many counts?", Decks: "Bassi, Gaboardi",
	Summary: "m counting queries on n rows: the error each theorem leaves, against m and against the sampling error",
	Params: []mechanisms.Param{
		number("epsilon", "ε", "total budget", 1, 1e-3, 100),
		number("delta", "δ", "total δ", 1e-6, 1e-30, 0.5),
		whole("queries", "m", "counting queries", 100, 1, 1_000_000),
		whole("rows", "n", "rows in the data", 10_000, 1, 1_000_000_000),
	},
	run: runLaplaceCounts,
}

func runLaplaceCounts(s *trial) error {
	epsilon, delta, n := s.number("epsilon"), s.number("delta"), s.number("rows")
	m := s.whole("queries")
	methods := []struct {
		name  string
		split func(k float64) float64
	}{
		{"basic", func(k float64) float64 { return epsilon / k }},
		{"advanced", func(k float64) float64 { return s.largest(accounting.Advanced, epsilon, delta, k) }},
		{"exact split", func(k float64) float64 { return s.largest(accounting.Optimal, epsilon, delta, k) }},
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
		table.Rows = append(table.Rows, Row{method.name, []float64{each, 1 / each, noise.MeanAbs(), seen / float64(m), noise.Quantile(0.975)}})
	}
	s.table(table)
	exact := table.Rows[2].Values
	s.figure("ε each, exact", exact[0], "largest ε₀ whose m-fold optimal composition stays within the budget")
	s.figure("sampling error of a share", 1/math.Sqrt(n), "1/√n: two standard deviations of a share of n rows, at worst")
	s.say("With %d counts the basic split leaves ±%s on each, the exact one ±%s.", m, text(table.Rows[0].Values[4]), text(exact[4]))

	ks := logSpread(1, math.Max(10, 10*float64(m)), 40)
	plot := Plot{
		Title: "Expected error against the number of queries", XLabel: "queries m", YLabel: "error, share of n", XLog: true, YLog: true,
		Lines: []Line{horizontal(1/math.Sqrt(n), "sampling error"), vertical(float64(m), "m")},
	}
	for i, method := range methods {
		series := Series{Name: method.name, X: ks}
		for j, k := range ks {
			if err := s.step(i*len(ks)+j, len(methods)*len(ks)); err != nil {
				return err
			}
			series.Y = append(series.Y, 1/method.split(math.Round(k))/n)
		}
		plot.Series = append(plot.Series, series)
	}
	s.plot(plot)
	s.spend("counts", "laplace", epsilonValue(exact[0]), float64(m))
	return nil
}

// largest is the largest ε₀ of which k copies cost at most epsilon at delta under the
// method.
func (s *trial) largest(method accounting.Method, epsilon, delta, k float64) float64 {
	found, err := accounting.Solve(s.ctx, accounting.Search{
		Low: epsilon / k / 1e6, High: epsilon, Start: epsilon / k, Rising: true,
		Cost: func(ctx context.Context, each float64) (float64, error) {
			stack := []accounting.Entry{{Release: accounting.PureDP(each), Count: k}}
			return accounting.Evaluate(ctx, method, stack, accounting.Target{Delta: delta}).Epsilon, nil
		},
	}, epsilon)
	if err != nil {
		return 0
	}
	return found.Value
}
