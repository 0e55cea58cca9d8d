package accounting

import (
	"context"
	"errors"
	"testing"
)

// TestSeveral asks for squares: every number is asked for once, and an error, a panic or an ended context ends it.
func TestSeveral(t *testing.T) {
	squares := make([]int, 100)
	if err := Several(context.Background(), len(squares), func(_ context.Context, i int) error {
		squares[i] += i * i
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for i, got := range squares {
		if got != i*i {
			t.Errorf("the square of %d: %d", i, got)
		}
	}
	failed := errors.New("the third failed")
	calls := make(chan int, 1000)
	err := Several(context.Background(), cap(calls), func(ctx context.Context, i int) error {
		calls <- i
		if i == 2 {
			return failed
		}
		if i > 2 {
			<-ctx.Done() // nobody else goes on
		}
		return nil
	})
	if !errors.Is(err, failed) || len(calls) > cap(calls)/2 {
		t.Errorf("%v after %d calls", err, len(calls))
	}
	err = Several(context.Background(), 3, func(_ context.Context, i int) error {
		return []error{nil, nil}[i]
	})
	if FaultOf(err) == nil {
		t.Errorf("a panic: %v", err)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if err := Several(ended, 3, func(context.Context, int) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("under an ended context: %v", err)
	}
	if err := Several(context.Background(), 0, nil); err != nil {
		t.Errorf("nothing to do: %v", err)
	}
}
