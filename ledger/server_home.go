package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"epsiloscope/accounting/numeral"
	"epsiloscope/ledger/postgres"
)

// Where a ledger's requests are granted changes here: after a failover or a restore, and by a move.

// SetHome records that the server which answers now grants the requests of the ledger, after a failover or a restore.
// Only the owner of the ledger can.
func (f *Stored) SetHome(reason string) (*Ledger, error) {
	if !f.isServer() {
		return nil, fmt.Errorf("%s: a file stays where it was opened; to go on elsewhere: epsiloscope ledger move %s TO", f.Path, numeral.Argument(f.Path))
	}
	return f.change(func(l *Ledger, _ time.Time) ([]Record, error) {
		switch {
		case l.bad != nil:
			return nil, l.bad
		case l.place == l.home.Home:
			return nil, fmt.Errorf("%s: line %d names this place already", f.Path, l.home.Seq+1)
		}
		return []Record{{Kind: KindHome, Home: l.place, Reason: reason}}, nil
	})
}

// ErrNothingForgotten means that a server has all lines that this machine has seen.
var ErrNothingForgotten = errors.New("the server has every line that this machine has seen")

// Readmit charges what this machine has seen in the ledger and the server has forgotten, as releases already made;
// what no longer fits is a breach.
func (f *Stored) Readmit() (l *Ledger, err error) {
	if !f.isServer() {
		return nil, fmt.Errorf("%s: it is a file; readmit is for a server that has forgotten lines", f.Path)
	}
	err = repeatDecision(func() error {
		l, err = f.readmitOnce()
		return err
	})
	return l, err
}

func (f *Stored) readmitOnce() (*Ledger, error) {
	locked, l, err := f.lock()
	if err != nil {
		return nil, err
	}
	defer locked.Close()
	session := locked.(*serverSession)
	place, _ := session.Place()
	switch {
	case l.bad != nil:
		return l, l.bad
	case session.unseen == nil:
		return l, ErrNothingForgotten
	case place != l.home.Home:
		return l, &AwayError{Path: l.Path, Line: l.home.Seq + 1}
	}
	data, _, _ := session.mirror.read()
	known, err := Parse(session.mirror.path, data)
	if err != nil {
		return l, err
	}
	fork, err := forkOf(l, known)
	if err != nil {
		return l, err
	}
	w := &appender{f: f.withClock(f.clockOf(session)), l: l, head: l.Head()}
	if err := w.readmit(known, fork); err != nil {
		return l, err
	}
	if len(w.lines) > 0 {
		if err := session.Append(w.head, w.lines); err != nil {
			return l, err
		}
	}
	// The server has everything now: its chain is what this machine has seen.
	var all bytes.Buffer
	all.Write(session.read)
	for _, line := range w.lines {
		all.Write(line.Line)
	}
	return l, session.mirror.replace(all.Bytes(), known.Head())
}

// Export writes the lines of the ledger to a new file, which is for reading: no request is granted there.
func (f *Stored) Export(path string) (*Ledger, error) {
	if postgres.IsAddress(path) {
		return nil, errors.New("a copy for reading is a file; to go on in another database: epsiloscope ledger move")
	}
	session, err := f.store.Read()
	if err != nil {
		return nil, err
	}
	defer session.Close()
	data, l, err := f.linesOf(session)
	if err != nil {
		return nil, err
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	switch {
	case errors.Is(err, os.ErrExist):
		return nil, fmt.Errorf("%s: a file of that name is already there", path)
	case err != nil:
		return nil, &SystemError{err}
	}
	_, err = out.Write(data)
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		os.Remove(path)
		return nil, systemErrorf("%s: %w", path, err)
	}
	return l, nil
}

// linesOf returns the lines of a session with the ledger they make.
func (f *Stored) linesOf(session Session) ([]byte, *Ledger, error) {
	data, err := session.Lines(0)
	if err != nil {
		return nil, nil, err
	}
	if s, ok := session.(*serverSession); ok && s.unseen != nil {
		return nil, nil, s.unseen
	}
	l, err := Parse(f.Path, data)
	if err == nil {
		err = l.tornError()
	}
	return data, l, err
}

// Move seals the ledger with a record that names another place, and then writes its lines there. If it is
// interrupted, the same call goes on: at no time do two places grant.
func (f *Stored) Move(to *Stored) (*Ledger, error) {
	if f.Path == to.Path {
		return nil, errors.New("the ledger is there already")
	}
	target, place, err := to.openTarget()
	if err != nil {
		return nil, err
	}
	defer target.Close()
	source, l, err := f.lock()
	if err != nil {
		return nil, err
	}
	defer source.Close()
	if l.bad != nil {
		return nil, l.bad
	}
	var lines []Line
	for _, r := range l.Records {
		line, err := r.seal()
		if err != nil {
			return nil, err
		}
		lines = append(lines, Line{r, line})
	}
	if l.home.Home != place { // else a move that was interrupted goes on
		if l.unplaced != nil {
			return nil, l.unplaced
		}
		w := &appender{f: f.withClock(f.clockOf(source)), l: l, head: l.Head()}
		if err := w.add(Record{Kind: KindHome, Home: place, Reason: truncateReason("moved to " + to.Path)}); err != nil {
			return nil, err
		}
		if err := source.Append(w.head, w.lines); err != nil {
			return nil, err
		}
		lines = append(lines, w.lines...)
	}
	if file, ok := target.(*fileSession); ok {
		file.created = false // it stays, so that the move can go on
		err = file.Append("", lines)
	} else {
		err = target.(*serverSession).importLines(lines)
	}
	if err != nil {
		return nil, fmt.Errorf("%w. %s is sealed and grants nothing; the same command goes on with the move", err, f.Path)
	}
	return l, nil
}

// openTarget starts a session on a place without a ledger, and returns the place's name. An empty file that an
// interrupted move has left is such a place.
func (f *Stored) openTarget() (Session, string, error) {
	if file, ok := f.store.(*FileStore); ok {
		if info, err := os.Stat(file.Path); err == nil && info.Mode().IsRegular() && info.Size() == 0 {
			session, err := file.start(os.O_RDWR | os.O_APPEND)
			if err != nil {
				return nil, "", err
			}
			if place, err := session.Place(); err == nil && place != "" {
				return session, place, nil
			}
			session.Close()
		}
	}
	session, err := f.store.Create()
	if err != nil {
		return nil, "", err
	}
	place, err := session.Settle()
	if err != nil {
		session.Close()
		return nil, "", err
	}
	return session, place, nil
}

// importLines writes lines of another place as they are, and commits.
func (s *serverSession) importLines(lines []Line) error {
	sent := make([]postgres.Line, len(lines))
	for i, l := range lines {
		sent[i] = postgres.Line{Kind: string(l.Kind), ID: l.ID, Nonce: l.Nonce, At: l.At,
			Bytes: bytes.TrimSuffix(l.Line, []byte("\n"))}
	}
	s.locked = false
	err := s.conn.Import(s.ctx, sent)
	if err == nil {
		err = s.conn.Commit(context.Background())
	}
	if err != nil {
		return s.store.fail("the lines could not be written: %w", err)
	}
	return nil
}
