package report

import (
	"context"
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/audit"
	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
)

// The verdicts of an audit. A claim is never confirmed.
const (
	AuditRefuted    = "refuted"
	AuditNotRefuted = "not-refuted"
	AuditNoClaim    = "no-claim"
)

// Audit is the result of an attack, beside the claim that it is held against. Its fields are those of the JSON output.
type Audit struct {
	Method       string      `json:"method"` // one-run or two-sample
	EpsilonLower float64     `json:"epsilon_lower"`
	Delta        float64     `json:"delta"`
	Confidence   float64     `json:"confidence"`
	Claim        *AuditClaim `json:"claim"`
	CurvePValue  *float64    `json:"curve_p_value"`
	Verdict      string      `json:"verdict"`
	// Scores and Warnings are about the scores of an attack, if there are any.
	Scores   *audit.Summary `json:"scores,omitempty"`
	Warnings []string       `json:"warnings,omitempty"`

	Attack    audit.Result     `json:"-"`
	MostShown float64          `json:"-"` // the largest ε that an attack of this size can show
	Proven    accounting.Bound `json:"-"` // the scenario's best bound; not finite if there is none
	Note      string           `json:"-"` // why there is no p-value of the curve
}

// AuditClaim is a claimed guarantee, and the p-value of the attack under it.
type AuditClaim struct {
	Epsilon float64 `json:"epsilon"`
	Delta   float64 `json:"delta"`
	PValue  float64 `json:"p_value"`
}

// NewAudit evaluates an attack at δ and a confidence, without a claim.
func NewAudit(attack audit.Result, delta, confidence float64) (*Audit, error) {
	a := &Audit{Method: "one-run", Delta: delta, Confidence: confidence, Verdict: AuditNoClaim, Attack: attack,
		Proven: accounting.Bound{Epsilon: math.Inf(1)}}
	if isTwoSample(attack) {
		a.Method = "two-sample"
	}
	var err error
	if a.EpsilonLower, err = attack.EpsilonLower(delta, confidence); err != nil {
		return nil, err
	}
	if a.MostShown, err = attack.LargestProvable(delta, confidence); err != nil {
		return nil, err
	}
	return a, nil
}

// isTwoSample reports whether an attack, or each of several, counts independent runs.
func isTwoSample(r audit.Result) bool {
	if all, several := r.(audit.Corrected); several && len(all) > 0 {
		r = all[0]
	}
	_, two := r.(audit.TwoSample)
	return two
}

// TestClaim holds the attack against a claimed (ε, δ).
func (a *Audit) TestClaim(epsilon, delta float64) error {
	p, err := a.Attack.PValue(epsilon, delta)
	if err != nil {
		return err
	}
	a.Claim = &AuditClaim{epsilon, delta, p}
	a.decide()
	return nil
}

// TestScenario holds the attack against the best bound of an evaluated scenario, and against its whole certified curve
// if it has one. The audit's δ must be the scenario's. The error is the context's, or one of the counts.
func (a *Audit) TestScenario(ctx context.Context, s *scenarios.Scenario, r *scenarios.Result) error {
	if r.Target.Delta != a.Delta {
		return fmt.Errorf("the scenario's guarantee is for δ = %s; an audit at another δ does not speak of it", numeral.Format(r.Target.Delta))
	}
	a.Proven = r.BestBound()
	ev := scenarios.NewEvaluator()
	ctx = ev.Context(ctx)
	err := accounting.Recover(ctx, func(ctx context.Context) error {
		profile, err := r.Profile(ctx)
		if err == nil {
			err = profile.LowerEndError()
		}
		if err != nil {
			return err
		}
		p, err := a.Attack.CurvePValue(profile.Claim(ctx))
		if err == nil {
			a.CurvePValue = &p
		}
		return err
	})
	fault := accounting.FaultOf(err)
	switch {
	case fault != nil:
		return fault
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		a.Note = err.Error()
	}
	if !a.Proven.Finite() {
		return nil
	}
	return a.TestClaim(a.Proven.Epsilon, a.Proven.Delta)
}

// PValue returns the p-value on which the verdict rests: the smaller of those of the claim and of the curve. Both bound
// the probability of the same event if the analysis is true, so the smaller one does too, and nothing is corrected for.
// It is 1 without a claim.
func (a *Audit) PValue() float64 {
	p := 1.0
	if a.Claim != nil {
		p = a.Claim.PValue
	}
	if a.CurvePValue != nil {
		p = math.Min(p, *a.CurvePValue)
	}
	return p
}

// decide sets the verdict: refuted if the p-value is below 1 minus the confidence.
func (a *Audit) decide() {
	a.Verdict = AuditNotRefuted
	if a.PValue() < 1-a.Confidence {
		a.Verdict = AuditRefuted
	}
}

// Sentence words the verdict.
func (a *Audit) Sentence() string {
	switch a.Verdict {
	case AuditRefuted:
		by := ""
		// else the lower end beside the claim would contradict it
		if a.Claim != nil && a.Claim.PValue >= 1-a.Confidence {
			by = " by the whole certified curve, though not by its ε at this δ alone"
		}
		return fmt.Sprintf("the claim is refuted (p = %s)%s: the code, the data handling or the adjacency is not what was analysed", Upper(a.PValue()), by)
	case AuditNotRefuted:
		return "the claim is not refuted; this says nothing about better attacks"
	}
	return "no claim was given"
}

