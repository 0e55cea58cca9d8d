package plan

import (
	"context"
	"errors"
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/audit"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// AuditPlan is the size of an audit that refutes a scenario's claim with a given power if its
// code has a fault.
type AuditPlan struct {
	Fault   string
	OneRun  audit.OneRun    // canaries and guesses, and how many must be right; zero if there is no such plan
	Runs    audit.TwoSample // runs of each kind; zero if there is no such plan
	Problem string          // why a number is missing
}

// The faults that an audit is planned against.
const (
	FaultNoNoise   = "no noise"
	FaultHalfNoise = "half the noise"
	FaultShuffled  = "shuffled batches priced as Poisson"
)

// auditLevels are the false-positive and false-negative rates at which an attack is tried.
var auditLevels = []float64{0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3}

// PlanAudits returns, for each fault that the scenario can have, how large an audit must be to refute the certified curve at a confidence
// with a power. It assumes the best test that the lower end of the faulty mechanism's curve certifies, and canaries that do not
// influence each other; a weaker attack needs a larger audit. The error says why the scenario has no certified curve, or is the context's.
func PlanAudits(ctx context.Context, s *scenarios.Scenario, power, confidence float64) ([]AuditPlan, error) {
	ev := scenarios.NewEvaluator()
	ctx = ev.Context(ctx)
	harm, err := certifiedProfile(ctx, ev, s)
	if err != nil {
		return nil, fmt.Errorf("the scenario has no certified curve to test: %w", err)
	}
	claim, err := claimTable(ctx, harm)
	if err != nil {
		return nil, err
	}
	var plans []AuditPlan
	for _, fault := range []string{FaultNoNoise, FaultHalfNoise, FaultShuffled} {
		p := AuditPlan{Fault: fault}
		attacks, problem := attacksOn(ctx, ev, s, fault)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if fault := accounting.FaultOf(problem); fault != nil {
			return nil, fault
		}
		if problem == errNotThisFault {
			continue
		}
		if p.Problem = errorText(problem); problem == nil {
			p.chooseAttacks(claim, attacks, power, confidence)
		}
		plans = append(plans, p)
	}
	return plans, nil
}

// claimTable evaluates the claim densely enough for the power of an audit.
func claimTable(ctx context.Context, harm *accounting.Profile) (audit.Table, error) {
	const points, top = 60, 12.0
	epsilons := make([]float64, points+1)
	for i := range epsilons {
		t := float64(i) / points
		epsilons[i] = top * t * t
	}
	return harm.Table(ctx, epsilons)
}

// certifiedProfile returns the profile of a scenario. It is an error if no lower end of it is certified.
func certifiedProfile(ctx context.Context, ev *scenarios.Evaluator, s *scenarios.Scenario) (*accounting.Profile, error) {
	profile, err := ev.Profile(ctx, s)
	if err == nil {
		err = profile.LowerEndError()
	}
	return profile, err
}

// attackRates are the rates of an attack that calls records members at a false-positive rate of level, and others non-members at a
// false-negative rate of level.
type attackRates struct{ level, tpr, tnr float64 }

// guesser returns the attack as a guesser about canaries: it guesses "in" at the false-positive rate and
// "out" at the false-negative rate.
func (a attackRates) guesser() (audit.Guesser, bool) {
	guessed := (a.tpr + a.tnr + 2*a.level) / 2
	if guessed > 1 || guessed <= 0 {
		return audit.Guesser{}, false // both sides overlap
	}
	g := audit.Guesser{Guessed: guessed, Accuracy: (a.tpr + a.tnr) / (2 * guessed)}
	return g, g.Accuracy > 0.5
}

var errNotThisFault = errors.New("the scenario cannot have this fault")

// attacksOn returns what attacks on the scenario with a fault certainly achieve.
func attacksOn(ctx context.Context, ev *scenarios.Evaluator, s *scenarios.Scenario, fault string) ([]attackRates, error) {
	if fault == FaultNoNoise {
		return []attackRates{{0, 1, 1}}, nil
	}
	faulty, err := withFault(s, fault)
	if err != nil {
		return nil, err
	}
	harm, err := certifiedProfile(ctx, ev, faulty)
	if err != nil {
		return nil, err
	}
	advantage, err := harm.Advantage(ctx)
	if err != nil {
		return nil, err
	}
	half := (1 + advantage.Lower) / 2
	attacks := []attackRates{{1 - half, half, half}} // a guess about every canary
	for _, level := range auditLevels {
		tpr, err1 := harm.TruePositiveRate(ctx, level)
		tnr, err2 := harm.TrueNegativeRate(ctx, level)
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		attacks = append(attacks, attackRates{level, tpr.Lower, tnr.Lower})
	}
	return attacks, nil
}

// withFault returns the scenario as faulty code would run it.
func withFault(s *scenarios.Scenario, fault string) (*scenarios.Scenario, error) {
	c := s.Clone()
	if fault == FaultHalfNoise {
		return c, scaleNoise(c, c.Stack, 0.5, nil)
	}
	found := false
	for _, e := range scenarios.EnabledEntries(c.Stack) {
		m, ok := mechanisms.BuildAs[mechanisms.DPSGD](e.Mechanism, e.Values)
		if !ok || m.Batches != mechanisms.Poisson {
			continue
		}
		found = true
		if err := e.Set("batches", string(mechanisms.Shuffled)); err != nil {
			return nil, err
		}
	}
	if !found {
		return nil, errNotThisFault
	}
	return c, nil
}

// chooseAttacks takes the attack that needs the fewest canaries and, separately, the one that needs the fewest runs.
func (p *AuditPlan) chooseAttacks(claim audit.Table, attacks []attackRates, power, confidence float64) {
	p.OneRun.Canaries, p.Runs.Members = math.MaxInt, math.MaxInt
	for _, a := range attacks {
		if g, ok := a.guesser(); ok {
			if o, err := audit.PlanOneRun(claim, g, power, confidence); err == nil && o.Canaries < p.OneRun.Canaries {
				p.OneRun = o
			}
		}
		if t, err := audit.PlanTwoSample(claim, a.level, a.tpr, power, confidence); err == nil && t.Members < p.Runs.Members {
			p.Runs = t
		}
	}
	if p.OneRun.Canaries == math.MaxInt {
		p.OneRun, p.Problem = audit.OneRun{}, audit.ErrTooMany.Error()
	}
	if p.Runs.Members == math.MaxInt {
		p.Runs, p.Problem = audit.TwoSample{}, audit.ErrTooMany.Error()
	}
}

// errorText returns the text of an error without its place in the file: the scenario with the fault is not the user's file.
func errorText(err error) string {
	var one scenarios.FieldError
	var all scenarios.Errors
	switch {
	case err == nil:
		return ""
	case errors.As(err, &all) && len(all) > 0:
		return all[0].Problem // without its place
	case errors.As(err, &one):
		return one.Problem
	}
	return err.Error()
}
