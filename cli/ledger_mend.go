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
		Short: "mend a last line without an end",
		Long: `A writer that was killed, or another program, may leave a last line without an
end. A whole line only gets its end back. A cut line was never acknowledged; its
bytes are kept in a record. If the stack of a reservation can be read from them,
it is charged; if it does not fit, that is a breach, and the exit status is 4.
If it may have been a reservation and cannot be read, nothing is granted until
it is cancelled by force or committed.`,
	}, func(c *call, file *ledger.Stored) (output, error) {
		l, err := file.Repair()
		if errors.Is(err, ledger.ErrNotTorn) {
			return a.finishWrite(l, nil, "%s: %v", c.args[0], err)
		}
		if err != nil {
			return nil, err
		}
		r := l.Records[len(l.Records)-1]
		charged := "it reserved nothing"
		switch {
		case len(r.Bytes) == 0:
			return a.finishWrite(l, nil, "%s: line %d is whole, and has its end again", c.args[0], len(l.Records))
		case r.Cost != nil:
			charged = "it reserved " + r.ID + ", which is charged and held"
		case l.UndecidedRecord() != nil:
			charged = fmt.Sprintf("it may have reserved a release, at a cost that cannot be read: nothing is granted until it is decided. If its data were never read: epsiloscope ledger cancel %s %s --force --reason …; if the release was made, the promise is broken: epsiloscope ledger commit %s %s",
				numeral.Argument(c.args[0]), r.ID, numeral.Argument(c.args[0]), r.ID)
		}
		a.printWithHead(l, "%s: the torn line is kept in line %d; %s", c.args[0], len(l.Records), charged)
		return nil, breachError(c.args[0], l, "the promise is broken")
	})
}

// breachError returns the error of a ledger whose promise was broken.
func breachError(path string, l *ledger.Ledger, words string) error {
	if b := l.Breach(); b != nil {
		return &failure{statusBroken, fmt.Errorf("%s:%d: %s: %s", path, b.Seq+1, words, b.Reason)}
	}
	return nil
}
