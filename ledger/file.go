package ledger

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A store comes in; a ledger that was locked, replayed and changed by one record goes out.

// Refused is the verdict on a request that was not granted.
type Refused struct{ *Answer }

func (r *Refused) Error() string { return "refused: " + r.Refusal }

// SystemError is a failure of the system to lock, write or sync, not a mistake in the request.
type SystemError struct{ Err error }

func (t *SystemError) Error() string { return t.Err.Error() }
func (t *SystemError) Unwrap() error { return t.Err }

func systemErrorf(format string, args ...any) error { return &SystemError{fmt.Errorf(format, args...)} }

// change replays the ledger under its lock, calls decide for the records to append, and appends them. If decide
// returns a [*Refused], it is returned after the records are written; after any other error nothing is written.
func (f *Stored) change(decide func(l *Ledger, now time.Time) ([]Record, error)) (*Ledger, error) {
	session, l, err := f.lock()
	if err != nil {
		return l, err
	}
	defer session.Close()
	now := f.clock()
	records, verdict := decide(l, now)
	var refused *Refused
	if verdict != nil && !errors.As(verdict, &refused) {
		return l, verdict
	}
	if len(records) > 0 {
		if err := f.withClock(now).append(session, l, records...); err != nil {
			return l, err
		}
	}
	return l, verdict
}

// lock starts a locked session and replays its lines; an error leaves nothing locked.
func (f *Stored) lock() (Session, *Ledger, error) {
	session, err := f.store.Lock()
	if err != nil {
		return nil, nil, err
	}
	data, err := session.Lines(0)
	var l *Ledger
	if err == nil {
		l, err = Parse(f.Path, data)
	}
	if err == nil {
		err = l.tornError()
	}
	if err != nil {
		session.Close()
		return nil, l, err
	}
	l.unplaced = l.checkPlace(session)
	return session, l, nil
}

// checkPlace refuses a ledger that is not in the place that grants its requests, or lacks lines that this machine has seen.
func (l *Ledger) checkPlace(s Session) error {
	place, err := s.Place()
	switch {
	case err != nil:
		return err
	case place == "" || place != l.home.Home:
		return &AwayError{Path: l.Path, Line: l.home.Seq + 1}
	}
	return s.CheckSeen(l)
}

// AwayError means that a ledger is a copy: the place that grants its requests is another.
type AwayError struct {
	Path string
	Line int // that names the place, from 1
}

func (e *AwayError) Error() string {
	return fmt.Sprintf("%s: it is a copy: line %d names another place as the one that grants its requests. Spend there", e.Path, e.Line)
}

func (f *Stored) clock() time.Time { return f.now().UTC().Truncate(time.Second) }

// withClock returns f with its clock fixed at now, so that decision and record carry the same time.
func (f *Stored) withClock(now time.Time) *Stored {
	c := *f
	c.now = func() time.Time { return now }
	return &c
}

// append seals records and appends them.
func (f *Stored) append(session Session, l *Ledger, records ...Record) error {
	head := l.Head()
	var lines []Line
	for _, r := range records {
		line, err := f.sealNext(l, r)
		if err != nil {
			return err
		}
		lines = append(lines, Line{l.Records[len(l.Records)-1], line})
	}
	return session.Append(head, lines)
}

// sealNext numbers, chains and seals a record, and replays it.
func (f *Stored) sealNext(l *Ledger, r Record) ([]byte, error) {
	at := f.clock()
	if at.Before(l.lastTime()) { // another machine's clock is ahead
		at = l.lastTime()
	}
	r.V, r.Seq, r.At, r.Prev, r.Nonce = Version, len(l.Records), at.Format(timeLayout), l.Head(), newNonce()
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

// newNonce returns random digits that no other line has.
func newNonce() string {
	var b [nonceDigits / 2]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
