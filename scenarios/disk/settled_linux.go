package disk

import (
	"errors"
	"os"
	"syscall"
)

// isBeingWritten reports whether some process has the file open for writing. The system
// refuses a read lease on such a file (fcntl(2), F_SETLEASE); one that it grants is
// given back at once. If the file system has no leases it returns false, and only the time of the last change
// decides.
func isBeingWritten(f *os.File) bool {
	_, _, err := syscall.Syscall(syscall.SYS_FCNTL, f.Fd(), syscall.F_SETLEASE, syscall.F_RDLCK)
	if err == 0 {
		_, _, _ = syscall.Syscall(syscall.SYS_FCNTL, f.Fd(), syscall.F_SETLEASE, syscall.F_UNLCK)
		return false
	}
	return errors.Is(err, syscall.EAGAIN)
}
