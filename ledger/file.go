package ledger

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
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
func (f *Stored) change(decide func(l *Ledger, now time.Time) ([]Record, error)) (l *Ledger, err error) {
	err = repeatDecision(func() error {
		l, err = f.changeOnce(decide)
		return err
	})
	return l, err
}

// repeatDecision repeats a decision as long as another process appends before it is recorded, which a lost answer can
// allow.
func repeatDecision(decide func() error) (err error) {
	for range 20 {
		if err = decide(); !errors.Is(err, errMoved) {
			return err
		}
	}
	return &SystemError{err}
}

func (f *Stored) changeOnce(decide func(l *Ledger, now time.Time) ([]Record, error)) (*Ledger, error) {
	session, l, err := f.lock()
	if err != nil {
		return l, err
	}
	defer session.Close()
	now := f.clockOf(session)
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
	f.keepAhead(session, l)
	return l, verdict
}

// lock starts a locked session and replays its lines; an error leaves nothing locked.
func (f *Stored) lock() (Session, *Ledger, error) {
	f.replayAhead()
	session, err := f.store.Lock()
	if err != nil {
		return nil, nil, err
	}
	l, err := f.replaySession(session)
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

// replaySession replays the lines of a locked session: all, or those beyond what was replayed ahead.
func (f *Stored) replaySession(session Session) (*Ledger, error) {
	if s, ok := session.(*serverSession); ok {
		if l, err := f.catchUp(s); !errors.Is(err, errOtherChain) {
			return l, err
		}
	}
	if s, ok := session.(*fileSession); ok && f.before == nil {
		return f.replayFile(s)
	}
	data, err := session.Lines(0)
	if err != nil {
		return nil, err
	}
	if f.before.hasBytes(data) {
		f.before.unplaced, f.before.NewBlocks = nil, false
		return f.before, nil
	}
	f.before = nil
	return f.parseSession(session, data)
}

// replayFile replays a file. If a release follows, it is kept by which bytes the file can be recognized afterwards.
func (f *Stored) replayFile(s *fileSession) (*Ledger, error) {
	if !f.Command {
		return newLedger(f.Path).parseLines(s)
	}
	bytes := sha256.New()
	l, err := newLedger(f.Path).parseFrom(io.TeeReader(s, bytes), s.fileSize())
	if err == nil {
		l.bytes = bytes
	}
	return l, err
}

// hasBytes reports whether a file has byte for byte the lines of a ledger that this process has replayed and appended
// to: it need not be replayed again.
func (l *Ledger) hasBytes(data []byte) bool {
	if l == nil || l.bytes == nil || l.Torn != nil || int64(len(data)) != l.size {
		return false
	}
	sum := sha256.Sum256(data)
	return bytes.Equal(sum[:], l.bytes.Sum(nil))
}

// parseSession replays lines. On a server a line that does not hold stops grants, not records: what comes before it
// is replayed, and what is recorded follows the server's last line.
func (f *Stored) parseSession(session Session, data []byte) (*Ledger, error) {
	l, err := Parse(f.Path, data)
	var bad *BadLine
	server, ok := session.(*serverSession)
	if !ok || !errors.As(err, &bad) || bad.Line < 2 {
		return l, err
	}
	end := 0
	for range bad.Line - 1 {
		end += bytes.IndexByte(data[end:], '\n') + 1
	}
	if l, err = Parse(f.Path, data[:end]); err == nil {
		l.bad, l.tail = bad, Record{Seq: server.head.Seq, Hash: server.head.Hash}
	}
	return l, err
}

// checkPlace refuses a ledger that is not in the place that grants its requests, or lacks lines that this machine has
// seen.
func (l *Ledger) checkPlace(s Session) error {
	place, err := s.Place()
	l.place = place
	switch {
	case l.bad != nil:
		return l.bad
	case err != nil:
		return err
	case place == "" || place != l.home.Home:
		return &AwayError{Path: l.Path, Line: l.home.Seq + 1}
	}
	return s.CheckSeenHead(l)
}

// AwayError means that a ledger is a copy: the place that grants its requests is another.
type AwayError struct {
	Path string
	Line int // that names the place, from 1
}

func (e *AwayError) Error() string {
	return fmt.Sprintf("%s: it is a copy: line %d names another place as the one that grants its requests. Spend there", e.Path, e.Line)
}

// clockOf returns the time by which a session's records are stamped: the server's, else this machine's.
func (f *Stored) clockOf(session Session) time.Time {
	if s, ok := session.(*serverSession); ok {
		return s.Clock().Truncate(time.Second)
	}
	return f.clock()
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
	head := l.end()
	var lines []Line
	for _, r := range records {
		line, err := f.sealNext(l, r)
		if err != nil {
			return err
		}
		lines = append(lines, asLine(line))
	}
	return session.Append(head, lines)
}

// asLine returns a sealed line with its record.
func asLine(line []byte) Line {
	r, _ := parseRecord(line[:len(line)-1]) // it was parsed when it was sealed
	return Line{r, line}
}

// end returns the hash that the next line follows.
func (l *Ledger) end() string {
	if l.bad != nil {
		return l.tail.Hash
	}
	return l.Head()
}

// sealNext numbers, chains and seals a record, and replays it.
func (f *Stored) sealNext(l *Ledger, r Record) ([]byte, error) {
	at := f.clock()
	if at.Before(l.lastTime()) { // another machine's clock is ahead
		at = l.lastTime()
	}
	r.V, r.Seq, r.At, r.Prev, r.Nonce = Version, len(l.Records), at.Format(timeLayout), l.end(),
		cmp.Or(r.Nonce, newNonce())
	if l.bad != nil {
		r.Seq = l.tail.Seq + 1
	}
	line, err := r.seal()
	if err != nil {
		return nil, err
	}
	// Parsed and replayed before it is written, so that nothing unreadable is written.
	back, err := parseRecord(line[:len(line)-1])
	if err == nil && l.bad != nil {
		l.tail = back
	} else if err == nil {
		err = l.replay(back)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	if l.size += int64(len(line)); l.bytes != nil {
		l.bytes.Write(line)
	}
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
