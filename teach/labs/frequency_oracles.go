package labs

import (
	"math"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
)

// frequencyOracles: every local frequency oracle on the same people (Wang, Blocki, Li, Jha 2017).
var frequencyOracles = Lab{
	Name: "frequency-oracles", Title: "Frequency oracles side by side", Paper: "Wang, Blocki, Li, Jha 2017",
	Summary:   "how often each value occurs, estimated from randomized reports by six oracles: which errs least depends on the domain and ε",
	Adjacency: mechanisms.Replace, Unit: "person",
	Params: []param.Param{
		number("epsilon", "ε", "privacy loss of one report", 1, 0.1, 8),
		whole("domain", "k", "values a person may have", 32, 2, 256),
		whole("people", "n", "people who report", 2000, 100, 100_000),
		whole("runs", "", "how often the whole survey is run", 10, 2, 1000),
	},
	run: runFrequencyOracles,
}

func runFrequencyOracles(s *trial) {
	epsilon, k, n, runs := s.number("epsilon"), s.whole("domain"), s.whole("people"), s.whole("runs")
	// Values are as often as 1/rank: few are frequent, most are rare.
	values, shares := make([]int, n), make([]float64, k)
	weight, r := 0.0, s.rand(0)
	for v := range k {
		weight += 1 / float64(v+1)
	}
	for i := range values {
		left := r.Float64() * weight
		for left >= 1/float64(values[i]+1) && values[i] < k-1 {
			left -= 1 / float64(values[i]+1)
			values[i]++
		}
		shares[values[i]] += 1 / float64(n)
	}
	if s.isNeighbour() {
		values[0] = (values[0] + 1) % k
	}
	table := Table{Title: "Error of an estimated share, by oracle", Columns: []string{"oracle", "measured", "theory", "tells values apart"}}
	errs := chart.Chart{Title: "Error of a share, by the number of values", X: chart.Axis{Label: "values a person may have", Log: true}, Y: chart.Axis{Label: "standard deviation", Log: true}}
	ranks := spread(1, float64(k), k)
	var estimate, bestEstimate []float64 // of the shares, by the first survey
	best := ""
	least := math.Inf(1)
	for o, protocol := range mechanisms.Protocols() {
		f := mechanisms.Frequency{Protocol: protocol, Epsilon: epsilon, Domain: float64(k)}
		r, square := s.rand(uint64(o)+1), 0.0
		for run := range runs {
			counts := make([]float64, k)
			for i, v := range values {
				s.reportProgress((o*runs+run)*n+i, 6*runs*n)
				s.addReport(f, r, v, counts)
			}
			for v := range counts {
				counts[v] = f.EstimateShare(counts[v] / float64(n))
				s.publish(counts[v])
				square += (counts[v] - shares[v]) * (counts[v] - shares[v]) / float64(k*runs)
			}
			if run == 0 {
				estimate = counts
			}
		}
		theory := meanVariance(f) / float64(n)
		errs.Series = append(errs.Series, errorsByDomain(f, n))
		table.Rows = append(table.Rows, Row{string(protocol),
			[]float64{math.Sqrt(square), math.Sqrt(theory), f.Weight()}})
		if theory < least {
			best, least, bestEstimate = string(protocol), theory, estimate
		}
		s.spend("one report by "+string(protocol), f.Kind(), param.Values{
			"protocol": param.ChoiceValue(string(protocol)), "epsilon": param.NumberValue(epsilon),
			"domain": param.WholeValue(float64(k))}, 1)
	}
	s.addTable(table)
	errs.Marks = []chart.Mark{chart.Vertical(float64(k), "this survey")}
	s.addChart(errs)
	s.addChart(chart.Chart{Title: "Shares of one survey, estimated by " + best, X: chart.Axis{Label: "value, by rank"}, Y: chart.Axis{Label: "share"}, Series: []chart.Series{
		{Name: "estimate", X: ranks, Y: bestEstimate}, {Name: "true", X: ranks, Y: shares, Step: true}}})
	grr := mechanisms.Frequency{Protocol: mechanisms.GRR, Epsilon: epsilon, Domain: float64(k)}
	s.addFigure("least error", math.Sqrt(least), "by "+best)
	s.addFigure("largest share", shares[0], "of the most frequent value")
	s.addFigure("grr is best below", 3*math.Exp(epsilon)+2, "values, of the oracles without subset selection")
	s.addSentence("Each person sends one report per oracle; all six have ε = %s. With %s values the least error has %s: a standard deviation of %s per share.", upperText(epsilon), text(float64(k)), best, text(math.Sqrt(least)))
	s.addSentence("A report tells two given values apart only sometimes, and shows when it does: over many reports that costs less than as many bits of ε = %s.", upperText(epsilon))
	s.oracleLeak(grr, 200*n)
}

// meanVariance returns the variance of an estimated share times the number of people, on average over the values. It is
// the variance over the coins of the oracle, for fixed answers of the people.
func meanVariance(f mechanisms.Frequency) float64 {
	return (f.Variance(1) + (f.Domain-1)*f.Variance(0)) / f.Domain
}

// errorsByDomain returns the standard deviation of a share that n people report, for domains of 2 to 256 values.
func errorsByDomain(f mechanisms.Frequency, n int) chart.Series {
	curve := chart.Series{Name: string(f.Protocol)}
	for f.Domain = 2; f.Domain <= 256; f.Domain = math.Ceil(f.Domain * 1.05) {
		curve.X, curve.Y = append(curve.X, f.Domain), append(curve.Y, math.Sqrt(meanVariance(f)/float64(n)))
	}
	return curve
}

// oracleLeak measures an attack on one report of randomized response: it says value 0 for a person
// who has it, or for one who has value 1.
func (s *trial) oracleLeak(grr mechanisms.Frequency, reports int) {
	r, at, said := s.rand(99), grr.Epsilon/2, [2]float64{}
	for w := range said {
		for i := range reports {
			s.reportProgress(i, reports)
			counts := make([]float64, int(grr.Domain))
			grr.AddReport(r, w, counts)
			said[w] += counts[0] / float64(reports)
		}
	}
	deviation := math.Sqrt((said[0]*(1-said[0]) + math.Exp(2*at)*said[1]*(1-said[1])) / float64(reports))
	s.addLeak(Leak{"a report by grr of the value 0, of a person with that value against one with another", at, said[0] - math.Exp(at)*said[1], deviation})
}
