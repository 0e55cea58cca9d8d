package tui

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// The pauses before work that is not instant, so that a held key does not start it
// again and again. Closed forms do not wait.
const (
	pauseRefine = 40 * time.Millisecond
	pauseChart  = 60 * time.Millisecond
	pauseLeft   = 120 * time.Millisecond
)

// pool runs work outside Update and sees to it that none outlives the program.
type pool struct {
	ctx    context.Context
	cancel context.CancelFunc

	mu     sync.Mutex
	closed bool
	wg     sync.WaitGroup
	log    func(string) // where the stack of a panic goes
	eager  bool         // no pauses before computing, for tests
}

func newPool(ctx context.Context) *pool {
	ctx, cancel := context.WithCancel(ctx)
	return &pool{ctx: ctx, cancel: cancel, log: func(string) {}}
}

// close cancels all work and waits for its end.
func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.cancel()
	p.wg.Wait()
}

// enter registers work; false once the pool is closed.
func (p *pool) enter() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.wg.Add(1)
	return true
}

// command makes work a command: counted, and with its panics turned into a message.
func (p *pool) command(work func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		if !p.enter() {
			return nil
		}
		defer p.wg.Done()
		defer func() {
			if r := recover(); r != nil {
				p.log(fmt.Sprintf("%v\n%s", r, debug.Stack()))
				msg = fail(fmt.Errorf("an internal error stopped this computation (%v); the screen keeps the last figures", r))
			}
		}()
		return work()
	}
}

// job is one kind of computation. Starting it anew cancels the one under way, and
// answers of an earlier start are dropped by their generation.
type job struct {
	gen    int
	cancel context.CancelFunc
	busy   bool
}

// start runs work after a pause in which a further start cancels it: five quick key
// presses are one computation. What work emits reaches Update one at a time; of
// several that wait only the newest does.
func (p *pool) start(j *job, pause time.Duration, work func(ctx context.Context, emit func(tea.Msg))) tea.Cmd {
	if j.cancel != nil {
		j.cancel()
	}
	ctx, cancel := context.WithCancel(p.ctx)
	j.gen++
	j.cancel, j.busy = cancel, true
	gen := j.gen
	latest := make(chan tea.Msg, 1)
	emit := func(m tea.Msg) {
		select {
		case <-latest: // the answer nobody fetched yet is out of date
		default:
		}
		latest <- m
	}
	run := p.command(func() tea.Msg {
		defer cancel()
		defer close(latest)
		if !p.wait(ctx, pause) {
			return nil
		}
		work(ctx, emit)
		return nil
	})
	var listen tea.Cmd
	listen = p.command(func() tea.Msg {
		select {
		case m, ok := <-latest:
			return answerMsg{j, gen, m, !ok, listen}
		case <-p.ctx.Done():
			return nil
		}
	})
	return tea.Batch(run, listen)
}

// wait is sleep, but not where nobody is in a hurry.
func (p *pool) wait(ctx context.Context, d time.Duration) bool {
	if p.eager {
		d = 0
	}
	return sleep(ctx, d)
}

// sleep waits unless the context ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
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

// stop cancels the job and drops what is still to come of it.
func (j *job) stop() {
	if j.cancel != nil {
		j.cancel()
	}
	j.gen++
	j.busy = false
}

// answerMsg carries what a job emitted, and the command that waits for the next.
type answerMsg struct {
	job  *job
	gen  int
	msg  tea.Msg
	done bool // the job ended; there is no message
	next tea.Cmd
}

// open is the message and that command; neither if the answer is out of date or the end.
func (m answerMsg) open() (tea.Msg, tea.Cmd) {
	if m.gen != m.job.gen {
		return nil, nil
	}
	if m.done {
		m.job.busy = false
		return nil, nil
	}
	return m.msg, m.next
}

// found carries what the job of a pane or a dialog found out: it puts it there.
type found func()

// failedMsg is an error outside any dialog; it goes to the status line.
type failedMsg struct{ err error }

// fail is the message that says so.
func fail(err error) tea.Msg { return failedMsg{err} }
