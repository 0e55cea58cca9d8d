package ledger

import (
	"fmt"
	"strings"
	"time"
)

// Finish records how the command of a reservation ended, whatever happened to the reservation
// meanwhile: a release that was made is charged. known is the ledger as it was when the
// request was granted. What the store has lost of it, because it was rolled back or replaced by
// a copy, is charged again, and so is a reservation that was cancelled; what no longer fits is recorded as
// a breach. status is the exit status if the command succeeded, and nil leaves the reservation held.
//
// found says what was found if it was anything but a reservation that is held, "" else. After
// an error the caller must not say that the release is charged.
func (f *Stored) Finish(id string, known *Ledger, status *int) (l *Ledger, found string, err error) {
	err = repeatDecision(func() error {
		l, found, err = f.finishOnce(id, known, status)
		return err
	})
	return l, found, err
}

func (f *Stored) finishOnce(id string, known *Ledger, status *int) (l *Ledger, found string, err error) {
	f.before = known
	session, l, err := f.lock()
	f.before = nil
	if err != nil {
		return nil, "", err
	}
	defer session.Close()
	w := &appender{f: f.withClock(f.clockOf(session)), l: l, head: l.end()}
	restored, err := w.restore(session, known)
	if err != nil {
		return nil, "", err
	}
	var commit *Record
	if status != nil {
		commit = &Record{Kind: KindCommit, Status: status}
	}
	records, again, err := l.settleRelease(*known.reservations[id].Record, commit, w.f.clock())
	if err == nil {
		err = w.add(records...)
	}
	if err == nil && len(w.lines) > 0 {
		err = session.Append(w.head, w.lines)
	}
	return l, strings.Trim(restored+"; "+again, "; "), err
}

// appender collects lines that are written together; each is replayed when it is added, as it decides on the next one.
type appender struct {
	f     *Stored
	l     *Ledger
	head  string // before the lines
	lines []Line
}

func (w *appender) add(records ...Record) error {
	for _, r := range records {
		line, err := w.f.sealNext(w.l, r)
		if err != nil {
			return err
		}
		w.lines = append(w.lines, asLine(line))
	}
	return nil
}

// restore adds what the ledger has lost of one that was read before, and says what it found. If a file is an older
// end of the same chain, the lost lines come back as they were, and heads that were kept stay valid. If it has gone
// on without them, their releases are charged again.
func (w *appender) restore(session Session, known *Ledger) (found string, err error) {
	fork, err := forkOf(w.l, known)
	if err != nil {
		return "", fmt.Errorf("another ledger is in its place: %w", err)
	}
	if fork == len(known.Records) {
		return "", nil
	}
	_ = session.CheckSeenHead(known) // what was seen is charged again
	if _, isFile := w.f.store.(*FileStore); isFile && fork == len(w.l.Records) {
		for _, r := range known.Records[fork:] {
			line, err := r.seal()
			if err == nil {
				err = w.l.replay(r)
			}
			if err != nil {
				return "", fmt.Errorf("%s: %w", w.f.Path, err)
			}
			w.lines = append(w.lines, Line{r, line})
		}
		return fmt.Sprintf("%s had been rolled back to line %d; lines %d to %d were written again", w.f.Path, fork, fork+1, len(known.Records)), nil
	}
	found = fmt.Sprintf("%s no longer has the lines %d to %d that were read before: their releases are charged again", w.f.Path, fork+1, len(known.Records))
	return found, w.readmit(known, fork)
}

// readmit charges again what another chain of the same ledger has released, or may have, and this one has not, in the
// order of the other. fork is the number of lines that both have.
func (w *appender) readmit(known *Ledger, fork int) error {
	for i, r := range known.Records {
		was := known.reservations[r.ID]
		if was == nil || was.Seq != r.Seq || was.state == Cancelled {
			continue
		}
		if i < fork && !(was.state == Committed && w.l.State(r.ID) == Cancelled) {
			continue // it is here
		}
		if id, there := w.l.chargeOf(*was.Record); there && w.l.State(id) != Cancelled {
			continue
		}
		again := w.l.chargeAgain(*was.Record, "its release was recorded on a line that this ledger has lost", w.f.clock())
		list := []Record{again}
		if was.state == Committed {
			list = append(list, Record{Kind: KindCommit, ID: again.ID})
		}
		if err := w.add(list...); err != nil {
			return err
		}
	}
	return nil
}

