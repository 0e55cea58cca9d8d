package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/numeral"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/ledger"
)

func (a *app) ledgerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: "a record of what was really spent, with a filter that refuses",
		Long: `A ledger is a file beside the data that remembers every release, refuses the one
that would break the promise, and shows afterwards what was promised. Costs may
be chosen after looking at earlier answers: its filters hold for that.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return wrongf("ledger has no command %q; see %q", args[0], "epsiloscope ledger --help")
			}
			return nil
		},
		RunE: func(*cobra.Command, []string) error {
			return wrongf("ledger needs a command; see %q", "epsiloscope ledger --help")
		},
	}
	cmd.AddCommand(
		a.ledgerNew(), a.ledgerAsk(), a.ledgerSpend(), a.ledgerCommit(), a.ledgerCancel(), a.ledgerShow(), a.ledgerLog(),
		a.ledgerVerify(), a.ledgerStatement(), a.ledgerAmend(), a.ledgerRepair(), a.ledgerMerge(),
	)
	return cmd
}

// ledgerError gives what a ledger says its exit status: 1 a refusal, 3 what the system
// could not do, 2 anything else, which is the user's or the file's.
func ledgerError(err error) error {
	var refused *ledger.Refused
	var trouble *ledger.Trouble
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused):
		return &failure{statusExceeded, err}
	case errors.As(err, &trouble):
		return err
	}
	return wrong(err)
}

// tell prints the head, which every command does: somebody should keep it elsewhere.
func (a *app) tell(l *ledger.Ledger, format string, args ...any) {
	fmt.Fprintf(a.stderr, "%s; head %s\n", printable(fmt.Sprintf(format, args...)), l.Head())
}

// told ends a command that wrote a record: with its error, or by telling what it did.
func (a *app) told(l *ledger.Ledger, err error, format string, args ...any) error {
	if err != nil {
		return ledgerError(err)
	}
	a.tell(l, format, args...)
	return nil
}

func (a *app) ledgerNew() *cobra.Command {
	var epsilon, delta, failures, alpha numberFlag
	var unit, data, plan, blocks, window, follows string
	var orders, quotas []string
	var rungs int
	cmd := &cobra.Command{
		Use:   "new FILE --delta D --unit TEXT",
		Short: "open a ledger: the promise is fixed before the first release",
		Long: `Open a ledger. Everything that decides is fixed here: the promised ε and δ, the
filter, the order or orders, blocks and window.

  basic      adds up ε
  advanced   advanced composition (Whitehouse et al. 2023)
  zcdp       adds up ρ (the default)
  gdp        adds up μ²: Gaussian noise only
  rdp        one Rényi order, --alpha
  mixture    several Rényi orders, most weight on --alpha
  plan       a scenario spent as tickets, in any order, at its numerical bound;
             with --rungs a ladder, which may be quoted where it is left

The promise covers data that lie in one block, where there are blocks, and any
span of the window's length, where there is a window.`,
		Args: arguments(1, 1, "one FILE"),
		Example: `  epsiloscope ledger new a.ledger --epsilon 3 --delta 1e-6 --unit person-day
  epsiloscope ledger new run.ledger --filter plan --plan run.yaml \
      --delta 1e-5 --unit example`,
	}
	adjacency := &choiceFlag{value: string(mechanisms.AddRemove), choices: []string{string(mechanisms.AddRemove), string(mechanisms.Replace), string(mechanisms.ZeroOut)}}
	odometer := &choiceFlag{value: "line", choices: []string{"line", "mixture"}}
	filter := string(adaptive.ZCDP)
	f := cmd.Flags()
	f.Var(&epsilon, "epsilon", "the promised `ε`; a plan's own if not given")
	f.Var(&delta, "delta", "the promised `δ`")
	f.StringVar(&unit, "unit", "", "whose data one record is: `TEXT` such as person-day")
	addChoice(cmd, adjacency, "adjacency", "", "which data sets are neighbours")
	f.StringVar(&filter, "filter", filter, "the `rule` that refuses: "+adaptive.Names())
	f.Var(&alpha, "alpha", "the Rényi order `α`: of rdp, or the planned one of a mixture")
	f.StringSliceVar(&orders, "orders", nil, "the `orders` of a mixture (default 2,3,4,5,6,8,12,16)")
	f.Var(&failures, "failures", "the part of `δ` for releases that have a δ of their own")
	addChoice(cmd, odometer, "odometer", "", "what may be quoted on the way, where ρ or μ² is added up")
	f.StringVar(&plan, "plan", "", "the `SCENARIO` that a plan spends")
	f.IntVar(&rungs, "rungs", 1, "cut a plan into `N` nested books")
	f.StringVar(&blocks, "blocks", "", "keep a budget by `KEY`, such as day: data lie in one")
	f.StringVar(&window, "window", "", "renew the budget: any span of this `DURATION` (7d) stays within it")
	f.StringArrayVar(&quotas, "quota", nil, "an asker's share, `NAME=SHARE`: fairness, no guarantee (repeatable)")
	f.StringVar(&data, "data", "", "what the data are called (default: the file's name)")
	f.StringVar(&follows, "follows", "", "the `head` of the ledger before this one")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		t := ledger.Terms{Blocks: blocks}
		t.Filter = adaptive.Kind(filter)
		t.Alpha, t.Failures = given(alpha), given(failures)
		if t.Filter == adaptive.ZCDP || t.Filter == adaptive.Advanced || t.Filter == adaptive.GDP {
			t.Odometer = odometer.value
		}
		if delta.value == nil || epsilon.value == nil && t.Filter != adaptive.Plan {
			return wrongf("ledger new needs --epsilon and --delta: the promise")
		}
		t.Epsilon, t.Delta = given(epsilon), given(delta)
		var err error
		if t.Orders, err = numbers("--orders", orders); err != nil {
			return err
		}
		if t.Quotas, err = shares(quotas); err != nil {
			return err
		}
		if window != "" {
			if t.Window, err = ledger.ParseWindow(window); err != nil {
				return wrongf("--window: %w", err)
			}
		}
		if plan != "" {
			if t.Plan, err = scenarios.LoadNamed(plan, a.stdin); err != nil {
				return wrong(err)
			}
		}
		if data == "" {
			data = strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0]))
		}
		l, err := ledger.At(args[0]).Create(cmd.Context(), t, data, unit, mechanisms.Adjacency(adjacency.value), rungs, follows)
		if err != nil {
			return ledgerError(err)
		}
		about := l.Filter.About()
		a.tell(l, "%s: promised ε %s at δ %s for one %s; %s, %s %s to spend", args[0], l.Promise.Epsilon, l.Promise.Delta, unit,
			about.Title, adaptive.Decimal(l.Filter.Budget(), about.Unit), about.Quantity)
		return nil
	}
	return cmd
}

func given(n numberFlag) float64 {
	if n.value == nil {
		return 0
	}
	return *n.value
}

func numbers(flag string, texts []string) ([]float64, error) {
	var list []float64
	for _, text := range texts {
		x, err := numeral.Parse(strings.TrimSpace(text))
		if err != nil {
			return nil, wrongf("%s: %q %w", flag, text, err)
		}
		list = append(list, x)
	}
	return list, nil
}

func shares(texts []string) (map[string]float64, error) {
	list := map[string]float64{}
	for _, text := range texts {
		name, share, found := strings.Cut(text, "=")
		x, err := numeral.Parse(share)
		if !found || err != nil || name == "" {
			return nil, wrongf("--quota: %q must have the form NAME=SHARE, as in stats=0.5", text)
		}
		list[name] = x
	}
	return list, nil
}
