package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"epsiloscope/scenarios/ledger"
	"epsiloscope/scenarios/report/sheet"
)

func (a *app) ledgerCommand() *cobra.Command {
	return family(&cobra.Command{
		Use:   "ledger",
		Short: "a record of what was really spent, with a filter that refuses",
		Long: `A ledger is a file beside the data that remembers every release, refuses the one
that would break the promise, and shows afterwards what was promised. Costs may
be chosen after looking at earlier answers: its filters hold for that.`,
	},
		a.ledgerNew(), a.ledgerAsk(), a.ledgerSpend(), a.ledgerCommit(), a.ledgerCancel(), a.ledgerShow(), a.ledgerLog(),
		a.ledgerVerify(), a.ledgerStatement(), a.ledgerAmend(), a.ledgerRepair(), a.ledgerMerge(),
	)
}

// verb completes a command about a ledger: what it prints, in one of the formats if it has
// several, and the exit status of its error.
func (a *app) verb(cmd *cobra.Command, run func(ctx context.Context, args []string) (output, error), formats ...string) *cobra.Command {
	if cmd.Args == nil {
		cmd.Args = arguments(1, 1, "one ledger FILE")
	}
	format := &choiceFlag{}
	if len(formats) > 0 {
		format = addOutput(cmd, formats...)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		out, err := run(cmd.Context(), args)
		if out != nil {
			if err := out.Write(a.stdout, format.value); err != nil {
				return err
			}
		}
		return ledgerError(err)
	}
	return cmd
}

// ledgerError gives what a ledger says its exit status: 1 a refusal, 3 what the system
// could not do, 2 anything else, which is the user's or the file's.
func ledgerError(err error) error {
	var refused *ledger.Refused
	var trouble *ledger.Trouble
	var told *failure
	switch {
	case err == nil || errors.As(err, &told) || errors.As(err, &trouble):
		return err
	case errors.As(err, &refused):
		return &failure{statusExceeded, err}
	}
	return wrong(err)
}

// tell prints the head, which every command does: somebody should keep it elsewhere.
func (a *app) tell(l *ledger.Ledger, format string, args ...any) {
	fmt.Fprintf(a.stderr, "%s; head %s\n", printable(fmt.Sprintf(format, args...)), l.Head())
}

// told ends a command that wrote a record: with its error, or by telling what it did.
func (a *app) told(l *ledger.Ledger, err error, format string, args ...any) (output, error) {
	if err == nil {
		a.tell(l, format, args...)
	}
	return nil, err
}

func (a *app) ledgerStatement() *cobra.Command {
	var from, to string
	cmd := &cobra.Command{
		Use:     "statement FILE",
		Short:   "the paragraph to quote, with the head",
		Example: "  epsiloscope ledger statement mobility.ledger --from 2026-01-01 --to 2026-07-01",
	}
	cmd.Flags().StringVar(&from, "from", "", "tell also what was spent from this `date` on")
	cmd.Flags().StringVar(&to, "to", "", "… before this `date`")
	return a.verb(cmd, func(ctx context.Context, args []string) (_ output, err error) {
		var p ledger.Period
		if p.From, err = date("--from", from); err != nil {
			return nil, err
		}
		if p.To, err = date("--to", to); err != nil {
			return nil, err
		}
		l, err := ledger.Read(args[0])
		if err != nil {
			return nil, err
		}
		st, err := l.Statement(ctx, p, time.Now())
		if err != nil {
			return nil, err
		}
		return sheet.Statement(st), nil
	}, append(tables, asBibTeX)...)
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
	return time.Time{}, fmt.Errorf("%s: %q must be a date such as 2026-11-15, or a time such as 2026-11-15T09:00:00Z; both are UTC", flag, text)
}
