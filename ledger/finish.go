package ledger

import (
	"errors"
	"fmt"
	"math/big"
	"os"
	"strings"
	"time"
)

// Finish records how the command of a reservation ended, whatever happened to the reservation
// meanwhile: a release that was made is charged. known is the ledger as it was when the
// request was granted. What the file has lost of it, because it was rolled back or replaced by
// another branch, is appended again; a reservation that was cancelled is charged again; what
// no longer fits is recorded as a breach. status is the exit status if the command succeeded,
// and nil leaves the reservation held.
//
// found says what was found if it was anything but a reservation that is held, "" else. After
// an error the caller must not say that the release is charged.
func (f *File) Finish(id string, known *Ledger, status *int) (l *Ledger, found string, err error) {
	var notes []string
	note := func(text string) {
		if text != "" {
			notes = append(notes, text)
		}
	}
	reservation := known.reservations[id].Record
	for range 5 { // the file may be rolled back once more between the two steps
		text, err := f.restore(known, reservation)
		if err != nil {
			return nil, strings.Join(notes, "; "), err
		}
		note(text)
		var again string
		l, err = f.change(func(l *Ledger, now time.Time) (list []Record, err error) {
			var commit *Record
			if status != nil {
				commit = &Record{Kind: KindCommit, Status: status}
			}
			list, again, err = l.settleRelease(id, commit, now)
			return list, err
		})
		if errors.Is(err, errUnknown) {
			continue
		}
		note(again)
		return l, strings.Join(notes, "; "), err
	}
	return l, strings.Join(notes, "; "), systemErrorf("%s: the file is being replaced again and again, and the release %s is not in it", f.Path, id)
}

// errUnknown means that a ledger has no reservation of an id.
var errUnknown = errors.New("it was never granted, or the file was rolled back")

// settleRelease returns the records that charge a release: the commit of a reservation that is
// held, or, if the reservation was cancelled, a new one under another id. A nil commit leaves
// it held.
func (l *Ledger) settleRelease(id string, commit *Record, now time.Time) (list []Record, found string, err error) {
	switch l.State(id) {
	case Held:
	case Committed:
		return nil, fmt.Sprintf("%s was committed already, by another process", id), nil
	case Cancelled:
		again := l.chargeAgain(id, now)
		list = append(list, again)
		found = fmt.Sprintf("%s had been cancelled while its release was made; the release is charged again, as %s", id, again.ID)
		id = again.ID
	default:
		return nil, "", fmt.Errorf("%s has no reserve %q: %w. If its release was made, it is not charged", l.Path, id, errUnknown)
	}
	if commit != nil {
		commit.ID = id
		list = append(list, *commit)
	}
	return list, found, nil
}

// chargeAgain returns the record that charges a release whose reservation was cancelled: a
// reservation if it fits the promise, else a breach. It names the line of the first one.
func (l *Ledger) chargeAgain(id string, now time.Time) Record {
	was := l.reservations[id]
	again := was.Record
	again.ID, again.Kind, again.From, again.Bytes, again.Status = newID(l), KindReserve, was.Hash, nil, nil
	again.Reason = fmt.Sprintf("its release was made, though %s was cancelled", id)
	l.expire(now)
	accounts, _ := l.blocksOf(was.Blocks)
	a := &Answer{Cost: was.Cost.Cost, accounts: accounts}
	why := ""
	if err := l.checkFits(l.Filter, a, big.NewInt(1)); err != nil {
		why = err.Error()
	} else if held := l.pendingReservation(); held != "" {
		why = fmt.Sprintf("%s was held at the same time, which is not proven for the %s", held, l.Filter.Describe().Title)
	} else if l.breach != nil {
		why = fmt.Sprintf("the promise was broken on line %d", l.breach.Seq+1)
	}
	if why != "" {
		again.Kind, again.After, again.Reason = KindBreach, nil, truncateReason(again.Reason+"; "+why)
		return again
	}
	again.After = amounts(l.Filter, l.sumWith(accounts, was.Cost.Cost))
	return again
}

// restore appends to the file what it has lost of a ledger that was read before, and says what
// it found. If the file is an older end of the same chain, the lost lines come back as they
// were, and heads that were kept stay valid. If it has gone on without them they are merged.
func (f *File) restore(known *Ledger, reservation Record) (found string, err error) {
	file, l, _, err := f.replay(os.O_RDWR | os.O_APPEND)
	if err != nil {
		return "", err
	}
	fork, err := forkOf(l, known)
	switch {
	case err == nil:
		err = l.tornError()
	case err != nil:
		err = fmt.Errorf("another ledger is in its place: %w", err)
	}
	if err != nil || fork == len(known.Records) {
		file.Close()
		return "", err
	}
	lost := known.Records[fork:]
	if fork == len(l.Records) {
		defer file.Close()
		if err := f.appendLines(file, l, lost); err != nil {
			return "", err
		}
		return fmt.Sprintf("%s had been rolled back to line %d; lines %d to %d were written again", f.Path, fork, fork+1, len(known.Records)), nil
	}
	file.Close()
	found = fmt.Sprintf("%s is no longer the file that granted the release: lines %d to %d were replaced by others", f.Path, fork+1, len(known.Records))
	merged, _, err := f.Merge(known)
	var trouble *SystemError
	if err == nil || errors.As(err, &trouble) {
		if err == nil && merged.breach != nil {
			found += "; they were merged, and do not fit together"
		}
		return found, err
	}
	// Whatever keeps the branches from being merged, the release was made.
	_, breachErr := f.change(func(l *Ledger, _ time.Time) ([]Record, error) {
		r := reservation
		if l.reservations[r.ID] != nil {
			r.ID = newID(l)
		}
		r.Kind, r.After, r.From = KindBreach, nil, reservation.Hash
		r.Reason = truncateReason("its release was made, and the line that granted it cannot be merged: " + err.Error())
		return []Record{r}, nil
	})
	return found + ", and they cannot be merged: " + err.Error(), breachErr
}

// appendLines writes records as they are, which must follow the last one of the ledger.
func (f *File) appendLines(file handle, l *Ledger, records []Record) error {
	var lines []byte
	size := l.size
	for _, r := range records {
		line, err := r.seal()
		if err == nil {
			err = l.replay(r)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
		lines = append(lines, line...)
	}
	return f.write(file, lines, size)
}
