package ledger

import (
	"errors"
	"fmt"
	"math/big"
	"time"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
)

// A request comes in; a record of the decision goes to the file, and the id of the reservation goes out.

// Reserve asks for a release before the data are touched. It returns the id under which
// the release may be made, or [*Refused]; the refusal is recorded too.
func (f *File) Reserve(s *scenarios.Scenario, blocks []string, by, why string) (id string, l *Ledger, err error) {
	l, err = f.change(func(l *Ledger, now time.Time) ([]Record, error) {
		if err := l.CheckHead(f.Head); err != nil {
			return nil, err
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
		r := Record{Kind: KindRefuse, By: by, Why: why, Blocks: a.Blocks, Request: a.Request, Reason: truncateReason(a.Refusal)}
		if a.Asked != nil {
			r.Cost = amounts(l.Filter, a.Cost)
		}
		if !a.Fits {
			return []Record{r}, &Refused{a}
		}
		id = newID(l)
		r.Kind, r.ID, r.Reason = KindReserve, id, ""
		r.After = amounts(l.Filter, l.sumWith(a.accounts, a.Cost))
		return []Record{r}, nil
	})
	var unsynced *unsyncedError
	switch {
	case errors.As(err, &unsynced) && id != "": // it may be there after a crash, and may not
		err = fmt.Errorf("%w. If %s is in the file it counts as spent; commit it, or cancel it if the data were never read: epsiloscope ledger log %s", err, id, numeral.Argument(f.Path))
	case err != nil:
		id = ""
	}
	return id, l, err
}

// Commit records that a reserved release was made, with the status its program ended
// with and a name for what came out, both optional. If the reservation was cancelled the
// release is charged again, under another id, which the last record names.
func (f *File) Commit(id string, status *int, artifact string) (*Ledger, error) {
	return f.change(func(l *Ledger, now time.Time) ([]Record, error) {
		if l.State(id) == Committed {
			return nil, l.mustHold(id)
		}
		list, _, err := l.settleRelease(id, &Record{Kind: KindCommit, Status: status, Artifact: artifact}, now)
		return list, err
	})
}

// Cancel gives a reservation back. It is for a program that never opened the data; what
// failed while it was reading them stays spent. It is refused while the process that
// reserved runs its command on this machine.
func (f *File) Cancel(id, reason string) (*Ledger, error) {
	return f.change(func(l *Ledger, _ time.Time) ([]Record, error) {
		if isRunning(id) && l.State(id) == Held {
			return nil, fmt.Errorf("%s cannot be cancelled: the process that reserved it is running its command, which may have read the data. Wait until it ends", id)
		}
		return []Record{{Kind: KindCancel, ID: id, Reason: reason}}, l.mustHold(id)
	})
}

func (l *Ledger) mustHold(id string) error {
	switch state := l.State(id); state {
	case Held:
		return nil
	case "":
		return fmt.Errorf("%s has no reserve %q", l.Path, id)
	default:
		return fmt.Errorf("%s is %s already", id, state)
	}
}

// Amend lowers the ε at which the ledger refuses. It may only tighten, and what is
// spent must still fit. The promise to quote stays the one the ledger was opened with:
// the decision to stop earlier may depend on the answers.
func (f *File) Amend(epsilon float64, reason string) (*Ledger, error) {
	return f.change(func(l *Ledger, _ time.Time) ([]Record, error) {
		p := l.Promise
		p.Epsilon, p.Budget = numeral.Format(epsilon), nil
		t, err := p.terms()
		if err != nil {
			return nil, err
		}
		if l.Filter.Describe().Kind == adaptive.Plan {
			return nil, errors.New("a plan cannot be amended; leave some of its releases unspent")
		}
		filter, err := adaptive.New(t)
		if err != nil {
			return nil, err
		}
		p.Budget = amounts(filter, adaptive.Cost{Parts: []*big.Int{filter.Budget()}})
		return []Record{{Kind: KindAmend, Promise: &p, Reason: reason}}, nil
	})
}
