package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/accounting/numeral"
	"epsiloscope/ledger"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

func (a *app) ledgerShow() *cobra.Command {
	var block string
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "promise, spent, held, left, what still fits, odometer, head",
		Long: `Show the state of the ledger, with three values of ε: the promise; the odometer,
valid even if the time to stop depends on the outputs; and that of the same
releases as a plan fixed in advance, which may not be quoted.

With -o yaml: all that was spent, as a scenario for the other commands.`,
		Example: "  epsiloscope ledger show mobility.ledger -o yaml | epsiloscope compare -",
	}
	cmd.Flags().StringVar(&block, "block", "", "with -o yaml: what was charged to this `BLOCK`")
	return a.verb(cmd, func(c *call, file *ledger.Stored) (output, error) {
		switch {
		case c.format != asYAML && block != "":
			return nil, errors.New("--block goes with -o yaml")
		case c.format != asYAML:
			return statusOf(c, file)
		}
		l, err := readWithPrices(c, file)
		if err != nil {
			return nil, err
		}
		all, err := l.SpentScenario(block)
		switch {
		case err != nil:
			return nil, err
		case block != "" && len(all.Stack) == 0: // which would be a scenario that costs nothing
			return nil, fmt.Errorf("--block: nothing was charged to %q", block)
		}
		all.Answers = map[scenarios.ReviewPoint]string{scenarios.PointAdaptive: "yes, a ledger was asked release by release"}
		all.Description = "What a ledger has charged. Costs may have depended on earlier answers, so the bounds of this scenario, which hold for a plan fixed in advance, may not be quoted for it; its promise may."
		a.tell("note: the bounds of this scenario hold for a plan fixed in advance; of the ledger, quote what ledger statement says")
		return scenarioFile(all)
	}, asTable, asJSON, asYAML)
}

// statusOf returns how a ledger stands now.
func statusOf(ctx context.Context, file *ledger.Stored) (output, error) {
	l, err := readWithPrices(ctx, file)
	if err != nil {
		return nil, err
	}
	s := l.Status(ctx, time.Now())
	lines := l.StatusLines(s)
	if weak := file.Weak(); weak != "" {
		lines = append(lines, report.Line{Role: report.Field, Name: "connection", Text: weak})
	}
	return facts{lines, s}, nil
}

func (a *app) ledgerLog() *cobra.Command {
	return a.verb(&cobra.Command{Use: "log FILE", Short: "every record, oldest first"}, func(c *call, file *ledger.Stored) (output, error) {
		l, err := file.Read()
		if err != nil {
			return nil, err
		}
		return written(func(w io.Writer, format string) error { return a.writeLog(w, format, l) }), nil
	}, asTable, asJSON)
}

func (a *app) writeLog(w io.Writer, format string, l *ledger.Ledger) error {
	if format == asJSON {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		return e.Encode(l.Records)
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range l.Records {
		cost, state := "", ""
		if r.Cost != nil {
			cost, state = adaptive.Decimal(l.Filter.Spent(r.Cost.Cost), l.Filter.Describe().Unit), string(l.State(r.ID))
		}
		blocks := ""
		if l.Promise.Blocks != "" {
			blocks = printable(strings.Join(r.Blocks, ", ")) + "\t"
		}
		fmt.Fprintf(out, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s%s\n", r.Seq+1, r.At, r.Kind, r.ID, cost, state, printable(r.By), blocks,
			printable(cmp.Or(r.Reason, r.Why)))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	a.printWithHead(l, "%s", numeral.Plural(len(l.Records), "record", "records"))
	return nil
}

func (a *app) ledgerVerify() *cobra.Command {
	var head string
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "replay chain, sums, prices and decisions",
		Long: `Replay the ledger. Exit status 2, with the first wrong line, if the chain, a
sum, a price or a decision is wrong; 4 if a breach is recorded.

The chain reveals an edit to anyone who has a later head. It cannot reveal that
the file was rolled back: keep the head elsewhere, and check it with --head.`,
		Example: "  epsiloscope ledger verify mobility.ledger --head 51b0c2d81f3a9e07",
	}
	addHead(cmd, &head)
	return a.verb(cmd, func(c *call, file *ledger.Stored) (output, error) {
		file.Head = head
		if part := a.progress.part; part != nil {
			file.Progress = func(done, total int) { part.Store(int64(100 * done / max(1, total))) }
		}
		l, err := file.Verify(c)
		if err == nil {
			err = breachError(c.args[0], l, "the chain holds, the promise does not")
		}
		if err != nil {
			return nil, err
		}
		for _, jump := range l.TimeJumps() {
			a.tell("note: %s; a window returns budget by the times of the writers", jump)
		}
		if c.format == asJSON {
			return facts{data: verified{c.args[0], true, len(l.Records), l.Head()}}, nil
		}
		return textLines{fmt.Sprintf("%s: ok, %s, head %s", printable(c.args[0]), numeral.Plural(len(l.Records), "record", "records"), l.Head())}, nil
	}, asTable, asJSON)
}

// verified is a ledger whose replay found nothing wrong. One with a mistake has no JSON: the error says which line, and
// the exit status is not 0.
type verified struct {
	File    string `json:"file"`
	OK      bool   `json:"ok"`
	Records int    `json:"records"`
	Head    string `json:"head"`
}