// Lines states what the attack shows, what is proven, and the verdict.
func (a *Audit) Lines() []string {
	lines := []string{fmt.Sprintf("audit: ε ≥ %s at δ = %s, confidence %s", Lower(a.EpsilonLower), FormatGiven(a.Delta), StatedPercent(a.Confidence))}
	if a.Claim != nil {
		name := "claimed"
		if a.Proven.Finite() {
			name = "proven"
		}
		lines = append(lines, fmt.Sprintf("%s: ε ≤ %s at δ = %s; p-value of the attack %s", name, Upper(a.Claim.Epsilon), FormatGiven(a.Claim.Delta),
			Upper(a.Claim.PValue)))
	}
	if a.Proven.Method == accounting.Numerical && a.Proven.Lower > 0 {
		lines = append(lines, fmt.Sprintf("analysed mechanism: ε ≥ %s, certified", Lower(a.Proven.Lower)))
	}
	if a.CurvePValue != nil {
		lines = append(lines, "whole certified curve: p-value "+Upper(*a.CurvePValue))
	} else if a.Note != "" {
		lines = append(lines, "whole certified curve: not tested, as "+a.Note)
	}
	return append(append(append(lines, a.Sentence()), a.Saturation()...), a.Condition())
}

// ScoreLines states how well the scores tell members from others, with the theorem of each interval, and what may be
// wrong with them.
func (a *Audit) ScoreLines() (lines []string) {
	if s := a.Scores; s != nil {
		between := func(lower, upper float64) string {
			return fmt.Sprintf("between %s and %s with confidence %s", Lower(lower), Upper(upper), StatedPercent(a.Confidence))
		}
		lines = append(lines, fmt.Sprintf("area under the ROC curve %.4f, %s (Hoeffding 1963, for independent trials)", s.AUROC, between(s.AUROCLower, s.AUROCUpper)))
		for _, r := range s.TPR {
			lines = append(lines, fmt.Sprintf("true-positive rate at a false-positive rate of %s: %.4f, %s (Wilks 1941, Clopper and Pearson 1934)",
				StatedPercent(r.FPR), r.TPR, between(r.Lower, r.Upper)))
		}
	}
	for _, w := range a.Warnings {
		lines = append(lines, "warning: "+w)
	}
	return lines
}

// Condition says what must hold of the trials for the result to be valid: the counts cannot show it.
func (a *Audit) Condition() string {
	canaries := "valid if each canary was chosen before the run and put in by its own fair coin, not exactly half of them and no coin twice"
	switch {
	case isTwoSample(a.Attack):
		return "valid if the runs are independent of each other, with one record in question, and the test and its threshold were fixed before the runs or chosen on other runs"
	case isCorrected(a.Attack):
		return canaries
	}
	return canaries + "; and if the number of guesses was fixed before the scores were seen"
}

func isCorrected(r audit.Result) bool {
	_, several := r.(audit.Corrected)
	return several
}

// Saturation says what an attack of this size can show at most, and how large one that refutes the claim must be.
func (a *Audit) Saturation() []string {
	size := "these trials"
	switch t := a.Attack.(type) {
	case audit.OneRun:
		size = fmt.Sprintf("%d guesses about %d canaries", t.Guesses, t.Canaries)
	case audit.TwoSample:
		size = fmt.Sprintf("%d runs with the record and %d without it", t.Members, t.NonMembers)
	}
	lines := []string{fmt.Sprintf("with %s no attack can show more than ε = %s", size, Lower(a.MostShown))}
	if a.Claim == nil || a.MostShown > a.Claim.Epsilon {
		return lines
	}
	return append(lines, RequiredTrials(a.Claim.Epsilon, a.Claim.Delta, a.Confidence))
}

// RequiredTrials says how large an audit must be to refute a claimed (ε, δ), even if there is no noise at all.
func RequiredTrials(epsilon, delta, confidence float64) string {
	claim := "ε = " + Upper(epsilon)
	guesses, ok := audit.RequiredGuesses(epsilon, delta, confidence)
	runs, err := audit.RequiredRuns(epsilon, delta, confidence)
	if !ok || err != nil || runs > 1e9 {
		return "no audit of a feasible size can refute " + claim + ", even if there is no noise at all"
	}
	return fmt.Sprintf("to refute %s you need at least %s guesses in one run, all of them right, or %s runs of each kind without an error",
		claim, numeral.Format(guesses), numeral.Format(runs))
}

// AuditSizes words how large an audit must be to refute a claim with a power, for each fault that the code may have,
// and the test that has that power.
func AuditSizes(plans []plan.AuditPlan, power, confidence float64) []string {
	lines := []string{fmt.Sprintf("to refute the whole certified curve, for which fewer guesses do than for ε alone, at confidence %s with power %s, if the attack is the best one and canaries do not disturb each other:", StatedPercent(confidence), StatedPercent(power))}
	for _, p := range plans {
		text, one, runs := p.Fault+": ", "", ""
		if o := p.OneRun; o.Canaries > 0 {
			in := (o.Guesses + 1) / 2
			one = fmt.Sprintf("one run with %d canaries and %d guesses, the %d highest scores in and the %d lowest out, of which %d must be right (power %s)",
				o.Canaries, o.Guesses, in, o.Guesses-in, o.Correct, percentPoints(o.Power))
		}
		if r := p.Runs; r.Runs > 0 {
			runs = fmt.Sprintf("%d independent runs of each kind, and %d more without the record, of whose scores number %d from the top is the threshold (power %s)",
				r.Runs, r.Calibration, r.Rank, percentPoints(r.Power))
		}
		switch {
		case one != "" && runs != "":
			text += one + "; or " + runs
		case one != "":
			text += one
		case runs != "":
			text += runs + "; in one run " + p.Problem
		default:
			text += "no audit is planned: " + p.Problem
		}
		lines = append(lines, text)
	}
	return append(lines, "a weaker attack needs more; keep the plan (-o json), and test the scores by it: audit --scores FILE --planned PLAN --fault FAULT")
}

// percentPoints writes a simulated power in whole points of a hundred.
func percentPoints(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }
