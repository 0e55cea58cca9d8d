package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
)

// A request comes in; a record of the decision goes to the file, and the id of the reservation goes out.

// Reserve asks for a release before the data are touched. It returns the id under which
// the release may be made, or [*Refused]; the refusal is recorded too.
func (f *Stored) Reserve(s *scenarios.Scenario, blocks []string, by, why string) (id string, l *Ledger, err error) {
	var given *identity // of an id that was given
	defer func() { given.close() }()
	if f.ID != "" {
		if err := checkID(f.ID); err != nil {
			return "", nil, err
		}
	}
	if l := f.replayAhead(); l != nil { // the price first: others wait while the lock is held
		if request, err := newRequest(s); err == nil {
			_, _ = l.price(request)
		}
		if f.Check != nil {
			_ = f.Check(l)
		}
	}
	l, err = f.change(func(l *Ledger, now time.Time) ([]Record, error) {
		if err := l.CheckHead(f.Head); err != nil {
			return nil, err
		}
		if l.unplaced != nil {
			return nil, l.unplaced
		}
		if f.Check != nil {
			if err := f.Check(l); err != nil {
				return nil, err
			}
		}
		l.NewBlocks = f.NewBlocks
		a, err := l.Ask(s, blocks, by, now)
		if err != nil {
			return nil, err
		}
		r := Record{Kind: KindRefuse, By: by, Why: why, Blocks: a.Blocks, Request: a.Request,
			Reason: truncateReason(a.Refusal)}
		if a.Asked != nil {
			r.Cost = amounts(l.Filter, a.Cost)
		}
		if f.ID != "" {
			if given == nil {
				if given, err = f.openIdentity(l); err != nil {
					return nil, err
				}
			}
			if there := l.reservations[f.ID]; there != nil {
				id = f.ID
				return nil, given.adopt(l, there, a.Request, a.Blocks, f.Command)
			}
		}
		if !a.Fits {
			return []Record{r}, &Refused{a}
		}
		id = newID(l)
		if given != nil {
			if given.nonce = cmp.Or(given.nonce, newNonce()); given.keep() != nil {
				return nil, errors.New("the nonce of the id could not be kept, so nothing is reserved")
			}
			id, r.Nonce = f.ID, given.nonce
		}
		r.Kind, r.ID, r.Reason, r.Command = KindReserve, id, "", f.Command
		r.After = amounts(l.Filter, l.sumWith(a.accounts, a.Cost))
		return []Record{r}, nil
	})
	if given != nil && err == nil && f.Command { // from here on the command may have been started
		given.started = true
		err = given.keep()
	}
	var unsynced *UnsyncedError
	switch {
	case errors.As(err, &unsynced) && id != "": // it may be there after a crash, and may not
		err = fmt.Errorf("%w. If %s is in the file it counts as spent; commit it, or cancel it if the data were never read: epsiloscope ledger log %s", err, id, numeral.Argument(f.Path))
	case err != nil:
		id = ""
	}
	return id, l, err
}

// openIdentity locks what this machine knows of the id that was given.
func (f *Stored) openIdentity(l *Ledger) (*identity, error) {
	state, wait := "", LockWait{}
	switch s := f.store.(type) {
	case *FileStore:
		state, wait = s.state, s.Wait
	case *ServerStore:
		state, wait = s.state, s.Wait
	}
	return openIdentity(state, l.Records[0].Hash, f.ID, wait)
}

// Commit records that a reserved release was made, with the status its program ended
// with and a name for what came out, both optional. If the reservation was cancelled the
// release is charged again, under another id, which the last record names. A second call records nothing.
func (f *Stored) Commit(id string, status *int, artifact string) (*Ledger, error) {
	return f.change(func(l *Ledger, now time.Time) ([]Record, error) {
		commit := Record{Kind: KindCommit, ID: id, Status: status, Artifact: artifact}
		switch {
		case l.cut[id] != nil:
			return []Record{commit}, nil
		case l.reservations[id] == nil:
			return nil, l.unknownError(id)
		}
		list, _, err := l.settleRelease(*l.reservations[id].Record, &commit, now)
		return list, err
	})
}

// Cancel gives a reservation back. It is for a program that never opened the data; what
// failed while it was reading them stays spent. A reservation made with a command needs force: the command
// may be running although the process that started it was killed.
func (f *Stored) Cancel(id, reason string, force bool) (*Ledger, error) {
	return f.change(func(l *Ledger, _ time.Time) ([]Record, error) {
		if err := l.mustHold(id); err != nil {
			return nil, err
		}
		command := l.cut[id] != nil || l.reservations[id].Command
		if command && !force {
			return nil, fmt.Errorf("%s was reserved with a command, which may have read the data, and may be running even if the process that started it was killed. If it is known that it never opened them, cancel it with --force", id)
		}
		return []Record{{Kind: KindCancel, ID: id, Reason: reason, Force: command}}, l.unplaced
	})
}

// GiveBack cancels the reservation of a command that this process could not start.
func (f *Stored) GiveBack(id string) (*Ledger, error) {
	return f.change(func(l *Ledger, _ time.Time) ([]Record, error) {
		return []Record{{Kind: KindCancel, ID: id, Reason: "the command could not be started"}}, l.mustHold(id)
	})
}

func (l *Ledger) mustHold(id string) error {
	switch state := l.State(id); state {
	case Held:
		return nil
	case "":
		return fmt.Errorf("%s has no reservation %q", l.Path, id)
	default:
		return fmt.Errorf("%s is %s already", id, state)
	}
}
