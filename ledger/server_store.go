package ledger

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"time"

	"epsiloscope/accounting/numeral"
	"epsiloscope/ledger/postgres"
)

// An address comes in; sessions on a server go out that see its lines and append to them. A mirror of the lines on
// this machine shortens the reading, and reveals a server that has forgotten some.

// ServerStore keeps the lines of a ledger on a PostgreSQL server.
type ServerStore struct {
	Address *postgres.Address
	Wait    LockWait

	whole bool   // read every line from the server, also those of the mirror
	state string // in place of [StateFolder], for tests

	spare     *postgres.Conn // idle, of the replay ahead of the lock; nil for none
	connected int            // how often a connection was made, for tests
}

// Open returns the ledger in a file, or on a server if the text is an address.
func Open(text string, wait LockWait) (*Stored, error) {
	if !postgres.IsAddress(text) {
		return NewStored(&FileStore{Path: text, Wait: wait}), nil
	}
	a, err := postgres.ParseAddress(text)
	if err != nil {
		return nil, err
	}
	return NewStored(&ServerStore{Address: a, Wait: wait}), nil
}

// Weak says in words how the connection to a ledger's server is less than verified; "" if it is verified, or is a file.
func (f *Stored) Weak() string {
	if s, ok := f.store.(*ServerStore); ok {
		return s.Address.Weak
	}
	return ""
}

// Name returns the address, which has no password.
func (s *ServerStore) Name() string { return s.Address.Text }

func (s *ServerStore) limit() time.Duration { return cmp.Or(s.Wait.Limit, DefaultWait) }

// fail words an error of the server, with the address before it.
func (s *ServerStore) fail(format string, args ...any) error {
	return systemErrorf("%s: %w", s.Address.Text, fmt.Errorf(format, args...))
}

// start connects, and refuses a server without the ledger.
func (s *ServerStore) start(ctx context.Context) (*serverSession, error) {
	if conn := s.spare; conn != nil {
		s.spare = nil
		if session, err := s.inspect(ctx, conn); err == nil {
			return session, nil // else it was ended meanwhile: another one says what is wrong
		}
	}
	s.connected++
	conn, err := s.Address.Connect(ctx)
	if err != nil {
		return nil, &SystemError{err}
	}
	session, err := s.inspect(ctx, conn)
	if err != nil {
		return nil, s.fail("%w", err)
	}
	return session, nil
}

