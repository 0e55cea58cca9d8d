package ledger

import (
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// A path comes in; a ledger that was locked, replayed, changed by one record and synced goes out.

// File is a ledger on disk that may be written to.
type File struct {
	Path      string
	LockWait  LockWait
	Head      string              // must be in the chain before anything is granted; "" for none
	NewBlocks bool                // a request may name blocks that were never charged
	Check     func(*Ledger) error // asked before anything is granted; nil for nothing
	now       func() time.Time
	open      func(path string, flag int) (handle, error)
}

// NewFile returns the ledger of a path.
func NewFile(path string) *File {
	f := &File{Path: path, now: time.Now}
	f.open = func(path string, flag int) (handle, error) { return openLocked(path, flag, f.LockWait) }
	return f
}

// Refused is the verdict on a request that was not granted.
type Refused struct{ *Answer }

func (r *Refused) Error() string { return "refused: " + r.Refusal }

// SystemError is a failure of the system to lock, write or sync, not a mistake in the request.
type SystemError struct{ Err error }

func (t *SystemError) Error() string { return t.Err.Error() }
func (t *SystemError) Unwrap() error { return t.Err }

// unsyncedError is a record that was written and may not be on disk.
type unsyncedError struct{ SystemError }

func (u *unsyncedError) Unwrap() error { return &u.SystemError }

func systemErrorf(format string, args ...any) error { return &SystemError{fmt.Errorf(format, args...)} }

// change replays the ledger under its lock, calls decide for the records to append, and appends them. If decide
// returns a [*Refused], it is returned after the records are written; after any other error nothing is written.
func (f *File) change(decide func(l *Ledger, now time.Time) ([]Record, error)) (*Ledger, error) {
	file, l, _, err := f.replay(os.O_RDWR | os.O_APPEND)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := l.tornError(); err != nil {
		return l, err
	}
	now := f.clock()
	records, verdict := decide(l, now)
	var refused *Refused
	if verdict != nil && !errors.As(verdict, &refused) {
		return l, verdict
	}
	if len(records) > 0 {
		if err := f.withClock(now).append(file, l, records...); err != nil {
			return l, err
		}
	}
	return l, verdict
}

// replay opens the file under its lock and replays it; an error leaves nothing open.
func (f *File) replay(flag int) (file handle, l *Ledger, data []byte, err error) {
	if file, err = f.open(f.Path, flag); err != nil {
		return nil, nil, nil, err
	}
	if data, err = io.ReadAll(file); err != nil {
		err = systemErrorf("%s: %w", f.Path, err)
	} else {
		l, err = Parse(f.Path, data)
	}
	if err != nil {
		file.Close()
		return nil, nil, nil, err
	}
	return file, l, data, nil
}

func (f *File) clock() time.Time { return f.now().UTC().Truncate(time.Second) }

// withClock returns f with its clock fixed at now, so that decision and record carry the same time.
func (f *File) withClock(now time.Time) *File {
	c := *f
	c.now = func() time.Time { return now }
	return &c
}

// append writes records by one write, and acknowledges them only once they are on disk.
func (f *File) append(file handle, l *Ledger, records ...Record) error {
	var lines []byte
	size := l.size
	for _, r := range records {
		line, err := f.sealNext(l, r)
		if err != nil {
			return err
		}
		lines = append(lines, line...)
	}
	return f.write(file, lines, size)
}

// write appends lines to a file of some size by one write, and returns once they are on disk.
func (f *File) write(file handle, lines []byte, size int64) error {
	n, err := file.Write(lines)
	if err != nil || n != len(lines) {
		if err == nil {
			err = io.ErrShortWrite
		}
		_ = file.Truncate(size) // if that fails too, the last line is torn, which the next reader detects
		return systemErrorf("%s: nothing was recorded: %w", f.Path, err)
	}
	if err := file.Sync(); err != nil {
		return &unsyncedError{SystemError{fmt.Errorf("%s: it is not known whether the record reached the disk: %w", f.Path, err)}}
	}
	return nil
}

// sealNext numbers, chains and seals a record, and replays it.
func (f *File) sealNext(l *Ledger, r Record) ([]byte, error) {
	at := f.clock()
	if at.Before(l.lastTime()) { // another machine's clock is ahead
		at = l.lastTime()
	}
	r.V, r.Seq, r.At, r.Prev = Version, len(l.Records), at.Format(timeLayout), l.Head()
	line, err := r.seal()
	if err != nil {
		return nil, err
	}
	// Parsed and replayed before it is written, so that nothing unreadable is written.
	back, err := parseRecord(line[:len(line)-1])
	if err == nil {
		err = l.replay(back)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	l.size += int64(len(line))
	return line, nil
}

// newID returns a random id: short enough to type, too long to occur twice by chance.
func newID(l *Ledger) string {
	for {
		var b [5]byte
		_, _ = rand.Read(b[:]) // never fails
		id := strings.ToLower(base32.StdEncoding.EncodeToString(b[:]))
		if l.reservations[id] == nil {
			return id
		}
	}
}
