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
