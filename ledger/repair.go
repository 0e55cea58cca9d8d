package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
)

// ErrNotTorn means that there is nothing to repair.
var ErrNotTorn = errors.New("no line is torn")

// Repair puts a torn record in the place of a torn last line. It keeps the bytes that
// were there. If the stack of a reservation can be read from them it is charged, though it
// was never acknowledged; if it does not fit, the record is a breach.
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
	l, err := Parse(f.Path, data)
	if err != nil {
		return nil, err
	}
	file := session.file
	if l.Torn == nil {
		return l, ErrNotTorn
	}
	r := l.chargeTornLine(salvage(l.Torn))
	if r.Cost != nil {
		// What cannot be charged, such as an id that is taken, is only kept.
		trial, err := Parse(f.Path, data[:l.size])
		if err != nil {
			return nil, err
		}
		if _, err := f.sealNext(trial, r); err != nil {
			r = Record{Kind: KindTorn, Bytes: r.Bytes}
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
	if n, err := file.WriteAt(line, at); err != nil || n != len(line) {
		return l, systemErrorf("%s: the repair could not be written: %w", f.Path, err)
	}
	if err := file.Sync(); err != nil {
		return l, systemErrorf("%s: it is not known whether the repair reached the disk: %w", f.Path, err)
	}
	return l, nil
}

// chargeTornLine prices what was salvaged from a torn line, at no less than it says itself, and
// makes it a breach if it does not fit: what was about to be granted may have been released.
func (l *Ledger) chargeTornLine(r Record) Record {
	if r.ID == "" {
		return r
	}
	kept := Record{Kind: KindTorn, Bytes: r.Bytes}
	price, err := l.price(r.Request)
	if err != nil {
		return kept
	}
	if r.Cost == nil || r.Cost.Quantity != l.Filter.Describe().Quantity || len(r.Cost.Parts) != len(price.Parts) || understates(r.Cost.Cost, price, l.Filter) {
		r.Cost = amounts(l.Filter, price)
	}
	accounts, err := l.blocksOf(r.Blocks)
	if err != nil {
		return kept
	}
	l.expire(l.lastTime())
	if err := l.checkFits(&Answer{Cost: r.Cost.Cost, accounts: accounts}, big.NewInt(1)); err != nil {
		r.Kind, r.Reason = KindBreach, truncateReason("a torn line that reserves it was repaired, and it does not fit: "+err.Error())
	}
	return r
}

// salvage reads from torn bytes the fields that are whole.
func salvage(torn []byte) Record {
	kept := Record{Kind: KindTorn, Bytes: torn}
	d := json.NewDecoder(bytes.NewReader(torn))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return kept
	}
	var kind Kind
	r := kept
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
