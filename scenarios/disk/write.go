package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
)

// Reasons not to save, to be asked about with [errors.Is].
var (
	// ErrChanged means that the file on disk is no longer the one that was loaded.
	ErrChanged = errors.New("the file changed on disk since it was loaded")
	// ErrExists means that another file is already there.
	ErrExists = errors.New("another file of that name is already there")
	// ErrLink means that the path is a symbolic link where none is followed.
	ErrLink = errors.New("is a symbolic link: name the file itself")
	// ErrBusy means that another explorer has been saving into the folder all the time.
	ErrBusy = errors.New("another program is saving into the same folder; try again")
)

// PathFault is a path that cannot be written to whatever the disk does: no folder, no
// regular file, a link.
type PathFault struct {
	Path string
	Err  error
}

func (f *PathFault) Error() string { return fmt.Sprintf("%s: %s", f.Path, Reason(f.Err)) }
func (f *PathFault) Unwrap() error { return f.Err }

// Write makes data the content of the file that a path means, whole or not at all. While it
// works no other explorer writes into the same folder; a write by a program that does not use that
// lock is detected by a second check just before the new file replaces the old one.
// may returns an error if the present content may not be replaced; nil allows everything.
func Write(d Disk, path string, data []byte, may func(target string, current []byte) error) error {
	return write(d, path, Resolve, data, may)
}

// WriteNoFollow does what [Write] does, and refuses a path whose last part is a symbolic
// link, with [ErrLink]: what the link points to was not named by the caller.
func WriteNoFollow(d Disk, path string, data []byte, may func(target string, current []byte) error) error {
	return write(d, path, resolveNoFollow, data, may)
}

func write(d Disk, path string, resolve func(string) (string, error), data []byte,
	may func(target string, current []byte) error) error {
	target, err := resolve(path)
	if err != nil {
		return &PathFault{path, err}
	}
	unlock, err := d.Lock(filepath.Dir(target))
	if err != nil {
		return fmt.Errorf("%s could not be saved: %s", path, Reason(err))
	}
	defer unlock()
	check := func() error {
		if may != nil {
			current, err := d.ReadFile(target)
			switch {
			case errors.Is(err, fs.ErrNotExist):
			case err != nil:
				return errors.New(Reason(err))
			default:
				if err := may(target, current); err != nil {
					return err
				}
			}
		}
		if again, err := resolve(path); err != nil || again != target {
			return ErrChanged
		}
		return nil
	}
	var kept error // why the file that is there stays
	look := func() error { kept = check(); return kept }
	if look() != nil {
		return fmt.Errorf("%s: %w", path, kept)
	}
	err = replace(d, target, data, look)
	switch {
	case kept != nil:
		return fmt.Errorf("%s: %w", path, kept)
	case err != nil:
		return fmt.Errorf("%s could not be saved: %s", path, Reason(err))
	}
	return nil
}

// replace puts a finished, synced file in the place of another by renaming: at every
// moment either the old or the new content is there, whole. look is called just before the
// rename. If anything fails, the old file stays and the new one is removed.
func replace(d Disk, path string, data []byte, look func() error) (err error) {
	if err := d.MayWrite(path); err != nil {
		return err
	}
	f, name, err := createTemporary(d, path)
	if err != nil {
		return err
	}
	open := true
	defer func() {
		if err != nil {
			if open {
				f.Close()
			}
			_ = d.Remove(name)
		}
	}()
	if err := fillFile(d, f, path, data); err != nil {
		return err
	}
	open = false // even where Close fails
	if err := f.Close(); err != nil {
		return err
	}
	if err := look(); err != nil {
		return err
	}
	if err := d.Rename(name, path); err != nil {
		return err
	}
	// Not every system can make the rename durable at once, and the content is
	// whole either way.
	_ = d.SyncDir(filepath.Dir(path))
	return nil
}

// fillFile gives the new file the permissions of the old one, while it is still empty, and then
// the content.
func fillFile(d Disk, f File, path string, data []byte) error {
	old, err := d.Stat(path)
	switch {
	case err == nil:
		if err := f.KeepPermissions(old); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	n, err := f.Write(data)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return err
	}
	return f.Sync()
}

// createTemporary creates a temporary file in the folder of path, with the permissions of any
// new file.
func createTemporary(d Disk, path string) (f File, name string, err error) {
	for i := range 1000 {
		name = temporaryName(filepath.Dir(path), i)
		if f, err = d.Create(name); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return f, name, err
}
