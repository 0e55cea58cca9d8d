package store

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Lost is unsaved work of a run that did not exit cleanly.
type Lost struct {
	File string // where it is kept
	Path string // the file it belongs to; "" if it had none
	// Library means that a bundled scenario was changed.
	Library bool
	Data    []byte // the scenario
}

const (
	header   = "# unsaved work of "
	library  = "library:" // in the place of a path: a bundled scenario, which a path from the root is not
	kept     = ".yaml"    // unsaved work of a run
	claiming = ".lock"    // held while that run lives

	asideMark = "+" // between a run and the number of what it set aside
)

// BackupLibrary keeps unsaved changes to a bundled scenario as [Store.Backup] does.
func (s *Store) BackupLibrary(ctx context.Context, data []byte) error {
	return s.backup(ctx, library, data)
}

// Backup keeps unsaved work until [Store.Forget] or the next start; nothing is kept
// once the context has ended. The path is remembered from the root, as the next start
// may be in another folder.
func (s *Store) Backup(ctx context.Context, path string, data []byte) error {
	if path != "" {
		abs, err := filepath.Abs(path)
		if err != nil || strings.ContainsAny(abs, "\r\n") {
			abs = "" // its name will be asked for again
		}
		path = abs
	}
	return s.backup(ctx, path, data)
}

func (s *Store) backup(ctx context.Context, of string, data []byte) error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil {
		return nil
	}
	if err := s.claim(); err != nil {
		return err
	}
	return write(s.file(kept), append([]byte(header+of+"\n"), data...))
}

// BackupFile returns the file in which this run keeps unsaved work.
func (s *Store) BackupFile() string { return s.file(kept) }

// BackupAside keeps bundled scenarios that were set aside unsaved, in the place of those kept before, until
// [Store.Forget] or the next start.
func (s *Store) BackupAside(ctx context.Context, list [][]byte) error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil {
		return nil
	}
	if len(list) > 0 {
		if err := s.claim(); err != nil {
			return err
		}
	}
	for i, data := range list {
		first := []byte(header + library + "\n")
		if err := write(s.file(asideMark+strconv.Itoa(i)+kept), append(first, data...)); err != nil {
			return err
		}
		s.aside = max(s.aside, i+1)
	}
	for ; s.aside > len(list); s.aside-- {
		os.Remove(s.file(asideMark + strconv.Itoa(s.aside-1) + kept))
	}
	return nil
}

// ofRun returns the run that a backup belongs to: the name of one that was set aside goes on.
func ofRun(id string) string {
	run, _, _ := strings.Cut(id, asideMark)
	return run
}

// claim marks this run's backup as that of a live one, before there is any.
func (s *Store) claim() error {
	if s.claimed != nil {
		return nil
	}
	if s.At.Recovery == "" {
		return ErrNowhere
	}
	if err := checkPrivate(s.At.Recovery); err != nil {
		return err
	}
	if err := os.MkdirAll(s.At.Recovery, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(s.file(claiming), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	hold(f)
	s.claimed = f
	return nil
}

// Forget removes this run's backup of what is on the screen: the work is saved, or was given up. What was
// set aside stays until [Store.BackupAside] takes it away.
func (s *Store) Forget() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.At.Recovery == "" {
		return
	}
	os.Remove(s.file(kept))
	if s.claimed != nil && s.aside == 0 {
		os.Remove(s.file(claiming))
		s.claimed.Close()
		s.claimed = nil
	}
}

// otherProcess returns the number of the process that wrote a backup; 0 if that is this one.
func otherProcess(id string) int {
	number, _, _ := strings.Cut(id, "-")
	pid, err := strconv.Atoi(number)
	if err != nil || pid < 0 || pid == os.Getpid() {
		return 0
	}
	return pid
}

func (s *Store) file(ending string) string { return filepath.Join(s.At.Recovery, s.id+ending) }

// ListRecoverable lists unsaved work of runs that have ended.
func (s *Store) ListRecoverable() []Lost {
	if s == nil {
		return nil
	}
	files, err := os.ReadDir(s.At.Recovery)
	if err != nil || checkPrivate(s.At.Recovery) != nil {
		return nil
	}
	var lost []Lost
	for _, f := range files {
		id, ok := strings.CutSuffix(f.Name(), kept)
		if run := ofRun(id); !ok || run == s.id || alive(s.At.Recovery, run) {
			continue
		}
		name := filepath.Join(s.At.Recovery, f.Name())
		data, err := os.ReadFile(name)
		if err != nil || checkPrivate(name) != nil {
			continue
		}
		first, rest, found := bytes.Cut(data, []byte("\n"))
		path, ours := strings.CutPrefix(string(first), header)
		if bundled := path == library; found && ours {
			lost = append(lost, Lost{name, strings.TrimPrefix(path, library), bundled, rest})
		}
	}
	return lost
}

// Discard removes a backup for good; another explorer may have done so before.
func (l Lost) Discard() error {
	folder, name := filepath.Split(l.File)
	os.Remove(filepath.Join(folder, ofRun(strings.TrimSuffix(name, kept))+claiming))
	if err := os.Remove(l.File); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
