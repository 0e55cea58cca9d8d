package ledger

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
)

// The first line of a ledger on a server comes in; the lines that this machine has seen of it go out, and more are
// added.

// mirror is a plain ledger file on this machine with the lines seen of a ledger on a server. It is only extended.
type mirror struct {
	path string
	data []byte // the whole lines
	more []byte // lines that are not written yet
}

// mirrorEnding is the ending of a mirror's name, behind the hash of the first line.
const mirrorEnding = ".ledger"

// openMirror returns the mirror of the ledger whose first line has a hash; nil if this machine keeps none.
func openMirror(folder, first string) (*mirror, error) {
	if folder == "" {
		folder = StateFolder()
	}
	if folder == "" || os.MkdirAll(folder, 0o700) != nil {
		return nil, nil
	}
	m := &mirror{path: filepath.Join(folder, first+mirrorEnding)}
	data, err := os.ReadFile(m.path)
	if err != nil && !os.IsNotExist(err) {
		return nil, systemErrorf("%s: the lines that this machine has seen of the ledger cannot be read: %w", m.path, err)
	}
	if end := bytes.LastIndexByte(data, '\n'); end >= 0 { // a writer that was killed may have left a part of a line
		m.data = data[:end+1]
	}
	return m, nil
}

// read returns the lines, their number and the hash of the last one.
func (m *mirror) read() (data []byte, lines int, last string) {
	const tail = 64 + len("\"}\n")
	if len(m.data) < tail {
		return nil, 0, ""
	}
	return m.data, bytes.Count(m.data, []byte("\n")), string(m.data[len(m.data)-tail:][:64])
}

// extend adds lines behind those that are there; write puts them on disk.
func (m *mirror) extend(lines []byte) { m.more = append(m.more, lines...) }

// write appends what was added, unless another process has done so meanwhile. If it fails, less was seen.
func (m *mirror) write() {
	if len(m.more) == 0 {
		return
	}
	file, err := openLocked(m.path, os.O_RDWR|os.O_CREATE, LockWait{})
	if err != nil {
		return
	}
	defer file.Close()
	seen, err := seenBytes(file)
	if err != nil {
		return
	}
	known := len(m.data)
	m.data, m.more = append(m.data, m.more...), nil
	if seen > len(m.data) || !sameEnd(file, m.data[:seen]) { // another process has seen more, or another chain
		return
	}
	if n, err := file.WriteAt(m.data[seen:], int64(seen)); err != nil || n != len(m.data)-seen {
		m.data, m.more = m.data[:known], append([]byte(nil), m.data[known:]...) // to be tried again
		return
	}
	_ = file.Truncate(int64(len(m.data)))
	_ = file.Sync()
}

// seenBytes returns the length of the whole lines in a file. A writer that was killed may have left a part of a line
// behind them.
func seenBytes(file handle) (int, error) {
	size, err := file.(io.Seeker).Seek(0, io.SeekEnd)
	for end := size; err == nil && end > 0; end -= tailBytes {
		tail := make([]byte, min(tailBytes, end))
		if _, err = file.(io.ReaderAt).ReadAt(tail, end-int64(len(tail))); err != nil {
			break
		}
		if i := bytes.LastIndexByte(tail, '\n'); i >= 0 {
			return int(end) - len(tail) + i + 1, nil
		}
	}
	return 0, err
}

const tailBytes = 4096

// sameEnd reports whether a file has the same last bytes at the end of some lines: as they hold the hash of all
// before them, it has the same lines.
func sameEnd(file handle, lines []byte) bool {
	tail := lines[max(0, len(lines)-tailBytes):]
	there := make([]byte, len(tail))
	if _, err := file.(io.ReaderAt).ReadAt(there, int64(len(lines)-len(tail))); err != nil {
		return false
	}
	return bytes.Equal(there, tail)
}

// replace puts another chain in the place of the mirror and keeps the old one beside it.
func (m *mirror) replace(lines []byte, head string) error {
	if err := os.Rename(m.path, m.path+".before-"+shortHash(head)); err != nil && !os.IsNotExist(err) {
		return &SystemError{err}
	}
	m.data, m.more = nil, lines
	m.write()
	return nil
}
