package report

import (
	"context"
	"fmt"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/accounting/risk"
	"epsiloscope/mechanisms"
	"epsiloscope/report/curve"
	"epsiloscope/scenarios"
)

// SummaryDelta is the δ₀ of the (μ, δ₀) summary on every page.
const SummaryDelta = 1e-10

// maxRegret is the regret above which the curve should be shown instead of μ (Gomez et al. 2025).
const maxRegret = 0.01

// GaussianSummary is the certified (μ, δ₀) of a stack: it is no easier to attack than one Gaussian release with Δ/σ =
// μ, except with probability δ₀.
type GaussianSummary struct {
	risk.Summary
	// ExactMu is the smallest μ that holds with δ₀ = 0, if it is known and shows no amplification by
	// sampling; else 0.
	ExactMu float64
}

// summarise returns the (μ, δ₀) summary of a scenario with δ₀ = [SummaryDelta]. It is nil if the stack has no certified
// curve or fails with a larger probability. The error is the context's, or an internal one.
func summarise(ctx context.Context, s *scenarios.Scenario, r *scenarios.Result) (*GaussianSummary, error) {
	var found risk.Summary
	var ok bool
	if err := accounting.Recover(ctx, func(ctx context.Context) error {
		profile, err := r.Profile(ctx)
		if err == nil && profile.LowerEndError() == nil {
			found, ok, err = profile.Summarise(ctx, SummaryDelta)
		}
		return err
	}); err != nil || !ok {
		if fault := accounting.FaultOf(err); fault != nil {
			return nil, fault
		}
		return nil, ctx.Err()
	}
	return &GaussianSummary{found, unamplifiedMu(s, found.Mu)}, nil
}

// unamplifiedMu returns the exact μ of a stack of Gaussian noise with Poisson sampling, √Σ(Δ/σ)² over all releases as
// if nothing were sampled; 0 if the stack is another or nothing is gained by sampling.
func unamplifiedMu(s *scenarios.Scenario, mu float64) float64 {
	if s.Adjacency == mechanisms.Replace {
		return 0
	}
	for e := range releasedEntries(s.Stack) {
		// another sampling scheme: a record may never be in every batch
		if _, drawing := describeTraining(s, e, 0); drawing != "" {
			return 0
		}
	}
	stack, err := scenarios.Stack(withoutSampling(s))
	if err != nil {
		return 0
	}
	if full, gaussian := curve.GaussianSum(stack); gaussian && full > mu*(1+1e-6) {
		return full
	}
	return 0
}

// String words the summary as a fact. μ never stands without its δ₀.
func (g *GaussianSummary) String() string {
	if g == nil {
		return ""
	}
	text := fmt.Sprintf("(μ, δ₀) = (%s, %s): no easier to attack than one Gaussian release with Δ/σ = μ, except with probability δ₀", Upper(g.Mu), FormatGiven(g.Delta0))
	if g.Regret > maxRegret {
		return text + fmt.Sprintf("; regret up to %s, so the curve says clearly more than μ", Upper(g.Regret))
	}
	return text + fmt.Sprintf("; regret at most %s", Upper(g.Regret))
}

// Lines explains the summary: what it says, how it is certified, and why μ alone would say nothing here.
func (g *GaussianSummary) Lines() []string {
	if g == nil {
		return nil
	}
	lines := []string{
		UpperFirst(g.String()) + ".",
		"For every real ε and both directions δ(ε) ≤ δ₀ + (1 − δ₀)·δ_Gauss(μ, ε). Certified upper ends of δ give lines below the trade-off function; μ is compared at the vertices of their maximum, which suffices as both are convex.",
	}
	if g.ExactMu > 0 {
		lines = append(lines, fmt.Sprintf("μ is never stated without δ₀: with δ₀ = 0 the smallest μ is %s, as if nothing were sampled. "+
			"With a tiny probability the record is in every batch; a test that adds up all outputs and accuses only far out in the tail finds that run more often than any smaller μ allows. δ₀ sets it aside.", Upper(g.ExactMu)))
	}
	return lines
}

