package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"epsiloscope/ledger"
)

func (a *app) ledgerRepair() *cobra.Command {
	return a.verb(&cobra.Command{
		Use:   "repair FILE",
		Short: "put a record in the place of a torn last line, and keep its bytes",
		Long: `A writer that was killed may leave a line without an end, which was never
acknowledged. The repair keeps its bytes in a record; if the stack of a reserve
can be read from them, it is charged. If it does not fit, that is a breach, and
the exit status is 4.`,
	}, func(c *call, file *ledger.Stored) (output, error) {
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

// breachError returns the error of a ledger whose promise was broken.
func breachError(path string, l *ledger.Ledger, words string) error {
	if b := l.Breach(); b != nil {
		return &failure{statusBroken, fmt.Errorf("%s:%d: %s: %s", path, b.Seq+1, words, b.Reason)}
	}
	return nil
}
