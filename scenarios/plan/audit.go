package plan

import (
	"context"
	"errors"
	"fmt"

	"epsiloscope/accounting"
	"epsiloscope/accounting/audit"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// AuditPlan is the size of an audit that refutes a scenario's claim with a given power if its
// code has a fault.
type AuditPlan struct {
	Fault   string
	OneRun  audit.OneRunPlan // canaries and guesses, and how many must be right; zero if there is no such plan
	Runs    audit.RunsPlan   // runs of each kind, and how the threshold is set; zero if there is no such plan
	Problem string           // why a number is missing
}

// The faults that an audit is planned against.
const (
	FaultNoNoise   = "no noise"
	FaultHalfNoise = "half the noise"
	FaultShuffled  = "shuffled batches priced as Poisson"
)

// auditLevels are the false-positive and false-negative rates at which an attack is tried.
var auditLevels = []float64{0.001, 0.003, 0.01, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4}

// PlanAudits returns, for each fault that the scenario can have, how large an audit must be to refute the certified
// curve at a confidence with a power. It assumes the best test that the lower end of the faulty mechanism's curve
// certifies, and canaries that do not influence each other; a weaker attack needs a larger audit. The error says why
// the scenario has no certified curve, or is the context's.
func PlanAudits(ctx context.Context, s *scenarios.Scenario, power, confidence float64) ([]AuditPlan, error) {
	ev := scenarios.NewEvaluator()
	ctx = ev.Context(ctx)
	profile, err := certifiedProfile(ctx, ev, s)
	if err != nil {
		return nil, fmt.Errorf("the scenario has no certified curve to test: %w", err)
	}
	claim, err := claimTable(ctx, profile)
	if err != nil {
		return nil, err
	}
	var plans []AuditPlan
	for _, fault := range []string{FaultNoNoise, FaultHalfNoise, FaultShuffled} {
		p := AuditPlan{Fault: fault}
		attack, problem := attackOn(ctx, ev, s, fault)
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
			p.findSizes(claim, attack, power, confidence)
		}
		plans = append(plans, p)
	}
	return plans, nil
}

// claimTable evaluates the claim densely enough for the power of an audit.
func claimTable(ctx context.Context, profile *accounting.Profile) (audit.Table, error) {
	const points, top = 90, 12.0
	epsilons := make([]float64, points+1)
	for i := range epsilons {
		t := float64(i) / points
		epsilons[i] = top * t * t
	}
	return profile.Table(ctx, epsilons)
}

// certifiedProfile returns the profile of a scenario. It is an error if no lower end of it is certified.
func certifiedProfile(ctx context.Context, ev *scenarios.Evaluator,
	s *scenarios.Scenario) (*accounting.Profile, error) {
	profile, err := ev.Profile(ctx, s)
	if err == nil {
		err = profile.LowerEndError()
	}
	return profile, err
}

var errNotThisFault = errors.New("the scenario cannot have this fault")

// attackOn returns an attack on the scenario with a fault by what it certainly achieves.
func attackOn(ctx context.Context, ev *scenarios.Evaluator, s *scenarios.Scenario, fault string) (audit.Attack, error) {
	if fault == FaultNoNoise {
		return audit.Certain, nil
	}
	faulty, err := withFault(s, fault)
	if err != nil {
		return nil, err
	}
	profile, err := certifiedProfile(ctx, ev, faulty)
	if err != nil {
		return nil, err
	}
	advantage, err := profile.Advantage(ctx)
	if err != nil {
		return nil, err
	}
	half := (1 + advantage.Lower) / 2
	corners := []audit.Corner{{FPR: 1 - half, TPR: half}}
	for _, level := range auditLevels {
		tpr, err1 := profile.TruePositiveRate(ctx, level)
		tnr, err2 := profile.TrueNegativeRate(ctx, level)
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		corners = append(corners, audit.Corner{FPR: level, TPR: tpr.Lower},
			audit.Corner{FPR: 1 - tnr.Lower, TPR: 1 - level})
	}
	return audit.NewAttack(corners), nil
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

// findSizes plans an audit of one run and, separately, one of independent runs.
func (p *AuditPlan) findSizes(claim audit.Table, attack audit.Attack, power, confidence float64) {
	var err error
	if p.OneRun, err = audit.PlanOneRun(claim, attack, power, confidence); err != nil {
		p.Problem = err.Error()
	}
	if p.Runs, err = audit.PlanTwoSample(claim, attack, power, confidence); err != nil {
		p.Problem = err.Error()
	}
}

// errorText returns the text of an error without its place in the file: the scenario with the fault is not the user's
// file.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	if all, ok := errors.AsType[scenarios.Errors](err); ok && len(all) > 0 {
		return all[0].Problem
	}
	if one, ok := errors.AsType[scenarios.FieldError](err); ok {
		return one.Problem
	}
	return err.Error()
}