// inspect starts a session on a connection; an error closes it.
func (s *ServerStore) inspect(ctx context.Context, conn *postgres.Conn) (session *serverSession, err error) {
	session = &serverSession{store: s, conn: conn, ctx: ctx}
	if session.server, err = conn.Inspect(ctx); err == nil && session.server.Ready {
		err = conn.CheckFormat(ctx)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return session, nil
}

// Read starts a session on what the server has now. A standby may lag behind what this machine has seen.
func (s *ServerStore) Read() (Session, error) {
	ctx, cancel := context.WithTimeout(context.Background(), s.limit()+time.Minute)
	session, err := s.start(ctx)
	if err == nil && !session.server.Ready {
		session.conn.Close()
		err = s.fail("%w", postgres.ErrNoLedger)
	}
	if err != nil {
		cancel()
		return nil, err
	}
	session.cancel = cancel
	return session, nil
}

// Lock starts a transaction that holds the lock of the last line.
func (s *ServerStore) Lock() (Session, error) {
	session, err := s.begin()
	if err == nil && session.head.Seq < 0 {
		session.Close()
		err = fmt.Errorf("%s: no ledger was opened there yet: epsiloscope ledger new %s", s.Address.Text, numeral.Argument(s.Address.Text))
	}
	if err != nil {
		return nil, err
	}
	return session, nil
}

// begin starts a session that holds the lock, on a ledger with or without lines.
func (s *ServerStore) begin() (*serverSession, error) {
	ctx, cancel := context.WithTimeout(context.Background(), s.limit()+time.Minute)
	session, err := s.start(ctx)
	if err != nil {
		cancel()
		return nil, err
	}
	session.cancel = cancel
	switch {
	case session.server.Standby:
		err = s.fail("%w", postgres.ErrStandby)
	case !session.server.Ready:
		err = s.fail("%w", postgres.ErrNoLedger)
	default:
		if err = session.conn.CheckDurable(ctx); err != nil {
			err = s.fail("%w", err)
		} else {
			err = session.lock()
		}
	}
	if err != nil {
		session.Close()
		return nil, err
	}
	return session, nil
}

// NeedsSchema means that a ledger cannot be opened until a role that may do so has made its schema.
type NeedsSchema struct {
	Err    error
	Schema string
}

func (n *NeedsSchema) Error() string { return n.Err.Error() }
func (n *NeedsSchema) Unwrap() error { return n.Err }

// Create makes the schema of the ledger if it is not there, and starts a session on it. A schema without lines stays
// if nothing is written: the next call finds it.
func (s *ServerStore) Create() (Session, error) {
	ctx, cancel := context.WithTimeout(context.Background(), s.limit())
	defer cancel()
	look, err := s.start(ctx)
	if err != nil {
		return nil, err
	}
	defer look.conn.Close()
	switch {
	case look.server.Standby:
		return nil, s.fail("%w", postgres.ErrStandby)
	case look.server.Ready && !look.server.Owner:
		return nil, fmt.Errorf("%s: its schema is there, and the role %s is not a member of %s_owner, which opens the ledger", s.Address.Text, look.server.Role, s.Address.Schema)
	case !look.server.Ready:
		if err := look.conn.Install(ctx); err != nil {
			return nil, &NeedsSchema{s.fail("the role %s could not make the schema of the ledger and its roles: %w", look.server.Role, err), s.Address.Schema}
		}
	}
	session, err := s.begin()
	if err == nil && session.head.Seq >= 0 {
		session.Close()
		err = fmt.Errorf("%s: a ledger of that name is already there", s.Address.Text)
	}
	if err != nil {
		return nil, err
	}
	return session, nil
}

// serverSession is a connection to the server; with a transaction if it is locked.
type serverSession struct {
	store  *ServerStore
	conn   *postgres.Conn
	server postgres.Server
	ctx    context.Context
	cancel context.CancelFunc
	locked bool
	head   postgres.Head // when it was locked
	mirror *mirror       // nil until lines are read, or if this machine keeps none
	unseen error         // the server lacks lines of the mirror
	read   []byte        // the lines that were read
}

// lock begins a transaction and locks the last line. It tells the user whom it waits for.
func (s *serverSession) lock() error {
	limit, first := s.store.limit(), noticeAfter
	for _, wait := range []time.Duration{min(first, limit), limit - first} {
		if wait <= 0 {
			break
		}
		err := s.conn.Begin(s.ctx, wait)
		if err == nil {
			s.head, err = s.conn.LockHead(s.ctx)
		}
		if err == nil {
			s.locked = true
			return nil
		}
		s.conn.Rollback(s.ctx)
		switch {
		case postgres.IsForbidden(err):
			return fmt.Errorf("%s: the role %s may read this ledger, not spend: it is not a member of %s_spender", s.store.Address.Text, s.server.Role, s.store.Address.Schema)
		case !postgres.IsTimeout(err):
			return s.store.fail("%w", err)
		case wait <= first && limit > first && s.store.Wait.Notice != nil:
			s.store.Wait.Notice(fmt.Sprintf("%s: waiting for its lock, which %s holds; giving up after %s", s.store.Address.Text, s.conn.Holder(s.ctx), limit))
		}
	}
	return s.store.fail("its lock is held by %s, and was not given back within %s; nothing was read or written. --wait names a longer time", s.conn.Holder(s.ctx), limit)
}

// Clock returns the server's time when the ledger was locked: lines bear its time, not this machine's.
func (s *serverSession) Clock() time.Time { return s.head.Clock }

// Lines returns the mirror's lines, if the server has the last of them, and what follows them on the server.
func (s *serverSession) Lines(seq int) ([]byte, error) {
	var data []byte
	if seq == 0 {
		var err error
		if data, seq, err = s.mirrorLines(); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	b.Write(data)
	err := s.conn.Lines(s.ctx, seq, func(line []byte) error {
		b.Write(line)
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		return nil, s.store.fail("its lines could not be read: %w", err)
	}
	if s.mirror != nil && s.unseen == nil {
		s.mirror.extend(b.Bytes()[len(data):])
	}
	s.read = b.Bytes()
	return s.read, nil
}

// mirrorLines returns the lines of this machine's mirror that the server has too, and their number.
func (s *serverSession) mirrorLines() (data []byte, lines int, err error) {
	first, err := s.conn.HashAt(s.ctx, 0)
	if err != nil {
		return nil, 0, s.store.fail("%w", err)
	}
	if first == "" {
		return nil, 0, nil
	}
	if s.mirror, err = openMirror(s.store.state, first); err != nil || s.mirror == nil {
		return nil, 0, err
	}
	data, lines, last := s.mirror.read()
	if lines == 0 {
		return nil, 0, nil
	}
	if s.store.whole {
		defer func() {
			if s.unseen == nil {
				s.mirror = nil // it has all of it, or part of it
			}
		}()
	}
	hash, err := s.conn.HashAt(s.ctx, lines-1)
	switch {
	case err != nil:
		return nil, 0, s.store.fail("%w", err)
	case hash == last && !s.store.whole:
		return data, lines, nil
	case hash != last && !(hash == "" && s.server.Standby):
		s.unseen = &ForgottenError{Path: s.store.Address.Text, Line: lines, Head: last}
	}
	return nil, 0, nil
}

// ForgottenError means that a server lacks lines that this machine has seen.
type ForgottenError struct {
	Path string
	Line int
	Head string
}

func (e *ForgottenError) Error() string {
	return fmt.Sprintf("%s: this machine has seen line %d of this ledger with the head %s, and the server does not have it: it was restored from a backup, or a standby took over without its last lines, and what was released since is not charged there. "+
		"If nothing of it can be brought back, charge what this machine knows: epsiloscope ledger readmit %s",
		e.Path, e.Line, shortHash(e.Head), numeral.Argument(e.Path))
}

// firstLine returns the first line of the ledger.
func (s *serverSession) firstLine() (line []byte, err error) {
	err = s.conn.FirstLine(s.ctx, func(first []byte) error {
		line = append(bytes.Clone(first), '\n')
		return nil
	})
	if err != nil {
		return nil, s.store.fail("%w", err)
	}
	return line, nil
}

// Place returns the name of this server, timeline, database and schema.
func (s *serverSession) Place() (string, error) { return s.server.Place, nil }

// Settle returns the name of this place: a server has one.
func (s *serverSession) Settle() (string, error) { return s.server.Place, nil }

// CheckSeenHead refuses a server that lacks lines which this machine has seen.
func (s *serverSession) CheckSeenHead(*Ledger) error { return s.unseen }

// handOver ends a session that only read, and gives its connection to the next one.
func (s *serverSession) handOver() *postgres.Conn {
	if s.mirror != nil && s.unseen == nil {
		s.mirror.write()
	}
	if s.cancel != nil {
		s.cancel()
	}
	return s.conn
}

// Close rolls an open transaction back and ends the connection.
func (s *serverSession) Close() error {
	if s.mirror != nil && s.unseen == nil {
		s.mirror.write()
	}
	s.conn.Close()
	if s.cancel != nil {
		s.cancel()
	}
	return nil
}

// isServer reports whether a ledger is kept on a server.
func (f *Stored) isServer() bool {
	_, ok := f.store.(*ServerStore)
	return ok
}
