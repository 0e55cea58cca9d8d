package cli

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/numeral"
	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/report/sheet"
)

func (a *app) splitCommand() *cobra.Command {
	var target targetFlags
	var lock []int
	var weights, wishes []string
	var show bool
	method := choiceFlag{choices: methodNames()}
	cmd := &cobra.Command{
		Use:   "split FILE|NAME",
		Short: "divide what locked entries leave of the budget over the others",
		Long: `Give every entry that is not locked noise in the proportions that make the
weighted sum of variances least (or in the proportions of wished errors), scaled
until the budget is just met.`,
		Args: arguments(1, 1, "one FILE or NAME"),
		Example: `  epsiloscope split plan.yaml --lock 1 --weight 3=4
  epsiloscope split plan.yaml --error 1=100 --error 2=25 --yaml > new.yaml`,
		ValidArgsFunction: completeScenarios,
	}
	target.add(cmd)
	addChoice(cmd, &method, "method", "", "the theorem to divide by (default: the best)")
	f := cmd.Flags()
	f.IntSliceVar(&lock, "lock", nil, "entry `N` keeps its noise (repeatable)")
	f.StringArrayVar(&weights, "weight", nil, "weight of entry N's variance: `N=W` (repeatable; default 1)")
	f.StringArrayVar(&wishes, "error", nil, "wished error at 95 % of entry N: `N=E` (repeatable; instead of weights)")
	f.BoolVar(&show, "yaml", false, "print the scenario with the new noise")
	format := addOutput(cmd, asTable, asJSON, asCSV, asMarkdown)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := a.open(args[0], &target)
		if err != nil {
			return err
		}
		req := plan.RebalanceRequest{Locked: lock, Method: accounting.Method(method.value)}
		if req.Weights, err = numbered("weight", weights, len(s.Stack)); err != nil {
			return err
		}
		if req.Errors, err = numbered("error", wishes, len(s.Stack)); err != nil {
			return err
		}
		r, err := plan.New().Rebalance(cmd.Context(), s, req)
		if err != nil {
			return wrong(err)
		}
		if show && r.Feasible {
			return a.printScenario(r.Scenario)
		}
		return sheet.Splits(s, r, lock).Write(a.stdout, format.value)
	}
	return cmd
}

// numbered reads flags of the form N=X.
func numbered(flag string, list []string, entries int) (map[int]float64, error) {
	found := map[int]float64{}
	for _, text := range list {
		entry, value, ok := strings.Cut(text, "=")
		n, err := strconv.Atoi(strings.TrimSpace(entry))
		x, err2 := numeral.Parse(value)
		if !ok || err != nil || err2 != nil || !(x > 0) {
			return nil, wrongf("--%s: %q must have the form N=X, an entry and a number above 0", flag, text)
		}
		if n < 1 || n > entries {
			return nil, wrongf("--%s: there is no entry %d; the stack has %s", flag, n, numeral.Plural(entries, "entry", "entries"))
		}
		found[n] = x
	}
	return found, nil
}
