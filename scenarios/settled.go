package scenarios

import (
	"context"
	"errors"
	"os"
	"time"
)

// ErrUnsettled means that a file is being written over and over.
var ErrUnsettled = errors.New("the file is still being written")

// How long a file must have been left alone to be taken for finished, and how often
// that is waited for.
const (
	settle      = 100 * time.Millisecond
	settleTries = 20
)

// LoadSettled is [Load] for a file that another program may be writing at this very
// moment. The first half of a scenario is often a scenario too, and a cheaper one, so
// what was read counts only if the file stays as it was for a moment after its last
// change and, where the system can tell, nobody has it open for writing. Otherwise the
// error is [ErrUnsettled], or that of the context.
func LoadSettled(ctx context.Context, path string) (*Scenario, error) {
	for range settleTries {
		data, settled, err := readSettled(ctx, path)
		if err != nil {
			return nil, err
		}
		if settled {
			return loaded(path, data)
		}
	}
	return nil, ErrUnsettled
}

// readSettled reads a file and tells whether that is likely to be all of it.
func readSettled(ctx context.Context, path string) (data []byte, settled bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false, Errors{{File: path, Problem: reason(err)}}
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return nil, false, Errors{{File: path, Problem: reason(err)}}
	}
	if data, err = readOpen(f, path); err != nil {
		return nil, false, err
	}
	// A change yet to come, by a clock that is ahead of ours, is a recent one.
	if busy := beingWritten(f); busy || time.Since(before.ModTime()) < settle {
		select {
		case <-ctx.Done():
			return nil, false, ctx.Err()
		case <-time.After(settle):
		}
		if busy || beingWritten(f) {
			return nil, false, nil
		}
	}
	now, err := os.Stat(path)
	return data, err == nil && sameState(before, now), nil
}

func sameState(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
