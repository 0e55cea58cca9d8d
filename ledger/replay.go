package ledger

import (
	"errors"
	"fmt"
	"slices"

	"epsiloscope/scenarios"
)

// The records of a file come in one by one; the sums they lead to go out, or what is wrong with a record.

// replay takes one more record, or says what is wrong with it.
func (l *Ledger) replay(r Record) error {
	if r.Prev != l.Head() {
		return fmt.Errorf("it does not follow the line before: it names %s, and that line's hash is %s", shortHash(r.Prev), shortHash(l.Head()))
	}
	if r.Seq != len(l.Records) {
		return fmt.Errorf("it is numbered %d and should be %d", r.Seq, len(l.Records))
	}
	if (r.Kind == KindOpen) != (len(l.Records) == 0) {
		return fmt.Errorf("a ledger starts with its open record, and has no other; this one is %q", r.Kind)
	}
	if r.Time().Before(l.lastTime()) {
		return fmt.Errorf("its time %s lies before that of the line above, %s", r.At, l.lastTime().Format(timeLayout))
	}
	if !isNonce(r.Nonce) {
		return errors.New("it has no nonce: it was written before the first version was released. Open a new ledger")
	}
	if err := r.checkTexts(); err != nil {
		return err
	}
	var err error
	switch r.Kind {
	case KindOpen:
		err = l.replayOpen(r)
	case KindReserve:
		err = l.replayReserve(r, true)
	case KindBreach:
		if err = l.replayReserve(r, false); err == nil {
			l.breakPromise(r)
		}
	case KindTorn:
		err = l.replayTornLine(r)
	case KindCommit:
		err = l.replaySettle(r, Committed)
	case KindCancel:
		err = l.replaySettle(r, Cancelled)
	case "amend":
		err = errors.New("it amends the promise, which no version since the first release does: the ledger cannot be used. Open a new one with --follows")
	case KindRefuse:
	case KindHome:
		if r.Home == "" || r.Reason == "" {
			err = errors.New("a home record needs a place and a reason")
		}
	default:
		err = fmt.Errorf("a record of the unknown kind %q: a later version may know it, this one does not guess", r.Kind)
	}
	if err != nil {
		return err
	}
	if r.Home != "" {
		l.home = r
	}
	l.Records = append(l.Records, r)
	if held := l.reservations[r.ID]; held != nil && held.Record == nil {
		held.Record = &l.Records[len(l.Records)-1] // not a second copy of it
	}
	return nil
}

func (l *Ledger) replayOpen(r Record) error {
	if r.Promise == nil {
		return fmt.Errorf("the open record has no promise")
	}
	if r.Home == "" {
		return errors.New("the open record names no home: it was written before the first version was released. Open a new ledger")
	}
	if !slices.Contains(scenarios.ScenarioField("adjacency").Choices, r.Adjacency) {
		return fmt.Errorf("the adjacency %q is unknown", r.Adjacency)
	}
	l.Open = r
	f, terms, err := l.filter(r.Promise)
	if err != nil {
		return err
	}
	none, err := f.Price(nil)
	l.Promise, l.terms, l.Filter, l.parts = *r.Promise, terms, f, len(none.Parts)
	return err
}

// replayReserve charges a request. What was granted must leave the sums that it says.
func (l *Ledger) replayReserve(r Record, granted bool) error {
	switch {
	case r.ID == "" || r.Cost == nil:
		return fmt.Errorf("a %s without id or cost", r.Kind)
	case l.reservations[r.ID] != nil:
		return fmt.Errorf("the id %q was reserved before", r.ID)
	case r.Cost.Quantity != l.Filter.Describe().Quantity || len(r.Cost.Parts) != l.parts:
		return fmt.Errorf("its cost is in %s, and the ledger's is another", r.Cost.Quantity)
	case granted && l.breach != nil:
		return fmt.Errorf("it was granted after the promise was broken on line %d", l.breach.Seq+1)
	}
	blocks, err := l.blocksOf(r.Blocks)
	if err != nil {
		return err
	}
	l.expire(r.Time())
	if !l.trusted {
		if err := l.judge(r, blocks, granted); err != nil {
			return err
		}
	}
	if granted {
		if err := l.checkAfter(r, blocks); err != nil {
			return err
		}
	}
	l.charge(r.Cost.Cost, blocks, r.By)
	l.reservations[r.ID] = &reservation{state: Held} // its record follows in replay
	if r.From != "" {
		l.again[r.From] = r.ID
	}
	return nil
}

// replayTornLine takes the record of a line that was cut: a charge, a breach, something to decide, or nothing that
// matters.
func (l *Ledger) replayTornLine(r Record) error {
	if r.Cost != nil {
		return l.replayReserve(r, false)
	}
	switch cutKind(r.Bytes) {
	case KindCommit, KindCancel, KindRefuse:
		if r.ID == "" {
			return nil
		}
	case KindBreach:
		l.breakPromise(r)
		return nil
	}
	if r.ID == "" || l.State(r.ID) != "" {
		return errors.New("a torn record of what may have been a reservation needs an id of its own")
	}
	l.cut[r.ID] = &r
	return nil
}

// checkAfter refuses a reservation whose sum is that of none of its blocks. Which of them binds
// is not asked: that takes milliseconds if several Rényi orders are added up.
func (l *Ledger) checkAfter(r Record, blocks []string) error {
	if r.After != nil {
		for _, b := range blocks {
			if r.After.Equal(l.account(b).sum().Plus(r.Cost.Cost)) {
				return nil
			}
		}
	}
	return fmt.Errorf("the sum after it is %s, not what it says", number(l.Filter, l.Filter.Spent(l.sumWith(blocks, r.Cost.Cost))))
}

func (l *Ledger) replaySettle(r Record, state State) error {
	if cut := l.cut[r.ID]; cut != nil {
		return l.decideCut(r, state)
	}
	held, ok := l.reservations[r.ID]
	switch {
	case !ok:
		return fmt.Errorf("a %s of %q, which was never reserved", r.Kind, r.ID)
	case held.state != Held:
		return fmt.Errorf("a %s of %q, which is %s already", r.Kind, r.ID, held.state)
	case state == Cancelled && r.Reason == "":
		return fmt.Errorf("a cancel needs a reason")
	}
	l.settle(held, r.Time(), state)
	return nil
}

// decideCut takes the decision on a line that was cut: it reserved nothing that was released, or the promise is broken.
func (l *Ledger) decideCut(r Record, state State) error {
	if state == Cancelled && (r.Reason == "" || !r.Force) {
		return errors.New("a cancel of a line that was cut needs a reason, and force")
	}
	delete(l.cut, r.ID)
	if state == Committed {
		r.Reason = "a release was made whose cost was on a line that was cut"
		l.breakPromise(r)
	}
	return nil
}

// breakPromise notes the first record that broke the promise.
func (l *Ledger) breakPromise(r Record) {
	if l.breach == nil {
		l.breach = &r
	}
}
