package chart

import (
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/report/curve"
)

// Renyi is the Rényi curve of the stack and, where there is a δ, the ε that each
// order α gives by the tight and by the classic conversion. The optimum and a
// pinned order are marked.
var Renyi = Kind{"renyi", "ε(α) and the Rényi curve: against the Rényi order α", "", false, renyi}

func renyi(v *view) (Chart, error) {
	stack, err := v.releases()
	if err != nil {
		return Chart{}, err
	}
	target := v.target()
	best := accounting.Evaluate(v, accounting.RDP, stack, target)
	whole := accounting.Composite(stack)
	var failed error
	divergence := func(alpha float64) float64 {
		r, err := whole.Renyi(alpha)
		if err != nil {
			failed = fmt.Errorf("there is no Rényi curve: %w", err)
		}
		return r
	}
	low, high := orderRange(best, v.Alpha)
	first := v.points()
	if target.Delta > 0 { // the others lie where the picture is
		first = max(min(2, first), first/2)
	}
	alphas := ordersBetween(low, high, first)
	if v.Alpha > 1 {
		alphas = append(alphas, v.Alpha)
	}
	if best.Finite() && !math.IsInf(best.Alpha, 1) && best.Alpha > 1 {
		alphas = append(alphas, best.Alpha)
	}
	tightAt := func(alpha float64) float64 { return accounting.RenyiToEpsilon(alpha, divergence(alpha), target.Delta) }
	if target.Delta > 0 {
		low, high = ordersOfInterest(v, curve.SortDistinct(alphas), tightAt, best.Alpha, v.Alpha)
		alphas = append(alphas, ordersBetween(low, high, v.points()-first)...)
	}
	alphas = curve.SortDistinct(alphas)
	loss := v.valuesOver(alphas, divergence)
	if failed != nil {
		return Chart{}, failed
	}
	tight, classic := gaps(len(alphas)), gaps(len(alphas))
	for i, alpha := range alphas {
		tight[i] = accounting.RenyiToEpsilon(alpha, loss[i], target.Delta)
		classic[i] = accounting.RenyiToEpsilonClassic(alpha, loss[i], target.Delta)
	}
	c := Chart{
		Title:  "ε(α) and the Rényi curve",
		X:      Axis{Label: "α", Log: true},
		Y:      Axis{Label: "ε", Min: 0, Max: unset, Upper: true},
		Series: []Series{{Name: "r(α)", X: alphas, Y: loss, Faint: true, Other: true}},
	}
	if target.Delta <= 0 {
		c.Y = Axis{Label: "r(α)", Log: true, Upper: true}
		c.Notes = append(c.Notes, "without a δ the curve cannot be turned into an ε")
		return c, nil
	}
	c.Title = fmt.Sprintf("ε(α) and the Rényi curve at δ = %s", report.FormatGiven(target.Delta))
	c.Series = append(c.Series, Series{Name: renyiTight, X: alphas, Y: tight},
		Series{Name: renyiClassic, X: alphas, Y: classic})
	c.Rivals = true // the two conversions of the divergence
	c.X.Min, c.X.Max = low, high
	if best.Finite() && best.Epsilon > 0 {
		c.Y.Max = maxScaleMultiple * best.Epsilon
	}
	c.markOrders(best, v.Alpha, target, whole)
	c.MarkBudget(v.Budget.Epsilon)
	return c, nil
}

func (c *Chart) markOrders(best accounting.Bound, pinned float64, target accounting.Target, whole accounting.Release) {
	switch {
	case !best.Finite():
		c.Notes = append(c.Notes, best.Note)
	case math.IsInf(best.Alpha, 1):
		c.Notes = append(c.Notes, fmt.Sprintf("the best order is α = ∞: ε = %s", report.Upper(best.Epsilon)))
	default:
		c.Read = best.Alpha
		c.Marks = append(c.Marks, Mark{X: best.Alpha, Y: best.Epsilon,
			Label: fmt.Sprintf("best α = %s: ε = %s", report.Nearest(best.Alpha), report.Upper(best.Epsilon))})
	}
	if pinned <= 1 {
		return
	}
	c.Read = pinned
	if r, err := whole.Renyi(pinned); err == nil && !math.IsInf(r, 1) {
		epsilon := accounting.RenyiToEpsilon(pinned, r, target.Delta)
		c.Marks = append(c.Marks, Mark{X: pinned, Y: epsilon,
			Label: fmt.Sprintf("pinned α = %s: ε = %s", report.Short(pinned), report.Upper(epsilon))})
	}
}

// ordersBetween returns n orders from low to high whose α − 1 grow by a factor.
func ordersBetween(low, high float64, n int) []float64 {
	return curve.ValuesOver(curve.LogSpace(low-1, high-1, n), func(x float64) float64 { return 1 + x })
}

// ordersOfInterest returns the ends of the axis of α: the orders whose ε is at most five times the least, up to five
// times the best order, and the pinned one. If the best order is infinite, it ends soon after ε has come within a per
// cent of its least.
func ordersOfInterest(v *view, alphas []float64, epsilonAt func(alpha float64) float64,
	best, pinned float64) (low, high float64) {
	epsilons, least := v.valuesOver(alphas, epsilonAt), math.Inf(1)
	for _, e := range epsilons {
		least = math.Min(least, e)
	}
	first, last := 0, len(alphas)-1
	for first < last && !(epsilons[first] <= maxScaleMultiple*least) {
		first++
	}
	for last > first && !(epsilons[last] <= maxScaleMultiple*least) {
		last--
	}
	// between an order outside and its neighbour inside, to a few per cent of α − 1
	endBetween := func(outside, inside float64) float64 {
		for range 5 {
			middle := 1 + math.Sqrt((outside-1)*(inside-1))
			if epsilonAt(middle) <= maxScaleMultiple*least {
				inside = middle
			} else {
				outside = middle
			}
		}
		return outside
	}
	low, high = alphas[first], alphas[last]
	if first > 0 {
		low = endBetween(alphas[first-1], low)
	}
	if last < len(alphas)-1 {
		high = endBetween(alphas[last+1], high)
	}
	if math.IsInf(best, 1) {
		for i := last; i > first && epsilons[i] <= 1.01*least; i-- {
			high = math.Min(alphas[last], 3*alphas[i])
		}
	} else if best > 1 {
		high = math.Min(high, maxScaleMultiple*best)
	}
	if pinned > 1 {
		low, high = math.Min(low, pinned), math.Max(high, pinned)
	}
	return low, high
}

// orderRange returns the range of α to show: two decades of α−1 and more on either side of the
// optimum, and the pinned order within.
func orderRange(best accounting.Bound, pinned float64) (low, high float64) {
	low, high = 1.01, 1000
	if best.Finite() && best.Alpha > 1 && !math.IsInf(best.Alpha, 1) {
		low, high = 1+(best.Alpha-1)/500, 1+(best.Alpha-1)*50
	}
	if best.Finite() && math.IsInf(best.Alpha, 1) {
		high = 1e6
	}
	if pinned > 1 {
		low, high = math.Min(low, 1+(pinned-1)/2), math.Max(high, 1+(pinned-1)*2)
	}
	return math.Max(low, 1+1e-9), math.Min(high, 1e9)
}
