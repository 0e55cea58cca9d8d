package cli

import (
	"bytes"

	"github.com/spf13/cobra"

	"epsiloscope/scenarios/report/share"
)

func (a *app) shareCommand() *cobra.Command {
	var target targetFlags
	var to picture
	cmd := &cobra.Command{
		Use:   "share FILE|NAME",
		Short: "one HTML page to pass on: statement, table, charts, scenario",
		Long: `Write one HTML page with what may be quoted, every bound, the charts, the
scenario and the command that reproduces it. The page needs no network and has
no script. The scores of candidates, which come from the data, are left out.`,
		Args: arguments(1, 1, "one FILE or NAME"),
		Example: `  epsiloscope share welcome --to page.html
  epsiloscope share plan.yaml --epsilon 2 > page.html`,
		ValidArgsFunction: completeScenarios,
	}
	target.add(cmd)
	cmd.Flags().StringVar(&to.to, "to", "", "write to the file `PATH`")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, r, err := a.evaluated(cmd, args[0], &target)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := share.Page(cmd.Context(), &b, s, r); err != nil {
			return wrong(err)
		}
		return to.put(a.stdout, b.Bytes())
	}
	return cmd
}