// forkOf returns how many leading records two chains of one ledger have in common.
func forkOf(ours, theirs *Ledger) (int, error) {
	n := 0
	for n < len(ours.Records) && n < len(theirs.Records) && ours.Records[n].Hash == theirs.Records[n].Hash {
		n++
	}
	if n == 0 {
		return 0, fmt.Errorf("%s and %s are not one ledger: their first lines differ", ours.Path, theirs.Path)
	}
	return n, nil
}

// chargeOf returns the id under which a reservation is charged last: its own, or that of the record that charged
// it again. there reports whether the ledger has it.
func (l *Ledger) chargeOf(r Record) (id string, there bool) {
	id, hash := r.ID, r.Hash
	for {
		next, again := l.again[hash]
		if !again {
			break
		}
		id, hash = next, l.reservations[next].Hash
	}
	now := l.reservations[id]
	return id, now != nil && now.Hash == hash
}

// ChargedAs returns the id under which the reservation of an id is charged last: another one if it was
// cancelled and its release was made.
func (l *Ledger) ChargedAs(id string) string {
	if r := l.reservations[id]; r != nil {
		id, _ = l.chargeOf(*r.Record)
	}
	return id
}

// settleRelease returns the records that charge a release: the commit of a reservation that is
// held, or, if the reservation was cancelled, a new one under another id. A nil commit leaves
// it held. A release that is committed needs no record.
func (l *Ledger) settleRelease(r Record, commit *Record, now time.Time) (list []Record, found string, err error) {
	id, there := l.chargeOf(r)
	if !there {
		return nil, "", l.unknownError(r.ID)
	}
	switch l.State(id) {
	case Held:
	case Committed:
		return nil, fmt.Sprintf("%s was committed already", id), nil
	case Cancelled:
		again := l.chargeAgain(*l.reservations[id].Record, fmt.Sprintf("its release was made, though %s was cancelled", id), now)
		list = append(list, again)
		found = fmt.Sprintf("%s had been cancelled while its release was made; the release is charged again, as %s", id, again.ID)
		id = again.ID
	}
	if commit != nil {
		commit.ID = id
		list = append(list, *commit)
	}
	return list, found, nil
}

func (l *Ledger) unknownError(id string) error {
	return fmt.Errorf("%s has no reservation %q: it was never granted, or the file was rolled back. If its release was made, it is not charged", l.Path, id)
}

// chargeAgain returns the record that charges a release whose reservation was cancelled or lost: a
// reservation if it fits the promise, else a breach. It names the line of the first one.
func (l *Ledger) chargeAgain(was Record, reason string, now time.Time) Record {
	again := was
	again.Kind, again.From, again.Bytes, again.Status, again.Reason = KindReserve, was.Hash, nil, nil, reason
	if l.reservations[was.ID] != nil {
		again.ID = newID(l)
	}
	l.expire(now)
	accounts, _ := l.blocksOf(was.Blocks) // they were when it was granted
	unfit, held := l.checkFits(was.Cost.Cost, accounts), l.pendingReservation()
	why := ""
	switch {
	case unfit != nil:
		why = unfit.Error()
	case held != "":
		why = fmt.Sprintf("%s was held at the same time, which is not proven for the %s", held, l.Filter.Describe().Title)
	case l.breach != nil:
		why = fmt.Sprintf("the promise was broken on line %d", l.breach.Seq+1)
	case was.Kind == KindBreach:
		why = was.Reason
	}
	if why != "" {
		again.Kind, again.After, again.Reason = KindBreach, nil, truncateReason(again.Reason+"; "+why)
		return again
	}
	again.After = amounts(l.Filter, l.sumWith(accounts, was.Cost.Cost))
	return again
}
