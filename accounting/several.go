package accounting

import (
	"context"
	"runtime"
	"sync"
)

// Several calls do with every number below n, as many at a time as there are processors, under a context that ends with
// the first error. It returns that error, or that of its own context. A panic is an [InternalError], as in [Recover].
func Several(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var group sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range n {
		slots <- struct{}{}
		if working.Err() != nil {
			break
		}
		group.Go(func() {
			defer func() { <-slots }()
			if err := Recover(working, func(ctx context.Context) error { return do(ctx, i) }); err != nil {
				stop(err)
			}
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	return context.Cause(working)
}
