package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"epsiloscope/accounting/numeral"
	"epsiloscope/ledger"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/disk"
)

// Flags, a ledger and a scenario come in; a reservation is made, the command is run, and a commit or a
// cancellation goes out to the ledger.

// spendVariable tells a wrapped command under which id it releases.
const spendVariable = "EPSILOSCOPE_SPEND"

// blockFlags name what a request reads and who asks.
type blockFlags struct {
	blocks        []string
	newBlock      bool
	by, why, head string
	id            string // given by a scheduler; "" for a random one
	entry, count  int
	given         func(flag string) bool // whether a flag was given
}

func (b *blockFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&b.blocks, "block", nil, "a `BLOCK` that the request reads (repeatable)")
	cmd.Flags().BoolVar(&b.newBlock, "new-block", false, "the request may name blocks that were never charged")
	cmd.Flags().StringVar(&b.by, "by", "", "who asks (free `TEXT`; spend stores it in the ledger, so no personal data)")
	cmd.Flags().IntVar(&b.entry, "entry", 0, "ask for the `N`-th entry of the stack alone, from 1")
	b.given = cmd.Flags().Changed
	cmd.Flags().IntVar(&b.count, "count", 0, "ask for `K` releases of that entry, not for all of them")
	addHead(cmd, &b.head)
}

// request returns the scenario that is asked for: the whole stack, or one entry of it.
func (b *blockFlags) request(a *app, name string) (*scenarios.Scenario, error) {
	s, err := a.load(name)
	switch {
	case err != nil:
		return nil, err
	case b.given("count") && b.count < 1:
		return nil, fmt.Errorf("--count: must be at least 1, got %d", b.count)
	case b.given("count") && !b.given("entry"):
		return nil, errors.New("--count needs --entry: the entry that is released so often")
	case !b.given("entry"):
		return s, nil
	}
	if b.entry < 1 || b.entry > len(s.Stack) {
		return nil, fmt.Errorf("--entry: %d is not an entry of the stack, which has %s", b.entry, numeral.Plural(len(s.Stack), "entry", "entries"))
	}
	if s.Stack[b.entry-1].Disabled {
		return nil, fmt.Errorf("--entry: entry %d is disabled", b.entry)
	}
	return s.OneEntry(b.entry, float64(b.count)), nil
}

func (a *app) ledgerSpend() *cobra.Command {
	var flags blockFlags
	cmd := &cobra.Command{
		Use:   "spend FILE SCENARIO [-- COMMAND ARG…]",
		Short: "reserve a release before the data are touched, and run it",
		Long: `Reserve what the scenario's stack costs. With a command: run it with the id in
EPSILOSCOPE_SPEND and commit if it ends with status 0; any other end leaves the
reservation held, as the data may have been read. Without: print the id.
A refused request runs nothing, and the exit status is 1; it is 4 if the command
has released and the promise is broken.`,
		Args: func(cmd *cobra.Command, args []string) error {
			n := len(args)
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				if n == at {
					return wrongf("after -- a command must follow")
				}
				n = at
			}
			return arguments(2, 2, "a ledger FILE and a SCENARIO, and a command after --")(cmd, args[:n])
		},
		Example: `  epsiloscope ledger spend usage.ledger table4.yaml --by stats -- make release
  id=$(epsiloscope ledger spend usage.ledger table4.yaml)`,
		ValidArgsFunction: completeLedgers(completeScenarios),
	}
	flags.add(cmd)
	cmd.Flags().StringVar(&flags.why, "why", "", "what for (free `TEXT`; it is stored in the ledger, so no personal data)")
	cmd.Flags().StringVar(&flags.id, "id", "", "the `ID` of the reservation, for a scheduler that may ask twice: one reservation, run once")
	return a.verb(cmd, func(c *call, file *ledger.Stored) (output, error) {
		command := c.args[2:]
		if len(command) > 0 { // before anything is reserved
			if _, err := exec.LookPath(command[0]); err != nil {
				return nil, fmt.Errorf("the command %s cannot be run, and nothing was reserved: %s", printable(command[0]), whyNotRun(err))
			}
		}
		s, err := flags.request(a, c.args[1])
		if err != nil {
			return nil, err
		}
		file.Head, file.NewBlocks, file.Command, file.ID = flags.head, flags.newBlock, len(command) > 0, flags.id
		file.Check = func(l *ledger.Ledger) error { return l.VerifyPlan(c) }
		id, l, err := file.Reserve(s, flags.blocks, flags.by, flags.why)
		if err != nil {
			if refused := new(ledger.Refused); errors.As(err, &refused) {
				a.printWithHead(l, "%s", refused.Numbers())
			}
			return nil, err
		}
		a.printWithHead(l, "reserved %s", id)
		if len(command) == 0 {
			return textLines{id}, nil
		}
		return a.release(c, file, id, l, command)
	})
}

