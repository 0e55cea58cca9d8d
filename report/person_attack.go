package report

import (
	"context"
	"fmt"
	"math"
	"slices"

	"epsiloscope/accounting"
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

// Rate holds the share of members the best test finds if it accuses a share False of the others, and how many of the
// others it clears if it clears a share False of the members. The two differ if it is easier to prove that a person is
// in than that they are not.
type Rate struct{ False, True, Cleared float64 }

func newAttack(r *scenarios.Result) Attack {
	b := r.BestBound()
	a := Attack{Adjacency: r.Adjacency, Epsilon: b.Epsilon, Delta: b.Delta, Method: b.Method, Limited: r.Harm,
		levels: slices.Clone(accounting.StandardRates)}
	if r.Harm != nil {
		a.least = r.Harm.Certified.Upper
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
		lines = append(lines, UpperFirst(harmMeaning(p.Limited.Limit, p.least))+".")
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
	if p.Delta > 0 {
		p.ExceptionBound = 1
	}
	profile, err := r.Profile(ctx)
	if err != nil {
		return err
	}
	advantage, err := profile.Advantage(ctx)
	if err != nil {
		return err
	}
	p.Advantage = advantage.Upper
	found, cleared, err := profile.Rates(ctx, p.levels)
	if err != nil {
		return err
	}
	for i, x := range p.levels {
		p.Rates = append(p.Rates, Rate{x, found[i].Upper, cleared[i].Upper})
	}
	if err := p.boundExceptions(ctx, profile); err != nil {
		return err
	}
	mu, gaussian := curve.GaussianSum(stack)
	switch {
	case gaussian:
		p.Curve = "the trade-off curve of Gaussian noise (Dong, Roth & Su 2022)"
		p.ExceptionBound = math.Min(p.ExceptionBound, special.NormalCDF(mu/2-p.Epsilon/mu))
	case profile.LowerEndError() == nil:
		p.Curve = "the certified curve of the numerical accountant"
	case p.Delta > 0:
		p.Curve = "the closed-form bounds at every δ; a release has no dominating pair"
	default:
		p.Curve = fmt.Sprintf("ε and δ alone, by %s", p.Method)
	}
	return ctx.Err()
}

// boundExceptions bounds the chance of a loss above ε by the points of the profile below it: as
// δ(t) = E[(1 − e^(t−L))₊], P(L > ε) ≤ δ(t)/(1 − e^(t−ε)).
func (p *Attack) boundExceptions(ctx context.Context, profile *accounting.Profile) error {
	if p.Delta == 0 {
		return nil
	}
	epsilons, upper, err := profile.UpperPoints(ctx)
	for i, t := range epsilons {
		if t < p.Epsilon {
			p.ExceptionBound = math.Min(p.ExceptionBound, upper[i]/-math.Expm1(t-p.Epsilon))
		}
	}
	return err
}
