package scenarios

import (
	"context"
	"math"

	"epsiloscope/accounting"
)

// entryCosts returns the cost of each entry under a privacy notion whose costs add up: the Rényi divergence
// at the order that gives the best bound on the whole stack; if a release has none, ρ of zCDP; then ε of
// basic composition; and if none of these applies, the cost of each entry by itself.
func entryCosts(c *pricedStack, r *Result) []float64 {
	alpha := 0.0
	if b, _ := r.Bound(accounting.RDP); b.Status == accounting.Valid {
		alpha = b.Alpha
	}
	currencies := []func(accounting.Release) (float64, error){
		func(x accounting.Release) (float64, error) { return x.Renyi(alpha) },
		accounting.Release.Concentrated,
		func(x accounting.Release) (float64, error) {
			epsilon, _, err := x.Approximate()
			return epsilon, err
		},
		func(x accounting.Release) (float64, error) { // all of the cost is in δ
			_, delta, err := x.Approximate()
			return delta, err
		},
	}
	if !(alpha > 1) {
		currencies = currencies[1:]
	}
	for _, price := range currencies {
		if costs, ok := costsUnderNotion(c.entries, price); ok {
			return costs
		}
	}
	return singleEntryCosts(c.entries, r.Target)
}

// costsUnderNotion prices every entry, if every release has a guarantee under the notion and something costs more than
// 0. Equal releases are priced once.
func costsUnderNotion(lines [][]accounting.Entry, price func(accounting.Release) (float64, error)) ([]float64, bool) {
	known := map[string]float64{}
	costs := make([]float64, len(lines))
	total := 0.0
	for i, line := range lines {
		for _, e := range line {
			key := accounting.KeyOf(e.Release)
			x, seen := known[key]
			if !seen {
				var err error
				if x, err = price(e.Release); err != nil || !(x >= 0) || math.IsInf(x, 1) {
					return nil, false
				}
				known[key] = x
			}
			costs[i] += x * e.Count
		}
		total += costs[i]
	}
	return costs, total > 0 && !math.IsInf(total, 1)
}

// singleEntryCosts returns the best closed-form bound of each entry by itself. These do not add up
// to the cost of the stack, but they rank the entries.
func singleEntryCosts(lines [][]accounting.Entry, target accounting.Target) []float64 {
	costs := make([]float64, len(lines))
	const most = 200 // for more entries this would take longer than the comparison itself
	for i, line := range lines {
		if i >= most || len(line) == 0 {
			continue
		}
		bounds := accounting.ClosedForms(context.Background(), line, target)
		if best := accounting.Best(bounds); best >= 0 {
			costs[i] = bounds[best].Epsilon
		}
	}
	return costs
}
