package scenarios

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Reasons not to save, to be asked about with [errors.Is].
var (
	// ErrChanged means that the file on disk is no longer the one that was loaded.
	ErrChanged = errors.New("the file changed on disk since it was loaded")
	// ErrExists means that another file is already there.
	ErrExists = errors.New("another file of that name is already there")
	// ErrBusy means that another explorer has been saving into the folder all the time.
	ErrBusy = errors.New("another program is saving into the same folder; try again")
)

// Save writes the scenario to a file, whole or not at all. It refuses with
// [ErrChanged] or [ErrExists] what would overwrite somebody else's work.
func (s *Scenario) Save(path string) error { return s.save(system{}, path, false) }

// SaveForce saves whatever is there now.
func (s *Scenario) SaveForce(path string) error { return s.save(system{}, path, true) }

// save goes through a disk, so that tests can put one in its place that fails. While
// it works no other explorer saves into the same folder; programs that know nothing
// of that lock are noticed by looking again just before the new file takes its place.
func (s *Scenario) save(d disk, path string, force bool) error {
	data, err := s.Marshal()
	if err != nil {
		return err
	}
	target, err := resolve(path)
	if err != nil {
		return fmt.Errorf("%s: %s", path, reason(err))
	}
	unlock, err := d.Lock(filepath.Dir(target))
	if err != nil {
		return fmt.Errorf("%s could not be saved: %s", path, reason(err))
	}
	defer unlock()
	check := func() error {
		if !force {
			if err := s.mayReplace(d, target); err != nil {
				return err
			}
		}
		if again, err := resolve(path); err != nil || again != target {
			return ErrChanged
		}
		return nil
	}
	if err := check(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	switch err := replace(d, target, data, check); {
	case errors.Is(err, ErrChanged), errors.Is(err, ErrExists):
		return fmt.Errorf("%s: %w", path, err)
	case err != nil:
		return fmt.Errorf("%s could not be saved: %s", path, reason(err))
	}
	s.adopt(path, data)
	return nil
}

// mayReplace compares what is on disk with what was last known of it.
func (s *Scenario) mayReplace(d disk, target string) error {
	current, err := d.ReadFile(target)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return errors.New(reason(err))
	}
	if s.origin == nil {
		return ErrExists
	}
	known, hash := s.origin.file.get()
	if knownTarget, err := resolve(known); known == "" || err != nil || knownTarget != target {
		return ErrExists
	}
	if sha256.Sum256(current) != hash {
		return ErrChanged
	}
	return nil
}

// ChangedOnDisk reports whether the file differs from what was loaded or saved. A
// file that is gone has changed.
func (s *Scenario) ChangedOnDisk() (bool, error) {
	if s.Path() == "" {
		return false, nil
	}
	path, hash := s.origin.file.get()
	current, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("%s: %s", path, reason(err))
	}
	return sha256.Sum256(current) != hash, nil
}

// adopt makes the text just saved the one that later edits start from.
func (s *Scenario) adopt(path string, data []byte) {
	back, err := Parse(path, data)
	if err != nil {
		return
	}
	file := back.origin.file
	if s.origin != nil {
		file = s.origin.file // clones, such as an undo history, share it
	}
	file.set(path, data)
	s.origin = &origin{doc: back.origin.doc, file: file}
	adoptEntries(s.Stack, back.Stack)
}

func adoptEntries(to, from []Entry) {
	for i := range min(len(to), len(from)) {
		to[i].source = from[i].source
		for j := range min(len(to[i].Parallel), len(from[i].Parallel)) {
			adoptEntries(to[i].Parallel[j], from[i].Parallel[j])
		}
	}
}
