package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"epsiloscope/scenarios/disk"
)

// FileStore keeps the lines of a ledger in a file that is only appended to. A second file beside it,
// of the same name and .home, names the place: see [FileStore.HomePath].
type FileStore struct {
	Path string
	Wait LockWait

	open  func(path string, flag int) (handle, error) // in place of openLocked, for tests
	state string                                      // in place of [StateFolder], for tests
}

// Name returns the path.
func (s *FileStore) Name() string { return s.Path }

// Read locks the file for reading.
func (s *FileStore) Read() (Session, error) { return s.start(os.O_RDONLY) }

// Lock locks the file for writing.
func (s *FileStore) Lock() (Session, error) { return s.start(os.O_RDWR | os.O_APPEND) }

// Create makes the file, which must not exist.
func (s *FileStore) Create() (Session, error) {
	session, err := s.start(os.O_RDWR | os.O_CREATE | os.O_EXCL | os.O_APPEND)
	if err != nil {
		return nil, err
	}
	session.created = true
	return session, nil
}

func (s *FileStore) start(flag int) (*fileSession, error) {
	open := s.open
	if open == nil {
		open = func(path string, flag int) (handle, error) { return openLocked(path, flag, s.Wait) }
	}
	file, err := open(s.Path, flag)
	if err != nil {
		return nil, err
	}
	return &fileSession{store: s, file: file}, nil
}

// HomePath returns the path of the file that makes the ledger's folder its home: its first line is a
// random number, and requests are granted only beside the number that the ledger names. A
// copy of the ledger without it is for reading.
func (s *FileStore) HomePath() string { return s.Path + ".home" }

// fileSession is a locked file.
type fileSession struct {
	store   *FileStore
	file    handle
	seen    *seenHead // nil until it is compared
	checked bool      // the ledger has the head that was seen
	size    int64     // of the lines that were read
	created bool      // and nothing was written yet
}

// maxGrow is the largest file for which memory is taken at once.
const maxGrow = 1 << 32

func (s *fileSession) Lines(seq int) ([]byte, error) {
	var b bytes.Buffer
	if size := s.fileSize(); size < maxGrow { // of which one piece is taken, not ever larger ones
		b.Grow(int(size) + bytes.MinRead)
	}
	_, err := b.ReadFrom(s.file)
	if err != nil {
		return nil, systemErrorf("%s: %w", s.store.Path, err)
	}
	data := b.Bytes()
	s.size = int64(len(data))
	for range seq {
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	return data, nil
}

// Read reads the lines piece by piece, for a caller that does not need all of them at once.
func (s *fileSession) Read(p []byte) (int, error) {
	n, err := s.file.Read(p)
	s.size += int64(n)
	if err != nil && err != io.EOF {
		err = systemErrorf("%s: %w", s.store.Path, err)
	}
	return n, err
}

// fileSize returns the size of the file, or a guess.
func (s *fileSession) fileSize() int64 {
	info, err := os.Stat(s.store.Path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// Append writes lines by one write, and returns once they are on disk.
func (s *fileSession) Append(_ string, lines []Line) error {
	var data []byte
	for _, l := range lines {
		data = append(data, l.Line...)
	}
	n, err := s.file.Write(data)
	if err != nil || n != len(data) {
		if err == nil {
			err = io.ErrShortWrite
		}
		_ = s.file.Truncate(s.size) // if that fails too, the last line is torn, which the next reader detects
		return systemErrorf("%s: nothing was recorded: %w", s.store.Path, err)
	}
	if err := s.file.Sync(); err != nil {
		return &UnsyncedError{SystemError{fmt.Errorf("%s: it is not known whether the record reached the disk: %w", s.store.Path, err)}}
	}
	if s.created {
		s.created = false
		if d, err := os.Open(filepath.Dir(s.store.Path)); err == nil {
			_ = d.Sync() // not every system syncs folders
			d.Close()
		}
	}
	s.size += int64(n)
	if !s.checked { // what is missing stays known
		return nil
	}
	return s.seen.keep(lines[len(lines)-1].Record)
}

// Place returns the name in the file beside the ledger; "" if there is no such file.
func (s *fileSession) Place() (string, error) {
	data, err := os.ReadFile(s.store.HomePath())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", &SystemError{err}
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	if !isNonce(string(line)) {
		return "", fmt.Errorf("%s: its first line is not a number of %d hexadecimal digits, so it names no place", s.store.HomePath(), nonceDigits)
	}
	return filePlace(string(line)), nil
}

// filePlace returns the name of a place by the number beside the file.
func filePlace(nonce string) string { return "file:" + nonce }

// homeText follows the number in the file beside a ledger.
const homeText = `
This file marks the place where the ledger beside it grants requests. Leave it
here: a copy of the ledger elsewhere is for reading, and needs no such file.
`

// Settle writes a new number beside the file.
func (s *fileSession) Settle() (string, error) {
	nonce := newNonce()
	if err := disk.Write(disk.System{}, s.store.HomePath(), []byte(nonce+"\n"+homeText),
		func(string, []byte) error { return nil }); err != nil {
		return "", &SystemError{err}
	}
	return filePlace(nonce), nil
}

// CheckSeenHead compares the ledger with the last head that this machine has seen of it. Until the session is
// closed no other process of this user compares it, so that two copies cannot grant at the same time.
func (s *fileSession) CheckSeenHead(l *Ledger) error {
	if s.seen == nil {
		var err error
		if s.seen, err = openSeenHead(s.store.state, l.Records[0].Hash, s.store.Wait); err != nil {
			return err
		}
	}
	err := s.seen.check(l)
	s.checked = s.checked || err == nil
	return err
}

func (s *fileSession) Close() error {
	if s.created {
		os.Remove(s.store.Path) // nothing was promised yet
		os.Remove(s.store.HomePath())
	}
	s.seen.close()
	return s.file.Close()
}
