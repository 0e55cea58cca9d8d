package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"sync"

	"epsiloscope/accounting/numeral"
)

// ErrNotTorn means that there is nothing to repair.
var ErrNotTorn = errors.New("no line is torn")

// Repair mends a last line without an end. A whole line only gets its newline. In the place of a cut one comes a
// torn record that keeps its bytes. If the stack of a reservation can be read from them it is charged, though it
// was never acknowledged; if it does not fit, the record is a breach. If it may have been a reservation and
// its stack cannot be read, nothing is granted until it is decided what it was: see [Ledger.Undecided].
func (f *Stored) Repair() (*Ledger, error) {
	store, ok := f.store.(*FileStore)
	if !ok {
		return nil, fmt.Errorf("%s: only a line in a file can be torn", f.Path)
	}
	session, err := store.start(os.O_RDWR) // without O_APPEND: the new line overwrites the torn one
	if err != nil {
		return nil, err
	}
	defer session.Close()
	data, err := session.Lines(0)
	if err != nil {
		return nil, err
	}
	if whole := append(bytes.Clone(data), '\n'); isWhole(data[bytes.LastIndexByte(data, '\n')+1:]) {
		l, err := Parse(f.Path, whole)
		if err != nil {
			return nil, err
		}
		return l, f.writeRepair(session.file, []byte("\n"), int64(len(data)))
	}
	l, err := Parse(f.Path, data)
	if err != nil {
		return nil, err
	}
	if l.Torn == nil {
		return l, ErrNotTorn
	}
	r := l.tornRecord()
	if r.Cost != nil {
		// What cannot be charged, such as an id that is taken, must be decided.
		trial, err := Parse(f.Path, data[:l.size])
		if err != nil {
			return nil, err
		}
		if _, err := f.sealNext(trial, r); err != nil {
			r = l.undecidedRecord(r.Bytes)
		}
	}
	at := l.size
	l.Torn = nil
	line, err := f.sealNext(l, r)
	if err != nil {
		return l, err
	}
	// The new line holds the old bytes and is longer than they are: one write covers
	// them, and where that fails the line is torn still.
	return l, f.writeRepair(session.file, line, at)
}

func (f *Stored) writeRepair(file handle, line []byte, at int64) error {
	if n, err := file.WriteAt(line, at); err != nil || n != len(line) {
		return systemErrorf("%s: the repair could not be written: %w", f.Path, err)
	}
	if err := file.Sync(); err != nil {
		return systemErrorf("%s: it is not known whether the repair reached the disk: %w", f.Path, err)
	}
	return nil
}

// isWhole reports whether the bytes after the last newline are a line that only lacks its own.
func isWhole(line []byte) bool {
	_, err := parseRecord(line)
	return err == nil
}

// tornRecord returns the record that takes the place of the torn line.
func (l *Ledger) tornRecord() Record {
	switch cutKind(l.Torn) {
	case KindCommit, KindCancel, KindRefuse: // without it, what it is about stays charged
		return Record{Kind: KindTorn, Bytes: l.Torn}
	case KindBreach:
		return Record{Kind: KindTorn, Bytes: l.Torn, Reason: "a breach was recorded on a line that was cut"}
	case KindReserve:
		if r := salvage(l.Torn); r.ID != "" {
			return l.chargeTornLine(r)
		}
	}
	return l.undecidedRecord(l.Torn)
}

// undecidedRecord returns the record of torn bytes that may have reserved something, with an id by which that is
// decided.
func (l *Ledger) undecidedRecord(bytes []byte) Record {
	return Record{Kind: KindTorn, Bytes: bytes, ID: newID(l), Reason: "what the line reserved cannot be read"}
}

// UndecidedRecord returns the torn record that nobody has decided on, nil if there is none: it may have reserved a
// release, at a cost that cannot be read, and until it is cancelled or committed nothing is granted. A commit breaks
// the promise.
func (l *Ledger) UndecidedRecord() *Record {
	if len(l.cut) == 0 {
		return nil
	}
	for _, r := range l.Records {
		if l.cut[r.ID] != nil {
			return &r
		}
	}
	return nil
}

// undecidedReason says why a cut line keeps requests from being granted; "" if there is none.
func (l *Ledger) undecidedReason() string {
	r := l.UndecidedRecord()
	if r == nil {
		return ""
	}
	file := numeral.Argument(l.Path)
	return fmt.Sprintf("line %d was cut, and may have reserved a release whose cost cannot be read. If its data were never read: epsiloscope ledger cancel %s %s --force --reason …; "+
		"if the release was made, the promise is broken: epsiloscope ledger commit %s %s", r.Seq+1, file, r.ID, file, r.ID)
}

// cutKind returns the kind of a line that was cut, "" if it cannot be read.
func cutKind(line []byte) Kind {
	match := cutHead().FindSubmatch(line)
	if match == nil {
		return ""
	}
	return Kind(match[1])
}

var cutHead = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\{"v":1,"seq":[0-9]+,"kind":"([a-z]+)"`)
})

// chargeTornLine prices what was salvaged from a torn line, at no less than it says itself, and
// makes it a breach if it does not fit: what was about to be granted may have been released.
func (l *Ledger) chargeTornLine(r Record) Record {
	price, err := l.price(r.Request)
	if err != nil {
		return l.undecidedRecord(r.Bytes)
	}
	if r.Cost == nil || r.Cost.Quantity != l.Filter.Describe().Quantity || len(r.Cost.Parts) != len(price.Parts) ||
		understates(r.Cost.Cost, price, l.Filter) {
		r.Cost = amounts(l.Filter, price)
	}
	accounts, err := l.blocksOf(r.Blocks)
	if err != nil {
		return l.undecidedRecord(r.Bytes)
	}
	l.expire(l.lastTime())
	if err := l.checkFits(r.Cost.Cost, accounts); err != nil {
		r.Kind, r.Reason = KindBreach, truncateReason("a torn line that reserves it was repaired, and it does not fit: "+err.Error())
	}
	return r
}

// salvage reads from the torn bytes of a reservation the fields that are whole. It has no id if the stack is not
// among them. Whether a command was reserved for stands behind them, so it is taken to have been.
func salvage(torn []byte) Record {
	kept := Record{Kind: KindTorn, Bytes: torn}
	d := json.NewDecoder(bytes.NewReader(torn))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return kept
	}
	var kind Kind
	r := kept
	r.Command = true
	fields := map[string]any{"kind": &kind, "id": &r.ID, "by": &r.By, "why": &r.Why, "blocks": &r.Blocks, "cost": &r.Cost,
		"rounds": &r.Rounds, "group": &r.Group, "records": &r.Records, "stack": &r.Stack}
	for {
		name, err := d.Token()
		if err != nil {
			break
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			break
		}
		key, _ := name.(string)
		if to, known := fields[key]; known && json.Unmarshal(raw, to) != nil {
			break
		}
	}
	if kind != KindReserve || r.ID == "" || r.Stack == nil {
		return kept
	}
	return r
}
