package cli

import (
	"github.com/spf13/cobra"

	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/sheet"
)

func (a *app) statementCommand() *cobra.Command {
	var target targetFlags
	cmd := &cobra.Command{
		Use:   "statement FILE|NAME",
		Short: "the paragraph to quote: guarantee, unit, theorem, assumptions",
		Long: `Write what one may quote of the scenario: a paragraph and a fact sheet with the
guarantee, the theorem, the unit, the adjacency, the sampling assumption, δ, the
composition and what is not covered, as NIST SP 800-226 asks.

  table      plain text (the default)
  latex      a paragraph with \cite and the BibTeX entries as a comment
  bibtex     the entries alone`,
		Args: arguments(1, 1, "one FILE or NAME"),
		Example: `  epsiloscope statement welcome
  epsiloscope statement plan.yaml -o latex`,
		ValidArgsFunction: completeScenarios,
	}
	target.add(cmd)
	format := addOutput(cmd, asTable, asJSON, asCSV, asMarkdown, asLaTeX, asBibTeX)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, r, err := a.evaluated(cmd, args[0], &target)
		if err != nil {
			return err
		}
		st, err := report.NewStatement(cmd.Context(), s, r)
		if err != nil {
			return wrong(err)
		}
		return sheet.Statement(a.stdout, st, format.value)
	}
	return cmd
}
