package ledger

import "errors"

// A ledger on a server is replayed before its lock is taken, so that only what is new since is read while others wait.

// replayed is a ledger as this process has last seen it on a server, with the mirror of its lines.
type replayed struct {
	ledger *Ledger
	mirror *mirror
}

// replayAhead replays a ledger on a server without its lock, unless this process has done so. What goes wrong is
// found again under the lock.
func (f *Stored) replayAhead() *Ledger {
	store, ok := f.store.(*ServerStore)
	if !ok {
		return nil
	}
	if f.ahead == nil {
		f.ahead = &replayed{}
	}
	if f.ahead.ledger != nil {
		return f.ahead.ledger
	}
	opened, err := store.Read()
	if err != nil {
		return nil
	}
	session := opened.(*serverSession)
	data, err := session.Lines(0)
	if err != nil || session.unseen != nil {
		session.Close()
		return nil
	}
	store.spare = session.handOver()
	l, err := Parse(f.Path, data)
	if err != nil {
		return nil
	}
	f.ahead.ledger, f.ahead.mirror = l, session.mirror
	return l
}

// errOtherChain means that the server's lines do not continue those that were replayed ahead.
var errOtherChain = errors.New("the lines are not those that were read before")

// catchUp replays what the server has beyond the ledger that was replayed ahead. The ledger is given away: it is kept
// again only after everything went well.
func (f *Stored) catchUp(session *serverSession) (*Ledger, error) {
	if f.ahead == nil || f.ahead.ledger == nil {
		return nil, errOtherChain
	}
	l := f.ahead.ledger
	f.ahead.ledger = nil
	session.mirror = f.ahead.mirror
	data, err := session.Lines(len(l.Records))
	switch {
	case err != nil:
		return nil, err
	case len(data) > 0:
		_, err = l.parse(data)
	case session.head.Hash != l.Head():
		err = errOtherChain
	}
	if err != nil {
		session.mirror = nil
		return nil, errOtherChain
	}
	l.unplaced, l.NewBlocks = nil, false
	return l, nil
}

// keepAhead keeps a ledger that was changed as this process knows it now on the server.
func (f *Stored) keepAhead(session Session, l *Ledger) {
	if s, ok := session.(*serverSession); ok && f.ahead != nil && l.bad == nil && s.unseen == nil {
		f.ahead.ledger, f.ahead.mirror = l, s.mirror
	}
}
