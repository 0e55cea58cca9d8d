package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"epsiloscope/accounting/numeral"
	"epsiloscope/ledger"
)

func (a *app) ledgerRepair() *cobra.Command {
	return a.verb(&cobra.Command{
		Use:   "repair FILE",
		Short: "put a record in the place of a torn last line, and keep its bytes",
		Long: `A writer that was killed may leave a line without an end, which was never
acknowledged. The repair keeps its bytes in a record; if the stack of a reserve
can be read from them, it is charged. If it does not fit, that is a breach, and
the exit status is 1.`,
	}, func(c *call, file *ledger.File) (output, error) {
		l, err := file.Repair()
		if errors.Is(err, ledger.ErrNotTorn) {
			return a.finishWrite(l, nil, "%s: %v", c.args[0], err)
		}
		if err != nil {
			return nil, err
		}
		charged := "nothing could be read of it"
		if r := l.Records[len(l.Records)-1]; r.Cost != nil {
			charged = "it reserved " + r.ID + ", which is charged and held"
		}
		a.printWithHead(l, "%s: the torn line is kept in line %d; %s", c.args[0], len(l.Records), charged)
		return nil, breachError(c.args[0], l, "the promise is broken")
	})
}

func (a *app) ledgerMerge() *cobra.Command {
	return a.verb(&cobra.Command{
		Use:   "merge OURS THEIRS",
		Short: "replay another branch of a ledger behind this one",
		Long: `Append to OURS what THEIRS has since both were one file. A release that was made
there and no longer fits is recorded as a breach; nothing is granted after one,
and the exit status is 1.`,
		Args: arguments(2, 2, "two ledger files, OURS and THEIRS"),
	}, func(c *call, file *ledger.File) (output, error) {
		other := a.ledgerFile(c.args[1], file.LockWait.Limit)
		theirs, err := readWithPrices(c, other)
		if err != nil {
			return nil, err
		}
		if _, err := readWithPrices(c, file); err != nil { // before anything is written
			return nil, err
		}
		l, left, err := file.Merge(theirs)
		if err != nil {
			return nil, err
		}
		for _, line := range left {
			a.tell("note: %s", line)
		}
		a.printWithHead(l, "%s: %s", c.args[0], numeral.Plural(len(l.Records), "record", "records"))
		return nil, breachError(c.args[0], l, "the promise is broken")
	})
}

// breachError returns the error of a ledger whose promise was broken.
func breachError(path string, l *ledger.Ledger, words string) error {
	if b := l.Breach(); b != nil {
		return &failure{statusExceeded, fmt.Errorf("%s:%d: %s: %s", path, b.Seq+1, words, b.Reason)}
	}
	return nil
}

func (a *app) ledgerAmend() *cobra.Command {
	var epsilon numberFlag
	var reason string
	cmd := &cobra.Command{
		Use:   "amend FILE --epsilon E --reason TEXT",
		Short: "refuse at a smaller ε from now on",
		Long: `Refuse at a smaller ε from now on. The promise to quote stays the one the ledger
was opened with: the decision to stop earlier may depend on the answers.
For anything else open a new ledger with --follows.`,
	}
	cmd.Flags().Var(&epsilon, "epsilon", "the smaller `ε`")
	cmd.Flags().StringVar(&reason, "reason", "", "`TEXT`: why")
	return a.verb(cmd, func(c *call, file *ledger.File) (output, error) {
		if !epsilon.given || reason == "" {
			return nil, errors.New("ledger amend needs --epsilon, the smaller one, and --reason")
		}
		l, err := file.Amend(epsilon.value, reason)
		if err != nil {
			return nil, err
		}
		return a.finishWrite(l, nil, "%s: refuses at ε %s now", c.args[0], l.Epsilon())
	})
}
