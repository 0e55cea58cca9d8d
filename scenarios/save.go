package scenarios

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync/atomic"

	"epsiloscope/internal/yamltree"
	"epsiloscope/scenarios/disk"
)

// origin is the file or text a scenario came from. Clones share it: the text never changes, and
// all of them belong to one file.
type origin struct {
	name string                     // what mistakes call a text that is in no file
	doc  *yamltree.Document         // nil if it was not read
	file *atomic.Pointer[savedFile] // by loading or by saving
}

// entrySource is the place of an entry in the text, so that saving can distinguish an entry that
// was edited or moved from a new one.
type entrySource struct {
	node *yamltree.Node // the entry itself
	list *yamltree.Node // the sequence it is an item of
}

// savedFile is the last known content of the file; its path is "" if there is none.
type savedFile struct {
	path string
	hash [sha256.Size]byte
}

func newOrigin(name string, doc *yamltree.Document) *origin {
	o := &origin{name, doc, new(atomic.Pointer[savedFile])}
	o.file.Store(&savedFile{})
	return o
}

func (o *origin) markSaved(path string, data []byte) {
	o.file.Store(&savedFile{path, sha256.Sum256(data)})
}

// Path returns the file the scenario was loaded from or last saved to; "" if none.
func (s *Scenario) Path() string {
	if s.origin == nil {
		return ""
	}
	return s.origin.file.Load().path
}

// Source returns what mistakes call the text the scenario was read from; "" if it was not read.
func (s *Scenario) Source() string {
	if s.origin == nil {
		return ""
	}
	return cmp.Or(s.Path(), s.origin.name)
}

// WithOriginOf returns s as an edited state of file's source, so that saving edits that text.
func (s *Scenario) WithOriginOf(file *Scenario) *Scenario {
	if s.origin == file.origin || s.origin != nil && file.origin != nil && s.origin.file == file.origin.file {
		return s
	}
	c := *s
	c.origin = file.origin
	c.Stack, _ = Map(s.Stack, func(e *Entry) error { e.source = nil; return nil }) // that was a place in another text
	return &c
}

// Save writes the scenario to a file, whole or not at all. It fails with [disk.ErrChanged] if the file was changed
// since it was loaded, and with [disk.ErrExists] if another file has that name.
func (s *Scenario) Save(path string) error { return s.save(disk.System{}, path, false) }

// SaveForce saves and replaces any file that is there.
func (s *Scenario) SaveForce(path string) error { return s.save(disk.System{}, path, true) }

// save takes the disk as an argument, so that tests can pass one that fails.
func (s *Scenario) save(d disk.Disk, path string, force bool) error {
	data, err := s.Marshal()
	if err != nil {
		return err
	}
	may := s.mayReplace
	if force {
		may = nil
	}
	if err := disk.Write(d, path, data, may); err != nil {
		return err
	}
	s.adopt(path, data)
	return nil
}

// mayReplace returns an error if the file on disk is not the one that was loaded or last saved.
func (s *Scenario) mayReplace(target string, current []byte) error {
	if s.origin == nil {
		return disk.ErrExists
	}
	last := s.origin.file.Load()
	if known, err := disk.Resolve(last.path); last.path == "" || err != nil || known != target {
		return disk.ErrExists
	}
	if sha256.Sum256(current) != last.hash {
		return disk.ErrChanged
	}
	return nil
}

// ChangedOnDisk reports whether the file differs from what was loaded or saved. A
// file that is gone has changed.
func (s *Scenario) ChangedOnDisk() (bool, error) {
	if s.Path() == "" {
		return false, nil
	}
	last := s.origin.file.Load()
	current, err := os.ReadFile(last.path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("%s: %s", last.path, disk.Reason(err))
	}
	return sha256.Sum256(current) != last.hash, nil
}

// adopt makes the text just saved the one that later edits start from.
func (s *Scenario) adopt(path string, data []byte) {
	back, err := Parse(path, data)
	if err != nil {
		return
	}
	if s.origin != nil {
		back.origin.file = s.origin.file // clones, such as an undo history, share it
	}
	s.origin = back.origin
	s.origin.markSaved(path, data)
	s.Stack = back.Stack // equal, with its places in the new text
}

// Marshal writes the scenario as YAML. What was read from a text keeps its
// comments, order and formatting wherever it did not change.
func (s *Scenario) Marshal() ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	t := s.tree()
	if s.origin == nil || s.origin.doc == nil || s.origin.doc.Root == nil {
		return s.checkRoundTrip([]byte(t.Emit(0) + "\n"))
	}
	doc := s.origin.doc
	for _, coarse := range []bool{false, true} {
		if data, err := s.checkRoundTrip(yamltree.Patch(doc, t, coarse)); err == nil {
			return data, nil
		}
	}
	// A change inside an anchored node would also change its aliases, so it cannot be made in place. The
	// words above the first field are still the author's.
	return s.checkRoundTrip(yamltree.Rewrite(doc, t))
}

// JSON returns the scenario on one line of JSON, which is YAML too: [Parse] reads it back.
func (s *Scenario) JSON() ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return s.checkRoundTrip([]byte(s.tree().JSON()))
}

// checkRoundTrip parses data and returns an error unless the result equals s.
func (s *Scenario) checkRoundTrip(data []byte) ([]byte, error) {
	back, err := Parse("the text to be saved", data)
	if err != nil {
		return nil, err
	}
	if !back.Equal(s) {
		return nil, errors.New("the scenario cannot be written so that it reads back the same")
	}
	return data, nil
}

// tree returns the whole scenario, in the order of a new file.
func (s *Scenario) tree() *yamltree.Node {
	t := scenarioTable().Tree(s)
	t.Style = yamltree.Block
	return t
}
