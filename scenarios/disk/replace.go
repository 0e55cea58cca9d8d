package disk

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
)

// replace puts a finished, synced file in the place of another by renaming: at every
// moment either the old or the new content is there, whole. check is asked once more
// before the rename. Where anything fails the old file stays and nothing is left.
func replace(d Disk, path string, data []byte, check func() error) (err error) {
	if err := d.MayWrite(path); err != nil {
		return err
	}
	f, name, err := createBeside(d, path)
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
	if err := fill(d, f, path, data); err != nil {
		return err
	}
	open = false // even where Close fails
	if err := f.Close(); err != nil {
		return err
	}
	if err := check(); err != nil {
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

// fill gives the new file the old one's permissions, before there is anything in it
// to read, and the content.
func fill(d Disk, f File, path string, data []byte) error {
	switch old, err := d.Stat(path); {
	case err == nil:
		if err := f.Keep(old); err != nil {
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

// createBeside makes a file in the same folder, with the permissions any new one
// would get.
func createBeside(d Disk, path string) (f File, name string, err error) {
	for i := range 1000 {
		name = temporaryName(filepath.Dir(path), i)
		if f, err = d.Create(name); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return f, name, err
}
