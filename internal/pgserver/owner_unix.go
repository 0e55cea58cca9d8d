//go:build unix

package pgserver

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// owner returns the user that runs the server if the tests run as root, whom PostgreSQL refuses; nil else.
func owner() *syscall.Credential {
	if os.Getuid() != 0 {
		return nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	return nil
}

func becomeOwner(cmd *exec.Cmd) {
	if c := owner(); c != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c}
	}
}

func giveAway(folder string) error {
	if c := owner(); c != nil {
		return os.Chown(folder, int(c.Uid), int(c.Gid))
	}
	return nil
}
