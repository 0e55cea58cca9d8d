package disk

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// LockHolder names the process that holds a lock on a file, "" if that is not known. The system
// lists all locks in /proc/locks, each with its process and the number of the file.
func LockHolder(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	list, err := os.ReadFile("/proc/locks")
	if err != nil || !ok {
		return ""
	}
	for line := range strings.Lines(string(list)) { // 1: FLOCK ADVISORY WRITE 1234 08:02:5678 0 EOF
		fields := strings.Fields(line)
		if len(fields) < 6 || fields[1] == "->" || !strings.HasSuffix(fields[5], fmt.Sprintf(":%d", stat.Ino)) {
			continue
		}
		name, err := os.ReadFile("/proc/" + fields[4] + "/comm")
		if err != nil {
			return "process " + fields[4]
		}
		return fmt.Sprintf("process %s (%s)", fields[4], strings.TrimSpace(string(name)))
	}
	return ""
}
