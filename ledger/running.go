package ledger

import (
	"os"
	"path/filepath"

	"epsiloscope/scenarios/disk"
)

// A process that runs the command of a reservation holds the lock of a file of that id in the
// folder for temporary files: the system gives it back when the process ends, in any way. It
// only keeps [File.Cancel] from being called too early; [File.Finish] is what charges.

func runningPath(id string) string {
	return filepath.Join(os.TempDir(), "epsiloscope-spend-"+id+".lock")
}

// MarkRunning says that this process runs the command of a reservation, until done is called.
// It does nothing if files cannot be locked here.
func MarkRunning(id string) (done func()) {
	path := runningPath(id)
	unlock, _, err := disk.TryLock(path, os.O_RDONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return func() {}
	}
	return func() {
		os.Remove(path)
		unlock()
	}
}

// isRunning reports whether a process on this machine runs the command of a reservation.
func isRunning(id string) bool {
	unlock, busy, err := disk.TryLock(runningPath(id), os.O_RDONLY)
	if err == nil {
		unlock()
	}
	return busy
}
