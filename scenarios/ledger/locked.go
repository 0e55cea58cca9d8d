package ledger

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// handle is what a ledger asks of a locked file; tests put one in its place that fails.
type handle interface {
	io.ReadWriteCloser
	io.WriterAt
	Sync() error
	Truncate(size int64) error
}

// openLocked opens the file behind a path and locks it. The lock is on the ledger
// itself; the system gives it back when its owner is killed. Where it cannot be had
// nothing is granted.
func openLocked(path string, flag int) (handle, error) {
	for range 10 {
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: it is not a plain file", path)
		}
		f, err := lockedfile.OpenFile(path, flag, 0o666)
		var p *fs.PathError
		switch {
		case errors.As(err, &p) && strings.HasSuffix(p.Op, "Lock"):
			return nil, troublef("%s: it cannot be locked here (%w), so nothing is granted", path, p.Err)
		case errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0:
			return nil, fmt.Errorf("%s: no such folder", path)
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%s: no such file", path)
		case errors.Is(err, fs.ErrExist):
			return nil, fmt.Errorf("%s: a file of that name is already there", path)
		case errors.As(err, &p):
			return nil, troublef("%s: %w", path, p.Err)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		mine, err := f.Stat()
		there, terr := os.Stat(path)
		if err == nil && terr == nil && os.SameFile(mine, there) {
			return f, nil
		}
		f.Close() // somebody put another file in its place while this one waited
	}
	return nil, troublef("%s: the file is being replaced again and again", path)
}

// readLocked reads a file while nobody writes to it.
func readLocked(path string) ([]byte, error) {
	f, err := openLocked(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
