package chart

import (
	"fmt"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/curve"
)

// Tradeoff is an attacker's smallest type II error against its type I error: how
// well anybody can tell two neighbouring data sets apart, from the profiles.
var Tradeoff = Kind{"tradeoff", "an attacker's two errors against each other", true, tradeoff}

func tradeoff(v *view) (Chart, error) {
	set, err := v.profiles()
	if err != nil {
		return Chart{}, err
	}
	xs := curve.SortedDistinct(append(curve.LineSpace(0, 1, v.points()), curve.LogSpace(1e-6, 0.01, 13)...))
	c := Chart{
		Title: "an attacker's two errors",
		X:     Axis{Label: "false alarms (type I error)", Min: 0, Max: 1},
		Y:     Axis{Label: "misses (type II error)", Min: 0, Max: 1, Lower: true},
		Notes: set.notes, Rivals: true,
	}
	mu, gaussian := curve.GaussianSum(set.stack)
	known := func(p methodCurve) func(epsilon float64) float64 { // nothing is promised where a theorem has no δ
		return func(epsilon float64) float64 {
			if d := p.At(epsilon); d < 1 {
				return d
			}
			return 1
		}
	}
	for _, p := range untilDone(v, set.curves) {
		at := func(x float64) float64 { return accounting.TradeOff(known(p), x) }
		if p.method == accounting.GDP && gaussian {
			at = func(x float64) float64 { return accounting.GaussianTradeOff(mu, x) }
		}
		ys := curve.ValuesOver(xs, at)
		if p.method == accounting.Numerical {
			// The certified trade-off function itself, as the sentences for a person have it.
			certified, err := accounting.TypeIIErrors(v, set.stack, xs, v.target().Precision)
			if err != nil {
				return Chart{}, err
			}
			for i, y := range certified {
				ys[i] = math.Max(ys[i], y)
			}
		}
		c.Series = append(c.Series, Series{Name: string(p.method), X: xs, Y: ys})
	}
	c.Series = append(c.Series, Series{Name: "guessing", X: xs, Y: curve.ValuesOver(xs, func(x float64) float64 { return 1 - x }), Faint: true})
	if v.Numerical && v.wants(accounting.Numerical) {
		if err := v.addAttack(&c, xs); err != nil {
			return Chart{}, err
		}
	}
	best, least := set.curves[0], math.Inf(1)
	for _, p := range set.curves {
		if d := known(p)(0); d < least {
			best, least = p, d
		}
	}
	c.Notes = slices.Insert(c.Notes, 0, fmt.Sprintf("guessing between two neighbours at even odds, an attacker is right at most %s of the time (%s)",
		report.Chance((1+least)/2), best.method.Name()))
	return c, nil
}
