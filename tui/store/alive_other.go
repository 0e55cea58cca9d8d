//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package store

import (
	"os"
	"strconv"
	"strings"
)

// hold does nothing where files cannot be locked.
func hold(*os.File) {}

// alive reports whether there is a process of the number that wrote a backup.
func alive(_, id string) bool {
	number, _, _ := strings.Cut(id, "-")
	pid, err := strconv.Atoi(number)
	if err != nil || pid <= 0 || pid == os.Getpid() {
		return false
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	p.Release()
	return true
}
