// Package jobs runs work outside Update: in the background, after a pause, one of a kind at
// a time. Starting a [Job] again cancels the one under way and drops its late answers, and
// no work outlives its [Pool].
package jobs

import (
	"context"
	"fmt"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
)

// Work comes in as a function; a Bubble Tea command goes out that runs it in the background and can be
// cancelled.

// The pauses before work that is not instant, so that a held key does not start it
// again and again. Closed forms do not wait.
const (
	PauseRefine = 40 * time.Millisecond
	PauseChart  = 60 * time.Millisecond
	PauseLeft   = 120 * time.Millisecond
)

// Pool runs work outside Update and sees to it that none outlives the program.
type Pool struct {
	Ctx    context.Context
	Cancel context.CancelFunc

	mu       sync.Mutex
	closed   bool
	wg       sync.WaitGroup
	Log      func(string)        // where the stack of a panic goes
	Complain func(error) tea.Cmd // says, in Update, what work failed of
	Eager    bool                // no pauses before computing, for tests
}

// Found runs in Update with the result of finished work.
type Found func() tea.Cmd

// New makes a pool whose work ends with the context.
func New(ctx context.Context) *Pool {
	ctx, cancel := context.WithCancel(ctx)
	return &Pool{Ctx: ctx, Cancel: cancel, Log: func(string) {}, Complain: func(error) tea.Cmd { return nil }}
}

// Close cancels all work and waits for its end.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.Cancel()
	p.wg.Wait()
}

// enter registers work; false once the pool is closed.
func (p *Pool) enter() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.wg.Add(1)
	return true
}

// Do runs work and then, in Update, what it returns; nil for nothing. An error goes to the
// status line instead.
func (p *Pool) Do(work func() (then func() tea.Cmd, err error)) tea.Cmd {
	return p.command(p.Ctx, func(context.Context) Found {
		then, err := work()
		if err != nil {
			return p.complain(err)
		}
		return then
	})
}

func (p *Pool) complain(err error) Found { return func() tea.Cmd { return p.Complain(err) } }

// command makes work a command: counted, and with its panics, and those that a bound of it ended in, turned into a
// message.
func (p *Pool) command(ctx context.Context, work func(context.Context) Found) tea.Cmd {
	return func() tea.Msg {
		if !p.enter() {
			return nil
		}
		defer p.wg.Done()
		var found Found
		err := accounting.Recover(ctx, func(ctx context.Context) error {
			found = work(ctx)
			return nil
		})
		if fault := accounting.FaultOf(err); fault != nil {
			p.Log(fmt.Sprintf("%s\n%s", fault.Text, fault.Trace))
			return p.complain(fault)
		}
		if found != nil {
			return found
		}
		return nil
	}
}

// Job is a kind of computation. Starting it anew cancels the one under way, and
// answers of an earlier start are dropped by their generation.
type Job struct {
	gen    int
	cancel context.CancelFunc
	Busy   bool
	Then   func() tea.Cmd // done when it has ended by itself; may be nil
}

// Start runs work after a pause in which a further start cancels it: five quick key
// presses are one computation. What work tells is done in Update, one at a time; of
// several that wait only the newest is.
func (p *Pool) Start(j *Job, pause time.Duration, work func(ctx context.Context, tell func(func()))) tea.Cmd {
	j.Stop()
	ctx, cancel := context.WithCancel(p.Ctx)
	j.cancel, j.Busy = cancel, true
	gen := j.gen
	latest := make(chan func(), 1)
	tell := func(take func()) {
		if ctx.Err() != nil {
			return
		}
		select {
		case <-latest: // the answer nobody fetched yet is out of date
		default:
		}
		latest <- take
	}
	run := p.command(ctx, func(ctx context.Context) Found {
		defer cancel()
		defer close(latest)
		if p.Wait(ctx, pause) {
			work(ctx, tell)
		}
		return nil
	})
	var listen tea.Cmd
	listen = p.command(p.Ctx, func(context.Context) Found {
		select {
		case take := <-latest: // nil at the end
			return func() tea.Cmd {
				if gen != j.gen {
					return nil
				}
				if take != nil {
					take()
					return listen
				}
				j.Busy = false
				if j.Then == nil {
					return nil
				}
				return j.Then()
			}
		case <-p.Ctx.Done():
			return nil
		}
	})
	return tea.Batch(run, listen)
}

// Wait lets a time pass, none if the pool is eager; false if the context ends first.
func (p *Pool) Wait(ctx context.Context, d time.Duration) bool {
	if d <= 0 || p.Eager {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// Stop cancels the job and drops what is still to come of it.
func (j *Job) Stop() {
	if j.cancel != nil {
		j.cancel()
	}
	j.gen++
	j.Busy = false
}
