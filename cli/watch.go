package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/disk"
)

func (a *app) watchCommand() *cobra.Command {
	var target targetFlags
	var changes int
	cmd := &cobra.Command{
		Use:   "watch FILE",
		Short: "re-evaluate on every save, one line per change",
		Long: `Re-evaluate a scenario file whenever it is saved: one line per change, with the
time, the best bound and how far it moved. Errors in the file are reported on
standard error, and watching continues. Ctrl-C ends it.`,
		Args: arguments(1, 1, "one FILE"),
		Example: `  epsiloscope watch plan.yaml
  epsiloscope watch plan.yaml --changes 1    # evaluate once and end`,
	}
	target.add(cmd)
	cmd.Flags().IntVar(&changes, "changes", 0, "end after `N` lines (default: never)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if changes < 0 || changes == 0 && cmd.Flags().Changed("changes") {
			return wrongf("--changes: must be at least 1")
		}
		if info, err := os.Stat(args[0]); err != nil {
			return wrongf("%s: %s", args[0], disk.Reason(err))
		} else if info.IsDir() {
			return wrongf("%s: is a directory", args[0])
		}
		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
		defer stop()
		saves, err := disk.Follow(ctx, args[0])
		if err != nil {
			return fmt.Errorf("%s cannot be watched: %w", args[0], err)
		}
		w := watch{app: a, path: args[0], target: &target, left: changes, now: time.Now}
		return w.run(ctx, saves)
	}
	return cmd
}

// watch is a file being looked at.
type watch struct {
	*app
	path   string
	target *targetFlags
	left   int // lines still to print; 0: no end
	now    func() time.Time

	last    *scenarios.Scenario // what the last line was about; nil after a mistake
	result  *scenarios.Result
	problem string // the mistake last told; "" after a good line
}

// seen is the result of reading the file once.
type seen struct {
	scenario *scenarios.Scenario
	result   *scenarios.Result
	err      error
}

// run prints a line at once and one for every save that changes something. A save
// during an evaluation ends that evaluation, so that at most one is under way.
func (w *watch) run(ctx context.Context, saves <-chan struct{}) error {
	for {
		look, cancel := context.WithCancel(ctx)
		found := make(chan seen, 1)
		go func() { found <- w.look(look) }()
		select {
		case <-saves:
			cancel()
			<-found // nothing outlives its loop
			continue
		case <-ctx.Done():
			cancel()
			<-found
			return nil
		case f := <-found:
			cancel()
			if ctx.Err() != nil {
				return nil
			}
			if done, err := w.tell(f); done || err != nil {
				return err
			}
		}
		select {
		case <-saves:
		case <-ctx.Done():
			return nil
		}
	}
}

func (w *watch) look(ctx context.Context) seen {
	s, err := scenarios.LoadSettled(ctx, w.path)
	if err != nil {
		return seen{err: err}
	}
	if err := w.target.apply(s); err != nil {
		return seen{err: err}
	}
	if w.last != nil && w.last.Equal(s) {
		return seen{scenario: s, result: w.result}
	}
	r, err := scenarios.Evaluate(ctx, s, w.target.options())
	return seen{s, r, err}
}

// tell prints what was found, if it is new, and reports whether that was the last.
func (w *watch) tell(f seen) (done bool, err error) {
	stamp := w.now().Format(time.TimeOnly)
	switch {
	case errors.Is(f.err, disk.ErrUnsettled):
		return false, nil // its last change is still to be told of
	case f.err != nil:
		problem := firstProblem(f.err)
		if problem == w.problem {
			return false, nil
		}
		w.last, w.problem = nil, problem
		fmt.Fprintf(w.stderr, "%s  %s\n", stamp, printable(problem))
	case w.last != nil && f.result == w.result:
		return false, nil // saved, and nothing that counts has changed
	default:
		line := fmt.Sprintf("%s  %s%s", stamp, report.Answer(f.result), changeText(w.result, f.result))
		if verdict := report.Verdict(f.result); verdict != "" {
			line += "; " + verdict
		}
		if _, err := fmt.Fprintln(w.stdout, line); err != nil {
			return true, err
		}
		w.last, w.result, w.problem = f.scenario, f.result, ""
	}
	w.left--
	return w.left == 0, nil
}

// changeText says how far the best bound went since the last good line.
func changeText(before, now *scenarios.Result) string {
	was, is := before.BestBound(), now.BestBound()
	if !was.Finite() || !is.Finite() {
		return ""
	}
	change := is.Epsilon - was.Epsilon
	switch {
	case change > 0:
		return ", up " + report.Upper(change)
	case change < 0:
		return ", down " + report.Lower(-change)
	}
	return ", unchanged"
}

// firstProblem returns the first mistake of a file, in one line.
func firstProblem(err error) string {
	var all scenarios.Errors
	if errors.As(err, &all) && len(all) > 1 {
		return fmt.Sprintf("%s (and %d more)", all[0].Error(), len(all)-1)
	}
	return err.Error()
}
