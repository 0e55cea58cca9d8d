package jobs_test

import (
	"context"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/jobs"
)

// A query keeps its last answer with the question it belongs to.
func ExampleQuery() {
	pool := jobs.New(context.Background())
	defer pool.Close()
	pool.Eager = true
	var square jobs.Query[int, int]
	cmd := square.Ask(pool, time.Second, 7, func(_ context.Context, tell func(int, error)) { tell(49, nil) })
	queue := []tea.Cmd{cmd}
	for len(queue) > 0 { // as Bubble Tea runs commands
		next := queue[0]
		queue = queue[1:]
		if next == nil {
			continue
		}
		switch msg := next().(type) {
		case tea.BatchMsg:
			queue = append(queue, msg...)
		case jobs.Found:
			queue = append(queue, msg())
		}
	}
	fmt.Println(square.Of, square.Answer, square.Fresh())
	// Output: 7 49 true
}