// HarmExplanation returns what `explain` says about harm: the bounds on an attacker beside those that (ε, δ) alone
// gives, and the summary. It is nil if no theorem gives a finite ε. The error is the context's, or an internal one.
func HarmExplanation(ctx context.Context, s *scenarios.Scenario, r *scenarios.Result) ([]string, error) {
	b := r.BestBound()
	if !b.Finite() {
		return nil, nil
	}
	attack := newAttack(r)
	if err := attack.setBounds(ctx, s, r); err != nil {
		return nil, err
	}
	summary, err := summarise(ctx, s, r)
	if err != nil {
		return nil, err
	}
	alone := risk.Approximate{Epsilon: b.Epsilon, Delta: b.Delta}
	lines := attack.HarmLines()
	lines = append(lines, fmt.Sprintf("From %s. By (ε, δ) alone the advantage would be at most %s.", attack.Curve, Upper(alone.Advantage())))
	for _, rate := range attack.Rates {
		line := fmt.Sprintf("At a false-positive rate of %s at most %s are found among members", StatedPercent(rate.False), Chance(rate.True))
		if rate.True != rate.Cleared {
			line += fmt.Sprintf("; at a false-negative rate of %s at most %s are cleared among others", StatedPercent(rate.False), Chance(rate.Cleared))
		}
		lines = append(lines, line+fmt.Sprintf(" (by (ε, δ) alone %s).", Chance(alone.TruePositiveRate(rate.False))))
	}
	lines = append(lines, independence+".")
	return append(lines, summary.Lines()...), nil
}

// independence is the condition under which a privacy profile bounds an attacker's success.
const independence = "This holds if the other records are fixed or independent of this person's record; people who are always in the data together are a group"

// harmFact words the harm for the statement.
func (p *Attack) harmFact() string {
	list := func(what, level string, rate func(Rate) float64) string {
		text := "; " + what
		for i, r := range p.Rates {
			switch i {
			case 0:
				text += fmt.Sprintf(": at most %s at a %s of %s", Chance(rate(r)), level, StatedPercent(r.False))
			default:
				text += fmt.Sprintf(", %s at %s", Chance(rate(r)), StatedPercent(r.False))
			}
		}
		return text
	}
	if saysNothing(p.Advantage) && !slices.ContainsFunc(p.Rates, func(r Rate) bool { return r.True < 0.99 }) {
		return fmt.Sprintf("hardly limited, by %s", p.Curve)
	}
	text := fmt.Sprintf("membership advantage at most %s, from %s", Upper(p.Advantage), p.Curve)
	text += list("found among members", "false-positive rate", func(r Rate) float64 { return r.True })
	if p.IsOneSided() {
		text += list("cleared among others", "false-negative rate", func(r Rate) float64 { return r.Cleared })
	}
	return text
}

// saysNothing reports whether a bound on a probability is so close to 1 that it limits nobody.
func saysNothing(p float64) bool { return p > 0.99 }

// harmSentence is the first sentence of a statement; "" if the harm says nothing.
func (p *Attack) harmSentence(name string) string {
	if p.Limited == nil && saysNothing(p.Advantage) {
		return ""
	}
	if p.Limited != nil && p.Limited.Limit.Kind() != scenarios.HarmAdvantage {
		return fmt.Sprintf("From the releases of %s, if the other records are fixed or independent of the person's own, %s.", name, harmMeaning(p.Limited.Limit, p.least))
	}
	return fmt.Sprintf("From the releases of %s, an attacker who guesses %s at even odds is right at most %s of the time (membership advantage %s), if the other records are fixed or independent of the person's own.",
		name, p.TestedFact(), Chance((1+p.Advantage)/2), Upper(p.Advantage))
}
