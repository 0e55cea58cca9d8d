package report

import (
	"context"
	"fmt"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/risk"
	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms"
	"epsiloscope/report/curve"
	"epsiloscope/scenarios"
)

// Attack bounds from above what the best attacker achieves on an evaluated scenario.
type Attack struct {
	Adjacency      mechanisms.Adjacency
	Epsilon, Delta float64
	Method         accounting.Method // the theorem ε comes from
	// ExceptionBound bounds the probability of an output after which a belief may grow further than
	// stated: 0 for a pure guarantee.
	ExceptionBound float64
	Advantage      float64 // largest true-positive minus false-positive rate of any test: δ(0)
	Rates          []Rate
	Curve          string                // what the last two were computed from
	Limited        *scenarios.HarmResult // what the budget limits; nil if that is no harm
	least          float64               // upper end of what the budget limits
	levels         []float64             // the false-positive rates of Rates
}

// Rate holds the share of members the best test finds if it accuses a share False of the others, and how many of
// the others it clears if it clears a share False of the members. The two differ if it is easier to prove that a person is in than that they are not.
type Rate struct{ False, True, Cleared float64 }

// falseRates are the false-positive rates at which attacks are usually reported.
var falseRates = []float64{1e-3, 1e-2, 0.1}

func newAttack(r *scenarios.Result) Attack {
	b := r.BestBound()
	a := Attack{Adjacency: r.Adjacency, Epsilon: b.Epsilon, Delta: b.Delta, Method: b.Method, Limited: r.Harm, levels: slices.Clone(falseRates)}
	if r.Harm != nil {
		a.least = r.Harm.LeastUpper(r.Bounds)
		if fpr := r.Harm.Limit.FPR; fpr > 0 {
			a.levels = curve.SortDistinct(append(a.levels, fpr))
		}
	}
	return a
}

// TestedFact names the fact that an attacker tests, which depends on the adjacency.
func (p *Attack) TestedFact() string { return NeighboursOf(p.Adjacency).TestedFact }

// IsOneSided reports whether finding members and clearing others have different bounds.
func (p *Attack) IsOneSided() bool {
	return slices.ContainsFunc(p.Rates, func(r Rate) bool { return r.True != r.Cleared })
}

// HarmLines returns what the best attacker achieves, in sentences. What the budget limits comes first.
func (p *Attack) HarmLines() (lines []string) {
	if p.Limited != nil && p.Limited.Limit.Kind() != scenarios.HarmAdvantage {
		lines = append(lines, UpperFirst(HarmMeaning(p.Limited.Limit, p.least))+".")
	}
	return append(lines, fmt.Sprintf("Guessing %s at even odds, the best attacker is right at most %s of the time (membership advantage %s).",
		NeighboursOf(p.Adjacency).Alternatives, Chance((1+p.Advantage)/2), Upper(p.Advantage)))
}

// setBounds computes the bounds on the best membership test. A fault of the program is an error.
func (p *Attack) setBounds(ctx context.Context, s *scenarios.Scenario, r *scenarios.Result) error {
	return accounting.Recover(ctx, func(ctx context.Context) error { return p.boundBestTest(ctx, s, r) })
}

