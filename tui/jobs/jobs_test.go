package jobs

import (
	"context"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Five quick key presses are one computation: a start within the pause cancels the
// one before, however long the pause is.
func TestStartCancelsTheOneBefore(t *testing.T) {
	p := New(context.Background())
	var j Job
	ran := make(chan int, 5)
	var cmds []tea.Cmd
	for i := range 5 {
		pause := time.Hour
		if i == 4 {
			pause = 0
		}
		batch := p.Start(&j, pause, func(context.Context, func(func())) { ran <- i })().(tea.BatchMsg)
		cmds = append(cmds, batch[0])
	}
	for _, c := range cmds {
		c() // the first four end at once, without their hour
	}
	close(ran)
	var got []int
	for i := range ran {
		got = append(got, i)
	}
	if len(got) != 1 || got[0] != 4 {
		t.Errorf("ran %v, want only the last", got)
	}
	p.Close()
}

// answers runs a command as a program would, every message back into Update.
func answers(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			answers(c)
		}
	case Found:
		answers(msg())
	}
}

// A query keeps the old answer, and whose it is, until a new one arrives; the answer to a
// question that was replaced meanwhile is dropped.
func TestQuery(t *testing.T) {
	p := New(context.Background())
	defer p.Close()
	var x Query[int, int]
	ask := func(q int) tea.Cmd {
		return x.Ask(p, 0, q, func(_ context.Context, tell func(int, error)) { tell(10*q, nil) })
	}
	if cmd := ask(0); cmd == nil || x.Fresh() {
		t.Error("the first question is not asked, or answered already")
	} else if answers(cmd); !x.Fresh() || x.Answer != 0 || ask(0) != nil {
		t.Errorf("%+v after its answer", x)
	}
	replaced := ask(1)
	if x.Fresh() || !x.Known || x.Of != 0 {
		t.Errorf("%+v between two answers", x)
	}
	cmd := ask(2)
	answers(replaced)
	if x.Known && x.Of != 0 {
		t.Errorf("took %d, the answer to a question that was replaced", x.Answer)
	}
	if answers(cmd); !x.Fresh() || x.Answer != 20 || x.Serial != 2 {
		t.Errorf("%+v after the second answer", x)
	}
	if x.Forget(); x.Known || x.Fresh() || x.Asked != 0 || ask(2) == nil {
		t.Errorf("%+v once forgotten", x)
	}
}
