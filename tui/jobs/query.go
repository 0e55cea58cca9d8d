package jobs

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Query is a question that a [Job] answers. It keeps the last answer with the question it
// belongs to, so that a screen can show an old answer, dimmed, until the new one arrives.
type Query[Q comparable, A any] struct {
	Job
	Asked  Q       // the newest question
	Of     Q       // the question that Answer answers
	Answer A       // the newest of perhaps several to the same question
	Err    error   // why it is none
	Known  bool    // there is an answer
	Serial int     // grows whenever the answer changes
	Taken  func(A) // runs when an answer arrives; may be nil
	asking bool    // Asked was asked
}

// Ask starts work on a question, unless it is the newest one already.
func (x *Query[Q, A]) Ask(
	p *Pool, pause time.Duration, q Q, work func(ctx context.Context, tell func(A, error)),
) tea.Cmd {
	if x.asking && x.Asked == q {
		return nil
	}
	x.Asked, x.asking = q, true
	return p.Start(&x.Job, pause, func(ctx context.Context, tell func(func())) {
		work(ctx, func(a A, err error) { tell(func() { x.take(q, a, err) }) })
	})
}

func (x *Query[Q, A]) take(q Q, a A, err error) {
	x.Of, x.Answer, x.Err, x.Known = q, a, err, true
	x.Serial++
	if x.Taken != nil {
		x.Taken(a)
	}
}

// Fresh reports that there is an answer to the newest question.
func (x *Query[Q, A]) Fresh() bool { return x.Known && x.Of == x.Asked }

// Forget stops the work and drops question and answer.
func (x *Query[Q, A]) Forget() {
	x.Stop()
	*x = Query[Q, A]{Job: x.Job, Serial: x.Serial + 1, Taken: x.Taken}
}
