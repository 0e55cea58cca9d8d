// Package disk puts a whole file in the place of another ([Write]), or leaves the old one, reads
// files that others may be writing ([ReadSettled]), and reports when a file was written to ([Follow]).
package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Disk is the part of a file system that saving needs.
type Disk interface {
	// Lock keeps other explorers from saving into a folder until it is unlocked.
	Lock(dir string) (unlock func(), err error)
	ReadFile(name string) ([]byte, error)
	// Stat follows no link: links have been followed before.
	Stat(name string) (fs.FileInfo, error)
	// MayWrite fails if the file is there and this user may not write to it. A
	// rename over it would not ask.
	MayWrite(name string) error
	// Create makes a file that is not there yet.
	Create(name string) (File, error)
	Rename(from, to string) error
	Remove(name string) error
	// SyncDir makes a rename durable.
	SyncDir(dir string) error
}

// File is a file being written.
type File interface {
	io.WriteCloser
	// KeepPermissions gives the file the permissions and, if the system allows it, the owner of
	// the file it will replace.
	KeepPermissions(old fs.FileInfo) error
	Sync() error
}

// System is the file system of this machine.
type System struct {
	Private bool // new files are for their owner alone
}

type systemFile struct{ *os.File }

func (System) Lock(dir string) (func(), error) { return lockFolder(dir) }

func (System) ReadFile(name string) ([]byte, error) { return Read(name) }

func (System) Stat(name string) (fs.FileInfo, error) { return os.Lstat(name) }

func (System) MayWrite(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

func (s System) Create(name string) (File, error) {
	mode := fs.FileMode(0o666)
	if s.Private {
		mode = 0o600
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, err
	}
	return systemFile{f}, nil
}

func (System) Rename(from, to string) error { return os.Rename(from, to) }

func (System) Remove(name string) error { return os.Remove(name) }

func (System) SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// KeepPermissions sets the owner first, because changing it may clear permission bits. If the group cannot be kept, the
// permissions of the old group are not given to the new one.
func (f systemFile) KeepPermissions(old fs.FileInfo) error {
	mode := old.Mode().Perm()
	if !keepOwner(f.File, old) {
		mode = mode&^0o070 | mode&0o007<<3
	}
	return f.Chmod(mode)
}

// temporary is the pattern of the names of files that are being written. They lie in the folder of the
// file they will replace, as a rename cannot cross file systems, and their names are
// short, as that file's name may be as long as the system allows.
const temporary = ".epsiloscope-*.tmp"

func temporaryName(dir string, n int) string {
	return filepath.Join(dir, fmt.Sprintf(".epsiloscope-%d-%d.tmp", os.Getpid(), n))
}

// removeTemporaries removes temporary files that killed saves have left in a folder. The caller holds the
// folder's lock, so no other process is writing to them.
func removeTemporaries(dir string) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, f := range list {
		if ours, _ := filepath.Match(temporary, f.Name()); ours && f.Type().IsRegular() {
			os.Remove(filepath.Join(dir, f.Name()))
		}
	}
}
