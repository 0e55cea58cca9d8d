package report

import (
	"fmt"

	"epsiloscope/scenarios/plan"
)

// AuditSizes words how large an audit must be to refute a claim with a power, for each fault that the code may have.
func AuditSizes(plans []plan.AuditPlan, power, confidence float64) []string {
	lines := []string{fmt.Sprintf("to refute the whole certified curve, for which fewer guesses do than for ε alone, at confidence %s with power %s, if the attack is the best one and canaries do not disturb each other:", StatedPercent(confidence), StatedPercent(power))}
	for _, p := range plans {
		text, one, runs := p.Fault+": ", p.OneRun, p.Runs.Members
		switch {
		case one.Canaries > 0 && runs > 0:
			text += fmt.Sprintf("one run with %d canaries and %d guesses, of which %d must be right; or %d independent runs of each kind", one.Canaries, one.Guesses, one.Correct, runs)
		case one.Canaries > 0:
			text += fmt.Sprintf("one run with %d canaries and %d guesses, of which %d must be right", one.Canaries, one.Guesses, one.Correct)
		case runs > 0:
			text += fmt.Sprintf("%d independent runs of each kind; in one run %s", runs, p.Problem)
		default:
			text += "no audit is planned: " + p.Problem
		}
		lines = append(lines, text)
	}
	return append(lines, "a weaker attack needs more; fix the number of guesses before the run")
}
