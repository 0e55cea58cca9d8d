package cli

import (
	"github.com/spf13/cobra"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/lectures"
	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/report/sheet"
)

// planAll prints the answers of every theorem side by side.
func (a *app) planAll(cmd *cobra.Command, s *scenarios.Scenario, req plan.Request, format string) error {
	ev := plan.New()
	all, err := ev.All(cmd.Context(), s, req)
	if err != nil {
		return wrong(err)
	}
	table, err := lectures.Corollaries(cmd.Context(), ev, s)
	if err != nil || table.Field != req.Solve {
		table = nil // no closed form of a lecture speaks of this
	}
	answers := sheet.Plans(s, s.Budget, all, table)
	if plan.Best(all) < 0 {
		if words := wayOut(cmd.Context(), s, ""); words != "" {
			answers.Notes = append(answers.Notes, words)
		}
	}
	return answers.Write(a.stdout, format)
}

// withError puts an accuracy target in before solving: the noise of the entry is
// the largest whose error at 95 % stays within it.
func withError(cmd *cobra.Command, s *scenarios.Scenario, entry int, most *float64) (*scenarios.Scenario, error) {
	if most == nil {
		return s, nil
	}
	if entry == 0 {
		if len(s.Stack) != 1 {
			return nil, wrongf("--error: the stack has %s; say which with --entry N", counted(len(s.Stack), "entry", "entries"))
		}
		entry = 1
	}
	with, err := plan.WithError(cmd.Context(), s, entry, *most, false)
	if err != nil {
		return nil, wrong(err)
	}
	return with, nil
}
