//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package store

import "os"

// hold does nothing where files cannot be locked.
func hold(*os.File) {}

// alive reports whether there is a process of the number that wrote a backup.
func alive(_, id string) bool {
	pid := otherProcess(id)
	if pid == 0 {
		return false
	}
	p, err := os.FindProcess(pid)
	if err == nil {
		p.Release()
	}
	return err == nil
}

// writableByOthers reports false: here permissions are not those of the mode.
func writableByOthers(os.FileInfo) bool { return false }
