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
)

// Save writes the scenario to a file, whole or not at all. It refuses with
// [ErrChanged] or [ErrExists] what would overwrite somebody else's work.
func (s *Scenario) Save(path string) error { return s.save(path, false) }

// SaveForce saves whatever is there now.
func (s *Scenario) SaveForce(path string) error { return s.save(path, true) }

func (s *Scenario) save(path string, force bool) error {
	data, err := s.Marshal()
	if err != nil {
		return err
	}
	target, err := resolve(path)
	if err != nil {
		return fmt.Errorf("%s: %s", path, reason(err))
	}
	if !force {
		if err := s.mayReplace(path, target); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := writeFile(target, data); err != nil {
		return fmt.Errorf("%s could not be saved: %s", path, reason(err))
	}
	s.adopt(path, data)
	return nil
}

// mayReplace compares what is on disk with what was last known of it.
func (s *Scenario) mayReplace(path, target string) error {
	current, err := os.ReadFile(target)
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

// resolve follows symbolic links, so that saving replaces what a link points to
// and not the link; the last one may point to a file that does not exist yet.
func resolve(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for range 40 {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return path, nil
		}
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			if !info.Mode().IsRegular() {
				return "", errors.New("is not a regular file")
			}
			return path, nil
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", errors.New("the symbolic links go in circles")
}

// writeFile replaces a file by renaming a finished, synced one over it: at every
// moment either the old or the new content is there, whole.
func writeFile(path string, data []byte) (err error) {
	if err := reach("create"); err != nil {
		return err
	}
	f, err := createBeside(path)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	for _, s := range []struct {
		name string
		do   func() error
	}{
		{"permissions", func() error {
			if info, statErr := os.Stat(path); statErr == nil {
				return f.Chmod(info.Mode().Perm())
			}
			return nil
		}},
		{"write", func() error { _, err := f.Write(data[:len(data)/2]); return err }},
		{"write the rest", func() error { _, err := f.Write(data[len(data)/2:]); return err }},
		{"sync", f.Sync},
		{"close", f.Close},
		{"rename", func() error { return os.Rename(f.Name(), path) }},
		{"sync directory", func() error { syncDir(filepath.Dir(path)); return nil }},
	} {
		if err = reach(s.name); err != nil {
			return err
		}
		if err = s.do(); err != nil {
			return err
		}
	}
	return nil
}

// reach is called before each step of a save; tests make it fail, or end the process.
var reach = func(step string) error { return nil }

// createBeside makes a temporary file in the same directory (a rename cannot
// cross file systems) with the permissions any new file would get.
func createBeside(path string) (*os.File, error) {
	for i := 0; ; i++ {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d-%d.tmp", filepath.Base(path), os.Getpid(), i))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) && i < 1000 {
			continue
		}
		return f, err
	}
}

// syncDir makes the rename itself durable; not every system can, and the content
// is safe either way.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}
