package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"epsiloscope/ledger/postgres"
)

// Sealed lines come in; they are on the server, or it is known that they are not, or it is said that nobody knows.

// errMoved means that none of the lines was recorded or will be: another process has appended, and the decision must
// be made again.
var errMoved = errors.New("another process has appended to the ledger")

// Append hands the lines to the server and commits. If an answer is lost, the same lines are handed over on a new
// connection until the server says that they are there.
func (s *serverSession) Append(expect string, lines []Line) error {
	if !s.locked {
		return s.store.fail("the session has no lock any more")
	}
	s.locked = false
	sent := make([]postgres.Line, len(lines))
	for i, l := range lines {
		sent[i] = postgres.Line{Expect: expect, Kind: string(l.Kind), ID: l.ID, Nonce: l.Nonce, At: l.At,
			Bytes: bytes.TrimSuffix(l.Line, []byte("\n"))}
		expect = l.Hash
	}
	outcome, err := s.conn.AppendAll(s.ctx, sent)
	if postgres.MayBeWritten(err) {
		outcome, err = s.appendAgain(sent, err)
	}
	switch {
	case err == nil && outcome == postgres.Moved:
		return errMoved
	case err == nil:
		s.keep(lines)
		return nil
	case postgres.MayBeWritten(err):
		return &UnsyncedError{SystemError{fmt.Errorf("%s: it is not known whether the record is on the server: %w", s.store.Address.Text, err)}}
	case postgres.IsForbidden(err):
		return fmt.Errorf("%s: nothing was recorded: the role %s may not write it: %w", s.store.Address.Text, s.server.Role, err)
	case postgres.IsRefusal(err):
		return fmt.Errorf("%s: nothing was recorded: %w", s.store.Address.Text, err)
	}
	return s.store.fail("nothing was recorded: %w", err)
}

// appendAgain hands lines whose answer was lost to the server on new connections, until it answers or the time is up.
// The head's lock shows that the first try has ended.
func (s *serverSession) appendAgain(lines []postgres.Line, lost error) (postgres.Outcome, error) {
	ctx, cancel := context.WithTimeout(context.Background(), s.store.limit())
	defer cancel()
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		s.conn.Close()
		outcome, err := s.tryAgain(ctx, lines)
		if err == nil || postgres.IsRefusal(err) {
			return outcome, err
		}
		if postgres.MayBeWritten(err) {
			lost = err
		}
		select {
		case <-ctx.Done():
			return "", &postgres.LostAnswer{Err: lost}
		case <-time.After(pause):
		}
	}
}

// errOtherPlace means that another server answers at the address than the one on which a line was first tried.
var errOtherPlace = errors.New("another server answers at this address now")

func (s *serverSession) tryAgain(ctx context.Context, lines []postgres.Line) (postgres.Outcome, error) {
	conn, err := s.store.Address.Connect(ctx)
	if err != nil {
		return "", err
	}
	s.conn = conn
	server, err := conn.Inspect(ctx)
	switch {
	case err != nil:
		return "", err
	case server.Place != s.server.Place:
		return "", &postgres.LostAnswer{Err: errOtherPlace}
	}
	if err := conn.CheckDurable(ctx); err != nil {
		return "", err
	}
	if err := conn.Begin(ctx, s.store.limit()); err != nil {
		return "", err
	}
	return conn.AppendAll(ctx, lines)
}

// keep adds lines to the mirror once the server has them.
func (s *serverSession) keep(lines []Line) {
	if s.mirror == nil && lines[0].Seq == 0 {
		s.mirror, _ = openMirror(s.store.state, lines[0].Hash)
	}
	if s.mirror == nil || s.unseen != nil {
		return
	}
	var data []byte
	for _, l := range lines {
		data = append(data, l.Line...)
	}
	s.mirror.extend(data)
	s.mirror.write()
}