func (p *Attack) boundBestTest(ctx context.Context, s *scenarios.Scenario, r *scenarios.Result) error {
	stack, err := scenarios.Stack(s)
	if err != nil {
		return err
	}
	// (ε, δ) alone bounds every test; the curves below only improve on it.
	alone := risk.Approximate{Epsilon: p.Epsilon, Delta: p.Delta}
	p.Curve = fmt.Sprintf("ε and δ alone, by %s", p.Method)
	p.Advantage = alone.Advantage()
	misses := make([]float64, len(p.levels))
	for i, x := range p.levels {
		misses[i] = 1 - alone.TruePositiveRate(x)
	}
	if p.Delta > 0 {
		p.ExceptionBound = 1
	}
	var sides *accounting.Harm // nil if both have the same bounds
	switch mu, gaussian := curve.GaussianSum(stack); {
	case gaussian:
		p.Curve = "the exact trade-off curve of Gaussian noise (Dong, Roth & Su 2022)"
		p.Advantage = math.Min(p.Advantage, accounting.GaussianToDelta(mu, 0))
		p.ExceptionBound = special.NormalCDF(mu/2 - p.Epsilon/mu)
		for i, x := range p.levels {
			misses[i] = math.Max(misses[i], accounting.GaussianTradeOff(mu, x))
		}
	default:
		if err := p.useCertifiedCurve(ctx, stack, misses); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := p.useClosedForms(ctx, stack, r.Target, misses); err != nil {
				return err
			}
			break
		}
		if h, err := scenarios.NewEvaluator().Harm(ctx, s); err == nil {
			sides = h.Quick()
			if a, err := sides.Advantage(ctx); err == nil {
				p.Advantage = math.Min(p.Advantage, a.Upper)
			}
			if sides.Symmetric() {
				sides = nil
			}
		}
	}
	for i, x := range p.levels {
		rate := Rate{x, math.Min(1, 1-misses[i]), math.Min(1, 1-misses[i])}
		if sides != nil {
			found, err1 := sides.TruePositiveRate(ctx, x)
			cleared, err2 := sides.TrueNegativeRate(ctx, x)
			if err1 == nil && err2 == nil {
				rate.True, rate.Cleared = math.Min(rate.True, found.Upper), math.Min(rate.Cleared, cleared.Upper)
			}
		}
		p.Rates = append(p.Rates, rate)
	}
	p.agreeWithBudget(sides == nil)
	return ctx.Err()
}

// agreeWithBudget takes the smaller of this attack's bound and the result's on the harm that the budget limits, for both, so that
// no page states two values of one quantity. It holds for clearing others too if both sides have the same bounds.
func (p *Attack) agreeWithBudget(sameSides bool) {
	if p.Limited == nil {
		return
	}
	switch limit := p.Limited.Limit; limit.Kind() {
	case scenarios.HarmAdvantage:
		p.Advantage = math.Min(p.Advantage, p.least)
		p.least = p.Advantage
	case scenarios.HarmTPR:
		for i := range p.Rates {
			if r := &p.Rates[i]; r.False == limit.FPR {
				p.least = math.Min(r.True, p.least)
				r.True = p.least
				if sameSides {
					r.Cleared = p.least
				}
			}
		}
	}
}

// percentWidth is the relative width at which values printed in percent are computed.
var percentWidth = pld.Options{Width: 1e-3}

// useCertifiedCurve uses the numerical accountant's upper ends. An error means that it has
// none for this stack.
func (p *Attack) useCertifiedCurve(ctx context.Context, stack []accounting.Entry, misses []float64) error {
	parts, err := accounting.Parts(ctx, stack)
	if err != nil {
		return err
	}
	at := []float64{0}
	if p.Delta > 0 {
		for _, share := range []float64{0.5, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99} {
			at = append(at, share*p.Epsilon)
		}
	}
	_, upper, err := pld.Profile(ctx, parts, at, percentWidth)
	if err != nil {
		return err
	}
	typeTwo, err := pld.Tradeoff(ctx, parts, p.levels, percentWidth)
	if err != nil {
		return err
	}
	p.Curve = "the certified curve of the numerical accountant"
	p.Advantage = math.Min(p.Advantage, upper[0])
	for i, e := range at {
		p.boundExceptions(e, upper[i])
	}
	for i := range misses {
		misses[i] = math.Max(misses[i], typeTwo[i])
	}
	return nil
}

// boundExceptions bounds the chance of a loss above ε by a point of the profile below it: as
// δ(t) = E[(1 − e^(t−L))₊], P(L > ε) ≤ δ(t)/(1 − e^(t−ε)).
func (p *Attack) boundExceptions(t, delta float64) {
	if p.Delta > 0 && t < p.Epsilon {
		p.ExceptionBound = math.Min(p.ExceptionBound, delta/-math.Expm1(t-p.Epsilon))
	}
}

// useClosedForms uses the closed forms' ε at larger δ, each a point of the profile.
func (p *Attack) useClosedForms(ctx context.Context, stack []accounting.Entry, target accounting.Target, misses []float64) error {
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
		p.boundExceptions(e, delta)
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
	for i, x := range p.levels {
		misses[i] = math.Max(misses[i], accounting.TradeOff(points.At, x))
	}
	return nil
}
