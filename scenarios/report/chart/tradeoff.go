package chart

import (
	"context"
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/curve"
)

// Tradeoff is an attacker's smallest type II error against its type I error: how
// well anybody can tell two neighbouring data sets apart, from the profiles.
func Tradeoff(ctx context.Context, s *scenarios.Scenario, opt Options) (Chart, error) {
	p, err := profiles(ctx, s, opt)
	if err != nil {
		return Chart{}, err
	}
	stack, err := curve.Stack(s)
	if err != nil {
		return Chart{}, err
	}
	xs := curve.SortedDistinct(append(curve.LineSpace(0, 1, opt.points()), curve.LogSpace(1e-6, 0.01, 13)...))
	c := Chart{
		Title: "an attacker's two errors",
		X:     Axis{Label: "false alarms (type I error)", Min: 0, Max: 1},
		Y:     Axis{Label: "misses (type II error)", Min: 0, Max: 1},
		Notes: p.notes,
	}
	mu, gaussian := curve.GaussianSum(stack)
	for _, curve := range p.curves {
		ys := make([]float64, len(xs))
		for i, x := range xs {
			if err := ctx.Err(); err != nil {
				return Chart{}, err
			}
			if curve.method == accounting.GDP && gaussian {
				ys[i] = accounting.GaussianTradeOff(mu, x)
			} else {
				ys[i] = accounting.TradeOff(curve.At, x)
			}
		}
		c.Series = append(c.Series, Series{Name: string(curve.method), X: xs, Y: ys})
	}
	guess := make([]float64, len(xs))
	for i, x := range xs {
		guess[i] = 1 - x
	}
	c.Series = append(c.Series, Series{Name: "guessing", X: xs, Y: guess, Faint: true})
	best, least := p.curves[0], math.Inf(1)
	for _, curve := range p.curves {
		if d := curve.At(0); d < least {
			best, least = curve, d
		}
	}
	c.Notes = append(c.Notes, fmt.Sprintf("guessing between two neighbours at even odds, an attacker is right at most %s of the time (%s)",
		report.Chance(accounting.Advantage(least)), best.method.Name()))
	return c, nil
}
