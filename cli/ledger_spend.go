package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/ledger"
)

// spendVariable tells a wrapped command under which id it releases.
const spendVariable = "EPSILOSCOPE_SPEND"

// blockFlags name what a request reads and who asks.
type blockFlags struct {
	blocks  []string
	by, why string
}

func (b *blockFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&b.blocks, "block", nil, "a `block` that the request reads (repeatable)")
	cmd.Flags().StringVar(&b.by, "by", "", "who asks: your words, never data")
}

func (a *app) ledgerSpend() *cobra.Command {
	var flags blockFlags
	cmd := &cobra.Command{
		Use:   "spend FILE SCENARIO [-- COMMAND ARG…]",
		Short: "reserve a release before the data are touched, and run it",
		Long: `Reserve what the scenario's stack costs. With a command: run it with the id in
EPSILOSCOPE_SPEND and commit if it ends with status 0; any other end leaves the
reserve held, as the data may have been read. Without: print the id.
A refused request runs nothing, and the exit status is 1.`,
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
	}
	flags.add(cmd)
	cmd.Flags().StringVar(&flags.why, "why", "", "what for: your words, never data")
	return a.verb(cmd, func(c *call) (output, error) {
		command := c.args[2:]
		if len(command) > 0 { // before anything is reserved
			if _, err := exec.LookPath(command[0]); err != nil {
				return nil, fmt.Errorf("the command cannot be run, and nothing was reserved: %w", err)
			}
		}
		s, err := scenarios.LoadNamed(c.args[1], a.stdin)
		if err != nil {
			return nil, err
		}
		file := ledger.NewFile(c.args[0])
		id, l, err := file.Reserve(s, flags.blocks, flags.by, flags.why)
		if err != nil {
			if refused := new(ledger.Refused); errors.As(err, &refused) {
				a.printWithHead(l, "%s", refused.Numbers())
			}
			return nil, err
		}
		a.printWithHead(l, "reserved %s", id)
		if len(command) == 0 {
			return printed(id), nil
		}
		return a.release(c, file, id, command)
	})
}

// release runs the command of a reserve. Its output is its own: it is not read. A signal
// ends the command, not the wait for it: somebody must be told that the reserve is held. At a terminal
// all but SIGTERM go to both, so they are passed on only elsewhere.
func (a *app) release(ctx context.Context, file *ledger.File, id string, command []string) (output, error) {
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
	err := run.Start()
	if err == nil {
		go func() {
			for s := range ended {
				if s == syscall.SIGTERM || !terminal {
					_ = run.Process.Signal(s)
				}
			}
		}()
		err = run.Wait()
	}
	if err != nil {
		return nil, &ledger.SystemError{Err: fmt.Errorf("the command ended with %w; %s stays held and counts as spent, as it may have read the data. If it never opened them: epsiloscope ledger cancel %s %s --reason …", err, id, numeral.Argument(file.Path), id)}
	}
	status := 0
	l, err := file.Commit(id, &status, "")
	if err != nil {
		err = fmt.Errorf("the release was made, and %s could not be committed; it counts as spent: %w", id, err)
	}
	return a.finishWrite(l, err, "committed %s", id)
}

func (a *app) ledgerCommit() *cobra.Command {
	var artifact string
	cmd := &cobra.Command{
		Use:   "commit FILE ID",
		Short: "the reserved release was made",
		Args:  arguments(2, 2, "a ledger FILE and an ID"),
	}
	cmd.Flags().StringVar(&artifact, "artifact", "", "a `name` for what came out, such as its sha256")
	return a.verb(cmd, func(c *call) (output, error) {
		l, err := ledger.NewFile(c.args[0]).Commit(c.args[1], nil, artifact)
		return a.finishWrite(l, err, "committed %s", c.args[1])
	})
}

func (a *app) ledgerCancel() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:   "cancel FILE ID --reason TEXT",
		Short: "the data were never touched; gives the reserve back",
		Long: `Give a reserve back. This is for a program that never opened the data. What
failed while it was reading them stays spent: no refund may depend on an answer.`,
		Args: arguments(2, 2, "a ledger FILE and an ID"),
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why the data were never touched")
	return a.verb(cmd, func(c *call) (output, error) {
		if reason == "" {
			return nil, errors.New("ledger cancel needs --reason: why the data were never touched")
		}
		l, err := ledger.NewFile(c.args[0]).Cancel(c.args[1], reason)
		return a.finishWrite(l, err, "cancelled %s", c.args[1])
	})
}
