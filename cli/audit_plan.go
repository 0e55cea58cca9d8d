package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/report"
)

// auditSizes is the size an audit of a scenario must have.
type auditSizes struct {
	Power      float64         `json:"power"`
	Confidence float64         `json:"confidence"`
	Rows       []auditSizesRow `json:"faults"`
}

type auditSizesRow struct {
	Fault    string `json:"fault"`
	Canaries int    `json:"canaries"`
	Guesses  int    `json:"guesses"`
	Correct  int    `json:"correct"`
	Runs     int    `json:"runs"`
	Note     string `json:"note"`
}

// planAudit says how large an audit of the scenario must be.
func (a *app) planAudit(c *call, cmd *cobra.Command, f *auditFlags) (output, error) {
	for _, name := range append([]string{"scores", "trials", "threshold", "epsilon", "delta", "check"}, countFlags...) {
		if cmd.Flags().Changed(name) {
			return nil, fmt.Errorf("--plan comes before the attack: it takes no --%s", name)
		}
	}
	if len(c.args) == 0 {
		return nil, errors.New("--plan needs the scenario that is to be audited")
	}
	s, err := scenarios.LoadNamed(c.args[0], a.stdin)
	if err != nil {
		return nil, wrong(err)
	}
	if err := f.suits(s); err != nil {
		return nil, err
	}
	plans, err := plan.PlanAudits(c, s, f.power.value, f.confidence.value)
	if err != nil {
		return nil, err
	}
	out := &auditSizes{Power: f.power.value, Confidence: f.confidence.value}
	for _, p := range plans {
		out.Rows = append(out.Rows, auditSizesRow{p.Fault, p.OneRun.Canaries, p.OneRun.Guesses, p.OneRun.Correct, p.Runs.Members, p.Problem})
	}
	return out, nil
}

// Write prints the sizes as text or JSON.
func (p *auditSizes) Write(w io.Writer, format string) error {
	if format == asJSON {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(p)
	}
	lines := []string{fmt.Sprintf("to refute the claim at confidence %s with power %s, if the attack is the best one and canaries do not disturb each other:", report.StatedPercent(p.Confidence), report.StatedPercent(p.Power))}
	for _, r := range p.Rows {
		text := r.Fault + ": "
		switch {
		case r.Canaries > 0 && r.Runs > 0:
			text += fmt.Sprintf("one run with %d canaries and %d guesses, of which %d must be right; or %d independent runs of each kind", r.Canaries, r.Guesses, r.Correct, r.Runs)
		case r.Canaries > 0:
			text += fmt.Sprintf("one run with %d canaries and %d guesses, of which %d must be right", r.Canaries, r.Guesses, r.Correct)
		case r.Runs > 0:
			text += fmt.Sprintf("%d independent runs of each kind; in one run %s", r.Runs, r.Note)
		default:
			text += "no audit is planned: " + r.Note
		}
		lines = append(lines, text)
	}
	return textLines(append(lines, "a weaker attack needs more; fix the number of guesses before the run")...).Write(w, format)
}
