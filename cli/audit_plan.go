package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/report"
)

// auditSizes is the size an audit of a scenario must have.
type auditSizes struct {
	Power      float64         `json:"power"`
	Confidence float64         `json:"confidence"`
	Rows       []auditSizesRow `json:"faults"`

	plans []plan.AuditPlan
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
	s, err := a.load(c.args[0])
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
	out := &auditSizes{Power: f.power.value, Confidence: f.confidence.value, plans: plans}
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
	return textLines(report.AuditSizes(p.plans, p.Power, p.Confidence)).Write(w, format)
}