// release runs the command of a reservation. Its output is its own: it is not read. A signal
// ends the command, not the wait for it: the user must be told what is charged. At a terminal
// all but SIGTERM go to both, so they are passed on only elsewhere. granted is the ledger as it
// was when the release was granted.
func (a *app) release(ctx context.Context, file *ledger.Stored, id string, granted *ledger.Ledger,
	command []string) (output, error) {
	run := exec.CommandContext(ctx, command[0], command[1:]...)
	run.Stdin, run.Stdout, run.Stderr = a.stdin, a.stdout, a.stderr
	run.Env = append(os.Environ(), spendVariable+"="+id)
	in, ok := a.stdin.(*os.File)
	terminal := ok && term.IsTerminal(in.Fd())
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, os.Interrupt, syscall.SIGTERM)
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) { // as under nohup
			signal.Notify(ended, s)
		}
	}
	defer func() {
		signal.Stop(ended)
		close(ended)
	}()
	if err := run.Start(); err != nil {
		return nil, a.giveBack(file, id, err)
	}
	go func() {
		for s := range ended {
			if s == syscall.SIGTERM || !terminal {
				_ = run.Process.Signal(s)
			}
		}
	}()
	debug.FreeOSMemory() // the command may need it, and may take hours
	return a.finishRelease(file, id, granted, run.Wait())
}

// giveBack cancels the reservation of a command that was never started.
func (a *app) giveBack(file *ledger.Stored, id string, cause error) error {
	l, err := file.GiveBack(id)
	if err != nil {
		return &ledger.SystemError{Err: fmt.Errorf("the command could not be started (%w), and %s could not be cancelled: %w", cause, id, err)}
	}
	a.printWithHead(l, "cancelled %s", id)
	return fmt.Errorf("the command could not be started, and nothing is reserved: %s", whyNotRun(cause))
}

// whyNotRun says in words why a command cannot be run.
func whyNotRun(err error) string {
	if errors.Is(err, exec.ErrNotFound) {
		return "there is no such program in the folders of PATH"
	}
	return disk.Reason(err)
}

// finishRelease records how the command ended, and says what was found: the ledger may have
// been cancelled, rolled back or replaced meanwhile.
func (a *app) finishRelease(file *ledger.Stored, id string, granted *ledger.Ledger, ended error) (output, error) {
	var status *int
	if ended == nil {
		status = new(int)
	}
	head := granted.Head()
	l, found, err := file.Finish(id, granted, status)
	if found != "" {
		a.tell("note: %s", found)
	}
	if err != nil {
		how := "the release was made"
		if ended != nil {
			how = fmt.Sprintf("the command ended with %v, and may have read the data", ended)
		}
		return nil, &ledger.SystemError{Err: fmt.Errorf("%s; it could not be recorded, and it is not known whether %s is charged: %w. Do not use this ledger until the line that reserved it is in it again; the head was %s", how, id, err, head)}
	}
	if err := breachError(file.Path, l, "the promise is broken"); err != nil {
		return nil, err
	}
	if ended != nil {
		held := l.Records[len(l.Records)-1].ID
		if l.State(id) == ledger.Held {
			held = id
		}
		return nil, &ledger.SystemError{Err: fmt.Errorf("the command ended with %w; %s stays held and counts as spent, as it may have read the data. If it never opened them: epsiloscope ledger cancel %s %s --force --reason …", ended, held, numeral.Argument(file.Path), held)}
	}
	return a.finishWrite(l, nil, "committed %s", id)
}

func (a *app) ledgerCommit() *cobra.Command {
	var artifact string
	cmd := &cobra.Command{
		Use:               "commit FILE ID",
		Short:             "record that a reserved release was made",
		Args:              arguments(2, 2, "a ledger FILE and an ID"),
		ValidArgsFunction: completeReservations,
	}
	cmd.Flags().StringVar(&artifact, "artifact", "", "a `NAME` for what came out, such as its sha256")
	return a.verb(cmd, func(c *call, file *ledger.Stored) (output, error) {
		l, err := file.Commit(c.args[1], nil, artifact)
		if err != nil {
			return nil, err
		}
		if id := l.ChargedAs(c.args[1]); id != c.args[1] {
			a.tell("note: %s had been cancelled; its release is charged again, as %s", c.args[1], id)
		}
		if err := breachError(file.Path, l, "the promise is broken"); err != nil {
			return nil, err
		}
		return a.finishWrite(l, nil, "committed %s", c.args[1])
	})
}

func (a *app) ledgerCancel() *cobra.Command {
	var reason string
	var force bool
	cmd := &cobra.Command{
		Use:   "cancel FILE ID --reason TEXT",
		Short: "cancel a reservation whose data were never read",
		Long: `Cancel a reservation. This is for a program that never opened the data. What
failed while it was reading them stays spent: no refund may depend on an answer.
A reservation made with a command needs --force: the command may be running
even if the process that started it was killed.`,
		Args:              arguments(2, 2, "a ledger FILE and an ID"),
		ValidArgsFunction: completeReservations,
	}
	cmd.Flags().StringVar(&reason, "reason", "", "`TEXT`: why the data were never touched")
	cmd.Flags().BoolVar(&force, "force", false, "cancel what was reserved with a command: it is known not to have read the data")
	return a.verb(cmd, func(c *call, file *ledger.Stored) (output, error) {
		if reason == "" {
			return nil, errors.New("ledger cancel needs --reason: why the data were never touched")
		}
		l, err := file.Cancel(c.args[1], reason, force)
		return a.finishWrite(l, err, "cancelled %s", c.args[1])
	})
}
