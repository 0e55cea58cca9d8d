//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package disk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// How long a save waits for another one, and how often it looks.
const (
	lockWait  = 5 * time.Second
	lockPause = 2 * time.Millisecond
)

// lockFolder locks the folder itself: that leaves no lock file behind, and the system
// releases the lock when its process ends. (go-internal/lockedfile, which the ledger
// uses, would take a shared lock: a folder can only be opened for reading.) If the folder cannot
// be locked (some network file systems, folders without permission to list) saving goes on
// without a lock.
func lockFolder(dir string) (unlock func(), err error) { return lockFolderFor(dir, lockWait) }

func lockFolderFor(dir string, patience time.Duration) (unlock func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return func() {}, nil // the next step says what is wrong, if anything is
	}
	for waited := time.Duration(0); ; waited += lockPause {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			removeTemporaries(dir)
			return func() { f.Close() }, nil
		case !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR):
			f.Close()
			return func() {}, nil
		case waited >= patience:
			f.Close()
			return nil, ErrBusy
		}
		time.Sleep(lockPause)
	}
}

// keepOwner tries, as only the superuser may give a file away, and reports whether at
// least the group is the old one.
func keepOwner(f *os.File, old fs.FileInfo) (group bool) {
	was, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return true
	}
	err := f.Chown(-1, int(was.Gid))
	_ = f.Chown(int(was.Uid), -1)
	return err == nil
}
