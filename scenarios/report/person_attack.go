package report

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/special"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report/curve"
)

// attack fills in what the best test of membership achieves.
func (p *Person) attack(ctx context.Context, stack []accounting.Entry, r *scenarios.Result) error {
	// (ε, δ) alone bounds every test; the curves below only improve on it.
	line := func(e float64) float64 {
		if e >= p.Epsilon {
			return p.Delta
		}
		// The hockey-stick curve of the worst (ε, δ) mechanism (Kairouz, Oh & Viswanath 2015).
		return math.Min(1, p.Delta+(1-p.Delta)*math.Max(0, (math.Exp(p.Epsilon)-math.Exp(e))/(1+math.Exp(p.Epsilon))))
	}
	if p.Epsilon > 700 {
		line = func(e float64) float64 { return math.Max(p.Delta, math.Min(1, 1-math.Exp(e-p.Epsilon))) }
	}
	p.Curve = fmt.Sprintf("ε and δ alone, by %s", p.Method)
	p.Advantage = line(0)
	misses := make([]float64, len(falseRates))
	for i, x := range falseRates {
		misses[i] = math.Max(0, math.Max(1-p.Delta-math.Exp(p.Epsilon)*x, math.Exp(-p.Epsilon)*(1-p.Delta-x)))
	}
	if p.Delta > 0 {
		p.Except = 1
	}
	switch mu, gaussian := curve.GaussianSum(stack); {
	case gaussian:
		p.Curve = "the exact trade-off curve of Gaussian noise (Dong, Roth & Su 2022)"
		p.Advantage = math.Min(p.Advantage, accounting.GaussianToDelta(mu, 0))
		p.Except = special.NormalCDF(mu/2 - p.Epsilon/mu)
		for i, x := range falseRates {
			misses[i] = math.Max(misses[i], accounting.GaussianTradeOff(mu, x))
		}
	default:
		if err := p.certified(ctx, stack, misses); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if fault := new(accounting.InternalError); errors.As(err, &fault) {
				return err
			}
			if err := p.converted(ctx, stack, r.Target, misses); err != nil {
				return err
			}
		}
	}
	for i, x := range falseRates {
		p.Rates = append(p.Rates, Rate{x, math.Min(1, 1-misses[i])})
	}
	return nil
}

// percents is the width that figures printed in percent need.
var percents = pld.Options{Width: 1e-3}

// certified uses the numerical accountant's upper ends. An error means that it has
// none for this stack.
func (p *Person) certified(ctx context.Context, stack []accounting.Entry, misses []float64) error {
	return accounting.Recover(func() error { return p.readCurve(ctx, stack, misses) })
}

func (p *Person) readCurve(ctx context.Context, stack []accounting.Entry, misses []float64) error {
	parts, err := accounting.Parts(stack)
	if err != nil {
		return err
	}
	at := []float64{0}
	if p.Delta > 0 {
		for _, share := range []float64{0.5, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99} {
			at = append(at, share*p.Epsilon)
		}
	}
	_, upper, err := pld.Profile(ctx, parts, at, percents)
	if err != nil {
		return err
	}
	typeTwo, err := pld.Tradeoff(ctx, parts, falseRates, percents)
	if err != nil {
		return err
	}
	p.Curve = "the certified curve of the numerical accountant"
	p.Advantage = math.Min(p.Advantage, upper[0])
	for i, e := range at {
		p.exceed(e, upper[i])
	}
	for i := range misses {
		misses[i] = math.Max(misses[i], typeTwo[i])
	}
	return nil
}

// exceed bounds the chance of a loss above ε by a point of the profile below it: as
// δ(t) = E[(1 − e^(t−L))₊], P(L > ε) ≤ δ(t)/(1 − e^(t−ε)).
func (p *Person) exceed(t, delta float64) {
	if p.Delta > 0 && t < p.Epsilon {
		p.Except = math.Min(p.Except, delta/-math.Expm1(t-p.Epsilon))
	}
}

// converted uses the closed theorems' ε at larger δ, each a point of the profile.
func (p *Person) converted(ctx context.Context, stack []accounting.Entry, target accounting.Target, misses []float64) error {
	if !(p.Delta > 0) {
		return nil
	}
	points := curve.Table{}
	for _, delta := range slices.Backward(append(curve.LogSpace(p.Delta*1.5, 0.5, 24), 0.9)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		target.Delta = delta
		bounds := accounting.ClosedForms(stack, target)
		best := accounting.Best(bounds)
		if best < 0 {
			continue
		}
		e := bounds[best].Epsilon
		p.exceed(e, delta)
		points.Add(e, delta)
	}
	if len(points.Epsilon) == 0 {
		return nil
	}
	if p.Epsilon > points.Epsilon[len(points.Epsilon)-1] {
		points.Add(p.Epsilon, p.Delta)
	}
	p.Curve = "the closed-form bounds at every δ; a release has no dominating pair"
	p.Advantage = math.Min(p.Advantage, points.At(0))
	for i, x := range falseRates {
		misses[i] = math.Max(misses[i], accounting.TradeOff(points.At, x))
	}
	return nil
}
