//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package store

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// hold locks a file until it is closed or the process ends, however it ends.
func hold(f *os.File) {
	for errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX), syscall.EINTR) {
	}
}

// alive reports whether another explorer still owns a backup: whether it holds its
// lock. A process number alone would not do: another program may have it by now, or this one,
// in a container whose numbers start again at 1.
func alive(dir, id string) bool {
	f, err := os.Open(filepath.Join(dir, id+claiming))
	if err != nil {
		return false
	}
	defer f.Close()
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case err == nil:
		return false
	case errors.Is(err, syscall.EWOULDBLOCK):
		return true
	}
	// No locks on this file system: fall back on the process number.
	pid := otherProcess(id)
	if pid == 0 {
		return false
	}
	err = syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// writableByOthers reports whether a user other than this one and root can change a file or the list of a folder. A
// group may be the user's own, so its permission is not counted.
func writableByOthers(info os.FileInfo) bool {
	if info.Mode().Perm()&0o002 != 0 {
		return true
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Uid != 0 && int(stat.Uid) != os.Getuid()
}
