package scenarios

import (
	"crypto/sha256"
	"sync"

	"epsiloscope/scenarios/internal/document"
)

// origin is where a scenario came from. Clones share it: the text never changes,
// and all of them belong to one file.
type origin struct {
	doc  *document.Document
	file *fileState
}

// entrySource is where an entry stands in the text, so that saving can tell an
// entry that was edited or moved from one that is new.
type entrySource struct {
	node *document.Node // the entry itself
	list *document.Node // the sequence it is an item of
}

// fileState is what was last known of the file, by loading or by saving.
type fileState struct {
	mu   sync.Mutex
	path string
	hash [sha256.Size]byte
}

func (f *fileState) set(path string, data []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.path, f.hash = path, sha256.Sum256(data)
}

func (f *fileState) get() (path string, hash [sha256.Size]byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.path, f.hash
}

// Path is the file the scenario was loaded from or last saved to; "" if none.
func (s *Scenario) Path() string {
	if s.origin == nil {
		return ""
	}
	path, _ := s.origin.file.get()
	return path
}
