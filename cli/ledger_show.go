package cli

import (
	"encoding/json"
	"fmt"
	"math/big"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/mechanisms/numeral"
	"epsiloscope/scenarios/ledger"
	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/sheet"
)

func amountRows(about adaptive.About, budget, spent, held *big.Int) [][2]string {
	return [][2]string{
		{"budget", adaptive.Decimal(budget, about.Unit) + " " + about.Quantity},
		{"spent", adaptive.Decimal(spent, about.Unit)}, {"held", adaptive.Decimal(held, about.Unit)},
	}
}

func (a *app) ledgerShow() *cobra.Command {
	var block string
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "promise, spent, held, left, what still fits, odometer, head",
		Long: `Show the ledger as it stands. Three figures stand beside each other: the
promise; the odometer, which may be quoted when one stops by looking; and the
figure of a plan fixed in advance with the same releases, which may not.

With -o yaml: all that was spent, as a scenario for the other commands.`,
		Args:    arguments(1, 1, "one ledger FILE"),
		Example: "  epsiloscope ledger show mobility.ledger -o yaml | epsiloscope compare -",
	}
	format := addOutput(cmd, asTable, asJSON, asYAML)
	cmd.Flags().StringVar(&block, "block", "", "with -o yaml: what was charged to this `block`")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		l, err := ledger.Read(args[0])
		if err != nil {
			return ledgerError(err)
		}
		if format.value == asYAML {
			return a.showScenario(l, block)
		}
		status := l.Status(cmd.Context(), time.Now())
		if format.value == asJSON {
			line, err := json.Marshal(status)
			if err == nil {
				_, err = fmt.Fprintf(a.stdout, "%s\n", line)
			}
			return err
		}
		return a.showStatus(l, status)
	}
	return cmd
}

func (a *app) showScenario(l *ledger.Ledger, block string) error {
	all, err := l.Everything(block, time.Time{}, time.Time{})
	if err != nil {
		return wrong(err)
	}
	return a.printScenario(all)
}

func (a *app) showStatus(l *ledger.Ledger, s *ledger.Status) error {
	rows := [][2]string{
		{"data", l.Open.Data}, {"unit", l.Open.Unit + ", " + l.Open.Adjacency},
		{"promise", fmt.Sprintf("ε %s at δ %s", s.Epsilon, s.Delta)}, {"filter", s.Filter.Title},
	}
	if e := l.Epsilon(); e != s.Epsilon {
		rows = append(rows, [2]string{"amended", "refuses at ε " + e + "; the promise to quote stays"})
	}
	if s.Block != "" {
		rows = append(rows, [2]string{"block", s.Block + ", which has least left"})
	}
	if span := l.Promise.Span(); span != "" {
		rows = append(rows, [2]string{"window", "any " + span})
	}
	rows = append(rows, amountRows(s.Filter, s.Budget, s.Spent, s.Held)...)
	rows = append(rows, [2]string{"left", adaptive.Decimal(s.Left, s.Filter.Unit)})
	for i, f := range s.Fits {
		name := "still fits"
		if i > 0 {
			name = ""
		}
		copies := "any number"
		if f.Copies != nil {
			copies = f.Copies.String()
		}
		rows = append(rows, [2]string{name, copies + " × " + f.Text})
	}
	if s.Odometer != nil && *s.Odometer > 0 {
		rows = append(rows, [2]string{"odometer", fmt.Sprintf("ε %s may be quoted now (%s): %s", report.Upper(*s.Odometer), s.Named, s.Sense)})
	}
	if s.Plan != nil && *s.Plan > 0 {
		rows = append(rows, [2]string{"fixed plan", fmt.Sprintf("ε %s may not be quoted: costs may have been chosen by looking", report.Upper(*s.Plan))})
	}
	if b := l.Breach(); b != nil {
		rows = append(rows, [2]string{"broken", fmt.Sprintf("line %d: %s", b.Seq+1, b.Reason)})
	}
	rows = append(rows, [2]string{"records", fmt.Sprint(s.Records)}, [2]string{"head", s.Head})
	return writeRows(a.stdout, rows)
}

