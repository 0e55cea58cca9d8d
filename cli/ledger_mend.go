package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"epsiloscope/mechanisms/numeral"
	"epsiloscope/scenarios/ledger"
)

func (a *app) ledgerRepair() *cobra.Command {
	return &cobra.Command{
		Use:   "repair FILE",
		Short: "put a record in the place of a torn last line, and keep its bytes",
		Long: `A writer that was killed may leave a line without an end, which was never
acknowledged. The repair keeps its bytes in a torn record; if the cost of a
reserve can be read from them, it is charged.`,
		Args: arguments(1, 1, "one ledger FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			l, err := ledger.At(args[0]).Repair()
			if errors.Is(err, ledger.ErrWhole) {
				a.tell(l, "%s: %v", args[0], err)
				return nil
			}
			if err != nil {
				return ledgerError(err)
			}
			charged := "nothing could be read of it"
			if r := l.Records[len(l.Records)-1]; r.Cost != nil {
				charged = "it reserved " + r.ID + ", which is charged and held"
			}
			a.tell(l, "%s: the torn line is kept in line %d; %s", args[0], len(l.Records), charged)
			return nil
		},
	}
}

func (a *app) ledgerMerge() *cobra.Command {
	return &cobra.Command{
		Use:   "merge OURS THEIRS",
		Short: "replay another branch of a ledger behind this one",
		Long: `Append to OURS what THEIRS has since both were one file. A release that was made
there and no longer fits is recorded as a breach; nothing is granted after one,
and the exit status is 1.`,
		Args: arguments(2, 2, "two ledger files, OURS and THEIRS"),
		RunE: func(_ *cobra.Command, args []string) error {
			theirs, err := ledger.Read(args[1])
			if err != nil {
				return ledgerError(err)
			}
			l, left, err := ledger.At(args[0]).Merge(theirs)
			if err != nil {
				return ledgerError(err)
			}
			for _, line := range left {
				fmt.Fprintf(a.stderr, "note: %s\n", printable(line))
			}
			a.tell(l, "%s: %s", args[0], numeral.Plural(len(l.Records), "record", "records"))
			if b := l.Breach(); b != nil {
				return &failure{statusExceeded, fmt.Errorf("%s:%d: the promise is broken: %s", args[0], b.Seq+1, b.Reason)}
			}
			return nil
		},
	}
}

func (a *app) ledgerAmend() *cobra.Command {
	var epsilon numberFlag
	var reason string
	cmd := &cobra.Command{
		Use:   "amend FILE --epsilon E --reason TEXT",
		Short: "refuse at a smaller ε from now on",
		Long: `Refuse at a smaller ε from now on. The promise to quote stays the one the ledger
was opened with: the decision to stop earlier may have been taken by looking.
For anything else open a new ledger with --follows.`,
		Args: arguments(1, 1, "one ledger FILE"),
	}
	cmd.Flags().Var(&epsilon, "epsilon", "the smaller `ε`")
	cmd.Flags().StringVar(&reason, "reason", "", "why")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if epsilon.value == nil {
			return wrongf("ledger amend needs --epsilon")
		}
		l, err := ledger.At(args[0]).Amend(*epsilon.value, reason)
		if err != nil {
			return ledgerError(err)
		}
		a.tell(l, "%s: refuses at ε %s now", args[0], l.Epsilon())
		return nil
	}
	return cmd
}
