package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"epsiloscope/ledger"
	"epsiloscope/report"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
)

func (a *app) ledgerCommand() *cobra.Command {
	return family(&cobra.Command{
		Use:   "ledger",
		Short: "record what is spent, and refuse what would exceed the promise",
		Long: `A ledger is a file beside the data that records every release, refuses one that
would break the promise, and shows afterwards what was promised. Costs may
depend on earlier answers: its filters are for fully adaptive composition.

FILE is a path or, for several machines, an address of PostgreSQL and the schema
of the ledger: postgres://user@host/database#schema. A password belongs in
~/.pgpass or PGPASSWORD, never in the address.`,
	},
		a.ledgerNew(), a.ledgerAsk(), a.ledgerSpend(), a.ledgerCommit(), a.ledgerCancel(),
		a.ledgerShow(), a.ledgerLog(), a.ledgerVerify(), a.ledgerStatement(), a.ledgerExport(),
		a.ledgerMove(), a.ledgerSchema(), a.ledgerHome(), a.ledgerReadmit(), a.ledgerRepair(),
	)
}

// verb completes a subcommand of ledger, whose first argument is the ledger file.
func (a *app) verb(
	cmd *cobra.Command, run func(*call, *ledger.Stored) (output, error), formats ...string,
) *cobra.Command {
	if cmd.Args == nil {
		cmd.Args = arguments(1, 1, "one ledger FILE")
	}
	if cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = completeLedgers(cobra.NoFileCompletions)
	}
	var wait time.Duration
	cmd.Flags().DurationVar(&wait, "wait", ledger.DefaultWait, "wait at most this `DURATION` for the ledger's lock")
	return a.outputCommand(cmd, formats, func(c *call) (output, error) {
		if wait <= 0 {
			return nil, fmt.Errorf("--wait: %s must be above 0, as in 30s", wait)
		}
		defer a.showProgress("ledger " + cmd.Name())()
		file, err := ledger.Open(c.args[0], a.lockWait(wait))
		if err != nil {
			return nil, err
		}
		return run(c, file)
	})
}

// lockWait returns how long to wait for the lock of a ledger. While another process holds it, a message on standard
// error says so.
func (a *app) lockWait(limit time.Duration) ledger.LockWait {
	return ledger.LockWait{Limit: limit, Notice: func(text string) { a.tell("%s", text) }}
}

// addHead adds the flag --head: the hash of a line that the chain must contain.
func addHead(cmd *cobra.Command, head *string) {
	cmd.Flags().StringVar(head, "head", "", "a `HEAD` kept elsewhere, that must be in the chain")
}

// readWithPrices reads a ledger with all its prices, those of a fixed plan too.
func readWithPrices(ctx context.Context, f *ledger.Stored) (*ledger.Ledger, error) {
	l, err := f.Read()
	if err == nil {
		err = l.VerifyPlan(ctx)
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// printWithHead prints a message and the head of the ledger, so that users can keep the head elsewhere.
func (a *app) printWithHead(l *ledger.Ledger, format string, args ...any) {
	a.tell("%s; head %s", fmt.Sprintf(format, args...), l.Head())
}

// finishWrite returns err or, if it is nil, prints the message and the new head.
func (a *app) finishWrite(l *ledger.Ledger, err error, format string, args ...any) (output, error) {
	if err == nil {
		a.printWithHead(l, format, args...)
	}
	return nil, err
}

func (a *app) ledgerAsk() *cobra.Command {
	var flags blockFlags
	cmd := &cobra.Command{
		Use:   "ask FILE SCENARIO",
		Short: "what a scenario would cost and what would be left; writes nothing",
		Long: `Say what the scenario's stack would cost the ledger and what would be left.
Nothing is written. The exit status is 0 if it fits and 1 if it does not.`,
		Args:              arguments(2, 2, "a ledger FILE and a SCENARIO"),
		Example:           "  epsiloscope ledger ask mobility.ledger request.yaml || exit 1",
		ValidArgsFunction: completeLedgers(completeScenarios),
	}
	flags.add(cmd)
	return a.verb(cmd, func(c *call, file *ledger.Stored) (output, error) {
		s, err := flags.request(a, c.args[1])
		if err != nil {
			return nil, err
		}
		file.Head, file.NewBlocks = flags.head, flags.newBlock
		l, err := readWithPrices(c, file)
		if err != nil {
			return nil, err
		}
		answer, err := l.Ask(s, flags.blocks, flags.by, time.Now())
		if err != nil {
			return nil, err
		}
		if !answer.Fits {
			err = &failure{statusExceeded, errors.New(answer.Verdict())}
		}
		if harm, known := harmOfRequest(c, s); known {
			answer.Advantage = &harm
		}
		return facts{answerLines(answer), answer}, err
	}, asTable, asJSON)
}

// harmOfRequest returns the certified membership advantage of what is asked for, by itself; false if there is none. It
// is information: the filter does not decide by it, and harms of several requests do not add up to that of all of them.
func harmOfRequest(ctx context.Context, s *scenarios.Scenario) (float64, bool) {
	ev := scenarios.NewEvaluator()
	profile, err := ev.Profile(ctx, s)
	if err != nil || profile.LowerEndError() != nil {
		return 1, false
	}
	advantage, err := profile.Advantage(ev.Context(ctx))
	return advantage.Upper, err == nil
}

func answerLines(a *ledger.Answer) []report.Line {
	fits, copies := "no", report.Line{Name: "copies that fit", Text: "any number: it costs nothing"}
	if a.Fits {
		fits = "yes"
	}
	switch {
	case a.FittingReleases != nil:
		copies = report.Line{Name: "would fit", Text: fmt.Sprintf("%s of its %s releases", a.FittingReleases, a.TotalReleases)}
	case a.Largest != nil:
		copies.Text = a.Largest.String()
	}
	harm := ""
	if a.Advantage != nil {
		harm = fmt.Sprintf("membership advantage at most %s by this request alone; for information, the filter does not use it", report.Upper(*a.Advantage))
	}
	list := []report.Line{{Name: "fits", Text: fits}, {Name: "filter", Text: a.Filter.Title}, {Name: "block", Text: a.Block}}
	list = append(list, a.Lines()...)
	return append(list, copies,
		report.Line{Name: "another filter", Text: a.OtherFilter},
		report.Line{Name: "harm", Text: harm},
		report.Line{Name: "head", Text: a.Head})
}

func (a *app) ledgerStatement() *cobra.Command {
	var from, until string
	cmd := &cobra.Command{
		Use:     "statement FILE",
		Short:   "the paragraph to quote, with the hash of the last record",
		Example: "  epsiloscope ledger statement mobility.ledger --from 2026-01-01 \\\n      --until 2026-07-01",
	}
	cmd.Flags().StringVar(&from, "from", "", "say also what was spent from this `DATE` on")
	cmd.Flags().StringVar(&until, "until", "", "… before this `DATE`")
	var head string
	addHead(cmd, &head)
	return a.verb(cmd, func(c *call, file *ledger.Stored) (_ output, err error) {
		var p ledger.Period
		if p.From, err = date("--from", from); err != nil {
			return nil, err
		}
		if p.To, err = date("--until", until); err != nil {
			return nil, err
		}
		file.Head = head
		l, err := readWithPrices(c, file)
		if err != nil {
			return nil, err
		}
		st, err := l.Statement(c, p, time.Now())
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
