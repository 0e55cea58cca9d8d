package scenarios

import (
	"epsiloscope/scenarios/disk"
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// faulty is the real disk with one fault: at one call something goes wrong, or
// somebody else does something. Syncing is noted and not done, as nothing but the
// fault below ever asks for it.
type faulty struct {
	disk.System
	fault
	calls   []string
	struck  bool                   // the fault has happened
	stopped bool                   // the machine is off
	written map[string]*faultyFile // by the name they have now
}

// fault is what happens at one call of a save.
type fault struct {
	call      string // which; "" for none
	skip      int    // how many calls of that name go well before
	err       error  // what it fails with; nil: it does not
	part      int    // how many bytes a failing write writes first
	silent    bool   // a short write says nothing of it, against io.Writer's rules
	power     bool   // the machine stops in the middle of the call
	meanwhile func() // what somebody else does just before it
}

// errOff is what every call gives once the machine is off. No message shows it.
var errOff = errors.New("the machine is off")

type faultyFile struct {
	disk.File
	on     *faulty
	synced bool
}

// reach counts a call and lets the fault happen.
func (d *faulty) reach(call string) (here bool, err error) {
	if d.stopped {
		return false, errOff
	}
	d.calls = append(d.calls, call)
	if call != d.call || d.struck {
		return false, nil
	}
	if d.skip > 0 {
		d.skip--
		return false, nil
	}
	here, d.struck = true, true
	if d.meanwhile != nil {
		d.meanwhile()
	}
	if d.power {
		d.stopped = true
		return true, errOff
	}
	return true, d.err
}

// cutPower loses what was never synced: of such a file any beginning may be on the
// disk, or nothing.
func (d *faulty) cutPower(kept int) {
	for name, f := range d.written {
		f.File.Close()
		if info, err := os.Lstat(name); err == nil && !f.synced {
			_ = os.Truncate(name, min(int64(kept), info.Size()))
		}
	}
}

func (d *faulty) Lock(dir string) (func(), error) {
	if _, err := d.reach("lock"); err != nil {
		return nil, err
	}
	return d.System.Lock(dir)
}

func (d *faulty) ReadFile(name string) ([]byte, error) {
	if _, err := d.reach("read"); err != nil {
		return nil, err
	}
	return d.System.ReadFile(name)
}

func (d *faulty) Stat(name string) (fs.FileInfo, error) {
	if _, err := d.reach("stat"); err != nil {
		return nil, err
	}
	return d.System.Stat(name)
}

func (d *faulty) MayWrite(name string) error {
	if _, err := d.reach("may write"); err != nil {
		return err
	}
	return d.System.MayWrite(name)
}

func (d *faulty) Create(name string) (disk.File, error) {
	if _, err := d.reach("create"); err != nil {
		return nil, err
	}
	f, err := d.System.Create(name)
	if err != nil {
		return nil, err
	}
	file := &faultyFile{File: f, on: d}
	d.written[name] = file
	return file, nil
}

func (d *faulty) Rename(from, to string) error {
	if _, err := d.reach("rename"); err != nil {
		return err
	}
	if err := d.System.Rename(from, to); err != nil {
		return err
	}
	d.written[to] = d.written[from]
	delete(d.written, from)
	return nil
}

func (d *faulty) Remove(name string) error {
	if d.stopped {
		return errOff
	}
	return d.System.Remove(name) // tidying up is not made to fail: it would leave litter by definition
}

func (d *faulty) SyncDir(string) error {
	_, err := d.reach("sync folder")
	return err
}

func (f *faultyFile) KeepPermissions(old fs.FileInfo) error {
	if _, err := f.on.reach("keep"); err != nil {
		return err
	}
	return f.File.KeepPermissions(old)
}

func (f *faultyFile) Write(p []byte) (int, error) {
	here, err := f.on.reach("write")
	if !here && err == nil {
		return f.File.Write(p)
	}
	if !here {
		return 0, err
	}
	if err == nil && !f.on.silent {
		return f.File.Write(p)
	}
	n, failed := f.File.Write(p[:min(f.on.part, len(p)-1)])
	if failed != nil {
		return n, failed
	}
	return n, err
}

func (f *faultyFile) Sync() error {
	_, err := f.on.reach("sync")
	f.synced = err == nil
	return err
}

func (f *faultyFile) Close() error {
	_, err := f.on.reach("close")
	if failed := f.File.Close(); err == nil {
		err = failed
	}
	return err
}

// diskErrors are what systems answer when saving goes wrong.
var diskErrors = []error{syscall.ENOSPC, syscall.EACCES, syscall.EIO, syscall.EROFS, syscall.EDQUOT,
	syscall.EPERM, syscall.EBUSY}
