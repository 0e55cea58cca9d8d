package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/lectures/proofs"
	"epsiloscope/scenarios/report/sheet"
)

func (a *app) proofCommand() *cobra.Command {
	var target targetFlags
	cmd := &cobra.Command{
		Use:   "proof [NAME [FILE|NAME]]",
		Short: "a proof of the lectures, step by step, with your numbers",
		Long: `Walk through a proof of the lectures, one step a line, with the numbers of a
scenario in each; without one, with those of the lecture's own example. A step
with a constant of a slide is marked where it fails. Without a NAME, list the
proofs.`,
		Args: arguments(0, 2, "at most one proof and one FILE or NAME"),
		Example: `  epsiloscope proof
  epsiloscope proof advanced-composition bob-10000`,
		ValidArgsFunction: completeProofs,
	}
	target.add(cmd)
	format := addOutput(cmd, asTable, asJSON, asCSV, asMarkdown)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return a.listProofs()
		}
		p, ok := proofs.Lookup(args[0])
		if !ok {
			return wrongf("there is no proof %q; epsiloscope proof lists them", args[0])
		}
		var s *scenarios.Scenario
		if len(args) == 2 {
			var err error
			if s, err = a.open(args[1], &target); err != nil {
				return err
			}
		}
		return sheet.Proof(p, p.Walk(s)).Write(a.stdout, format.value)
	}
	return cmd
}

func (a *app) listProofs() error {
	return a.printAll(each(proofs.All(), func(p proofs.Proof) string {
		return fmt.Sprintf("%-21s %s (%s)", p.Name, p.Title, strings.ToUpper(p.Deck[:1])+p.Deck[1:])
	}))
}

func completeProofs(cmd *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
	switch len(args) {
	case 0:
		return each(proofs.All(), func(p proofs.Proof) string { return p.Name + "\t" + p.Title }), cobra.ShellCompDirectiveNoFileComp
	case 1:
		return completeScenarios(cmd, nil, prefix)
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}
