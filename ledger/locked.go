package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"epsiloscope/scenarios/disk"
)

// A path comes in; a locked file goes out. Nobody else writes to it until it is closed.

// handle is the part of a locked file that a ledger needs; tests replace it by one that fails.
type handle interface {
	io.ReadWriteCloser
	io.WriterAt
	Sync() error
	Truncate(size int64) error
}

// DefaultWait is the time that the lock of a ledger is waited for unless another time is given,
// and noticeAfter the time before the user is informed.
const (
	DefaultWait = 30 * time.Second
	noticeAfter = time.Second
)

// LockWait says how long to wait for the lock of a ledger.
type LockWait struct {
	Limit  time.Duration // [DefaultWait] if 0
	Notice func(string)  // called once if waiting takes longer than a second; may be nil

	after func(time.Duration) <-chan time.Time // in place of time.After, for tests
}

// openLocked opens a file and locks it. The lock is on the ledger file itself, and the system releases it when the
// process ends. Without the lock nothing is granted.
func openLocked(path string, flag int, p LockWait) (handle, error) {
	for range 10 {
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: it is not a plain file", path)
		}
		f, err := p.lock(path, flag)
		var pathError *fs.PathError
		var trouble *SystemError
		switch {
		case errors.As(err, &trouble):
			return nil, err
		case errors.As(err, &pathError) && strings.HasSuffix(pathError.Op, "Lock"):
			return nil, systemErrorf("%s: it cannot be locked here (%w), so nothing is granted", path, pathError.Err)
		case errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0:
			return nil, fmt.Errorf("%s: no such folder", path)
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%s: no such file", path)
		case errors.Is(err, fs.ErrExist):
			return nil, fmt.Errorf("%s: a file of that name is already there", path)
		case errors.As(err, &pathError):
			return nil, systemErrorf("%s: %w", path, pathError.Err)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		mine, err := f.Stat()
		there, terr := os.Stat(path)
		if err == nil && terr == nil && os.SameFile(mine, there) {
			return f, nil
		}
		f.Close() // another file was put in its place while this one waited
	}
	return nil, systemErrorf("%s: the file is being replaced again and again", path)
}

// lock opens and locks a file within the limit.
func (p LockWait) lock(path string, flag int) (*lockedfile.File, error) {
	type result struct {
		file *lockedfile.File
		err  error
	}
	got := make(chan result, 1)
	go func() {
		file, err := lockedfile.OpenFile(path, flag, 0o666)
		got <- result{file, err}
	}()
	limit := cmp.Or(p.Limit, DefaultWait)
	after := p.after
	if after == nil {
		after = time.After
	}
	notice, over := after(noticeAfter), after(limit)
	for {
		select {
		case r := <-got:
			return r.file, r.err
		case <-notice:
			if p.Notice != nil {
				p.Notice(fmt.Sprintf("%s: waiting for its lock, which %s holds; giving up after %s", path, holderOf(path), limit))
			}
		case <-over:
			go func() { // if the lock is obtained after all, it is released
				if r := <-got; r.file != nil {
					r.file.Close()
				}
			}()
			return nil, systemErrorf("%s: its lock is held by %s, and was not given back within %s; nothing was read or written. --wait names a longer time", path, holderOf(path), limit)
		}
	}
}

// holderOf words who holds the lock of a file.
func holderOf(path string) string { return cmp.Or(disk.LockHolder(path), "another process") }