func (a *app) ledgerLog() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "log FILE",
		Short: "every record, oldest first",
		Args:  arguments(1, 1, "one ledger FILE"),
	}
	format := addOutput(cmd, asTable, asJSON)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		l, err := ledger.Read(args[0])
		if err != nil {
			return ledgerError(err)
		}
		if format.value == asJSON {
			e := json.NewEncoder(a.stdout)
			e.SetEscapeHTML(false)
			return e.Encode(l.Records)
		}
		out := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
		for _, r := range l.Records {
			cost := ""
			if r.Cost != nil {
				cost = adaptive.Decimal(l.Filter.Spent(r.Cost.Cost), l.Filter.About().Unit)
			}
			state := string(l.State(r.ID))
			if r.Kind != ledger.KindReserve {
				state = ""
			}
			words := r.Why
			if r.Reason != "" {
				words = r.Reason
			}
			fmt.Fprintf(out, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Seq+1, r.At, r.Kind, r.ID, cost, state, printable(r.By), printable(words))
		}
		if err := out.Flush(); err != nil {
			return err
		}
		a.tell(l, "%s", numeral.Plural(len(l.Records), "record", "records"))
		return nil
	}
	return cmd
}

func (a *app) ledgerVerify() *cobra.Command {
	var head string
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "replay chain, sums, prices and decisions",
		Long: `Replay the ledger. Status 2 and the first wrong line where the chain, a sum, a
price or a decision does not hold; status 1 where a merge has recorded a breach.

The chain shows an edit to whoever holds a later head. It cannot show that the
file was rolled back: keep the head elsewhere, and check it with --head.`,
		Args:    arguments(1, 1, "one ledger FILE"),
		Example: "  epsiloscope ledger verify mobility.ledger --head 51b0c2d81f3a",
	}
	cmd.Flags().StringVar(&head, "head", "", "a `head` kept elsewhere, that must be in the chain")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		l, err := ledger.Verify(cmd.Context(), args[0], head)
		if err != nil {
			return ledgerError(err)
		}
		if b := l.Breach(); b != nil {
			return &failure{statusExceeded, fmt.Errorf("%s:%d: the chain holds, the promise does not: %s", args[0], b.Seq+1, b.Reason)}
		}
		_, err = fmt.Fprintf(a.stdout, "%s: ok, %s, head %s\n", printable(args[0]), numeral.Plural(len(l.Records), "record", "records"), l.Head())
		return err
	}
	return cmd
}

func (a *app) ledgerStatement() *cobra.Command {
	var from, to string
	cmd := &cobra.Command{
		Use:     "statement FILE",
		Short:   "the paragraph to quote, with the head",
		Args:    arguments(1, 1, "one ledger FILE"),
		Example: "  epsiloscope ledger statement mobility.ledger --from 2026-01-01 --to 2026-07-01",
	}
	cmd.Flags().StringVar(&from, "from", "", "tell also what was spent from this `date` on")
	cmd.Flags().StringVar(&to, "to", "", "… before this `date`")
	format := addOutput(cmd, asTable, asJSON, asCSV, asMarkdown, asLaTeX, asBibTeX)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var p ledger.Period
		var err error
		if p.From, err = date("--from", from); err != nil {
			return err
		}
		if p.To, err = date("--to", to); err != nil {
			return err
		}
		l, err := ledger.Read(args[0])
		if err != nil {
			return ledgerError(err)
		}
		st, err := l.Statement(cmd.Context(), p, time.Now())
		if err != nil {
			return wrong(err)
		}
		return sheet.Statement(a.stdout, st, format.value)
	}
	return cmd
}

func date(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, wrongf("%s: %q must be a date such as 2026-11-15, or a time such as 2026-11-15T09:00:00Z; both are UTC", flag, text)
}
