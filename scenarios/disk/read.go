package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"epsiloscope/internal/yamltree"
)

// Read reads a file that is not larger than a scenario may be.
func Read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readOpen(f)
}

func readOpen(f *os.File) ([]byte, error) {
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, errors.New("is a directory")
	}
	return ReadAll(f)
}

// ReadAll reads at most one byte more than the largest size allowed; the parser then refuses the text as too large.
func ReadAll(r io.Reader) ([]byte, error) {
	if r == nil {
		return nil, errors.New("there is nothing to read")
	}
	return io.ReadAll(io.LimitReader(r, yamltree.MaxSize+1))
}

// Reason returns the text of an error without the path, which the caller's message already names.
func Reason(err error) string {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.As(err, &path):
		return fmt.Sprint(path.Err)
	case errors.As(err, &link): // a rename, which names our own temporary file
		return fmt.Sprint(link.Err)
	}
	return err.Error()
}

// ErrUnsettled means that a file is being written over and over.
var ErrUnsettled = errors.New("the file is still being written")

// How long a file must have been left alone to count as finished, and how often it is read.
const (
	settleTime  = 100 * time.Millisecond
	settleTries = 20
)

// ReadSettled reads a file that another program may be writing at this very moment. What was
// read counts only if the file stays as it was for a moment after its last change and, if the
// system can tell, no process has it open for writing. Otherwise the error is [ErrUnsettled], or
// that of the context.
func ReadSettled(ctx context.Context, path string) ([]byte, error) {
	for range settleTries {
		if data, settled, err := readOnce(ctx, path); err != nil || settled {
			return data, err
		}
	}
	return nil, ErrUnsettled
}

// readOnce reads a file and reports whether it was probably complete.
func readOnce(ctx context.Context, path string) (data []byte, settled bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	if data, err = readOpen(f); err != nil {
		return nil, false, err
	}
	// A time in the future, from a clock that is ahead, counts as recent.
	if busy := isBeingWritten(f); busy || time.Since(before.ModTime()) < settleTime {
		select {
		case <-ctx.Done():
			return nil, false, ctx.Err()
		case <-time.After(settleTime):
		}
		if busy || isBeingWritten(f) {
			return nil, false, nil
		}
	}
	now, err := os.Stat(path)
	return data, err == nil && os.SameFile(before, now) && before.Size() == now.Size() &&
		before.ModTime().Equal(now.ModTime()), nil
}
