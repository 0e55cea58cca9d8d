package store

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Lost is unsaved work of a run that did not end by itself.
type Lost struct {
	File string // where it is kept
	Path string // the file it belongs to; "" if it had none
	Data []byte // the scenario
}

const header = "# unsaved work of "

// Backup keeps unsaved work until [Store.Forget] or the next start.
func (s *Store) Backup(path string, data []byte) error {
	if s == nil {
		return nil
	}
	path = strings.NewReplacer("\n", " ", "\r", " ").Replace(path)
	return write(s.file(), append([]byte(header+path+"\n"), data...))
}

// Forget removes this run's backup: the work is saved, or was given up.
func (s *Store) Forget() {
	if s != nil {
		os.Remove(s.file())
	}
}

func (s *Store) file() string { return filepath.Join(s.At.Recovery, s.id+".yaml") }

// Lost lists what runs that are no longer there left behind.
func (s *Store) Lost() []Lost {
	if s == nil {
		return nil
	}
	files, err := os.ReadDir(s.At.Recovery)
	if err != nil {
		return nil
	}
	var lost []Lost
	for _, f := range files {
		id, ok := strings.CutSuffix(f.Name(), ".yaml")
		if !ok || id == s.id || alive(id) {
			continue
		}
		name := filepath.Join(s.At.Recovery, f.Name())
		data, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		first, rest, found := bytes.Cut(data, []byte("\n"))
		path, ours := strings.CutPrefix(string(first), header)
		if found && ours {
			lost = append(lost, Lost{name, path, rest})
		}
	}
	return lost
}

// alive reports whether another explorer still owns a backup.
func alive(id string) bool {
	pid, err := strconv.Atoi(id)
	if err != nil || pid <= 0 {
		return false
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	err = p.Signal(syscall.Signal(0))
	return err == nil || err == syscall.EPERM
}

// Discard removes a backup for good.
func (l Lost) Discard() error { return os.Remove(l.File) }
