package ledger

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"
)

// Merge appends to this ledger what another branch of the same ledger recorded after the fork. A release of
// the other branch that no longer fits is recorded as a breach, after which no request is granted. left has a
// line for every record that was not taken over, with the reason.
func (f *File) Merge(theirs *Ledger) (l *Ledger, left []string, err error) {
	l, err = f.change(func(l *Ledger, now time.Time) ([]Record, error) {
		fork, err := forkOf(l, theirs)
		if err != nil {
			return nil, err
		}
		if why := theirs.clockSkewReason(now); why != "" { // what it released later would be written as released now
			return nil, fmt.Errorf("%s: %s", theirs.Path, why)
		}
		// The records are tried on a copy, as each decides on those after it.
		trial, err := l.copy()
		if err != nil {
			return nil, err
		}
		m := &merger{file: f.withClock(now), to: trial, from: l, theirs: theirs, all: theirs.Records[fork:],
			made: branchReleases(l, theirs), renamed: map[string]string{}, merged: map[string]bool{}}
		for _, r := range l.Records {
			m.merged[r.Hash], m.merged[r.From] = true, true
		}
		for _, r := range m.all {
			if err := m.mergeRecord(r, now); err != nil {
				return nil, err
			}
		}
		left = m.left
		return m.records, nil
	})
	return l, left, err
}

// forkOf returns how many leading records two branches have in common.
func forkOf(ours, theirs *Ledger) (int, error) {
	n := 0
	for n < len(ours.Records) && n < len(theirs.Records) && ours.Records[n].Hash == theirs.Records[n].Hash {
		n++
	}
	if n == 0 {
		return 0, fmt.Errorf("%s and %s are not branches of one ledger: their first lines differ", ours.Path, theirs.Path)
	}
	return n, nil
}

// copy returns an independent ledger with the same records, replayed.
func (l *Ledger) copy() (*Ledger, error) {
	c := newLedger(l.Path)
	c.trusted = true
	for _, r := range l.Records {
		if err := c.replay(r); err != nil {
			return nil, err
		}
	}
	return c, nil
}

type merger struct {
	file    *File
	from    *Ledger // ours, before the merge
	to      *Ledger
	theirs  *Ledger
	all     []Record       // theirs, from the fork on
	made    []*reservation // what was released here, and there as far as it is replayed, with the times of its own branch
	records []Record
	renamed map[string]string // ids of theirs that had to be charged again; "" for those left out
	merged  map[string]bool   // lines that are here, as themselves or replayed by an earlier merge
	left    []string
}

func (m *merger) mergeRecord(r Record, now time.Time) error {
	if m.isMerged(r) {
		return nil
	}
	came := r.From != "" // from a third branch
	r.From = r.Hash
	if id, ok := m.renamed[r.ID]; ok {
		r.ID = id
	}
	switch r.Kind {
	case KindReserve, KindBreach, KindTorn:
		ours := m.to.reservations[r.ID]
		switch {
		case r.Cost == nil: // a torn line of which nothing could be read
		case ours == nil:
			return m.charge(r, m.theirs.reservations[r.ID], now)
		case (r.Kind == KindTorn || ours.Kind == KindTorn || ours.From != "" || came) && r.Cost.Equal(ours.Cost.Cost) && slices.Equal(r.Blocks, ours.Blocks):
			return m.leaveOut(r, "it is charged here already: its line was torn and repaired, or came with another branch")
		default:
			return fmt.Errorf("both branches have reserved %q", r.ID)
		}
	case KindCommit, KindCancel:
		return m.settle(r, now)
	case KindAmend:
		trial, err := m.to.copy()
		if err != nil {
			return err
		}
		if _, err := m.file.sealNext(trial, r); err != nil {
			return m.leaveOut(r, err.Error())
		}
	}
	return m.add(r)
}

// isMerged reports whether an earlier merge has brought a line.
func (m *merger) isMerged(r Record) bool { return m.merged[r.Hash] || m.merged[r.From] && r.From != "" }

// leaveOut records that a line of theirs has no effect here, so that its hash is kept.
func (m *merger) leaveOut(r Record, why string) error {
	m.left = append(m.left, fmt.Sprintf("line %d of %s, %s, is left out: %s", r.Seq+1, m.theirs.Path, strings.TrimSpace(string(r.Kind)+" "+r.ID), why))
	return m.add(Record{Kind: KindRefuse, From: r.From, Reason: truncateReason(fmt.Sprintf("left out of a merge: a %s; %s", r.Kind, why))})
}

func (m *merger) add(r Record) error {
	if _, err := m.file.sealNext(m.to, r); err != nil {
		return err
	}
	m.records = append(m.records, r)
	return nil
}

// charge replays a reservation of the other branch: granted if it fits the promise, a breach if it does not
// and was, or may have been, released. The promise decides, not its amended form, because the other branch
// need not have been amended. was is the reservation in the other branch.
func (m *merger) charge(r Record, was *reservation, now time.Time) error {
	accounts, err := m.to.blocksOf(r.Blocks)
	if err != nil {
		return err
	}
	m.to.expire(now)
	a := &Answer{Cost: r.Cost.Cost, accounts: accounts}
	broken, crowded := "", m.checkWindows(a, was)
	switch err := m.to.checkFits(m.to.Filter, a, big.NewInt(1)); {
	case m.to.breach != nil:
		broken = fmt.Sprintf("the promise was broken on line %d", m.to.breach.Seq+1)
	case !m.to.Filter.Describe().Concurrent && m.overlaps(was):
		broken = "the branches ran at the same time, which is not proven for the " + m.to.Filter.Describe().Title
	case m.to.pendingReservation() != "": // begun after it was over, and yet on a line before it
		return errors.New(m.to.blockedReason(now))
	case crowded != nil:
		broken = "when it was released, " + crowded.Error()
	case err != nil && was.state != Cancelled && m.canMergeLater(): // its line bears the time of the merge
		return fmt.Errorf("line %d of %s, %s, kept the promise when it was released, and a merge has it count from now on: %w. Merge when the window holds less", r.Seq+1, m.theirs.Path, was.ID, err)
	case err != nil:
		broken = err.Error()
	}
	if was.state != Cancelled {
		m.made = append(m.made, was)
	}
	switch {
	case broken == "" && r.Kind == KindReserve:
		r.After = amounts(m.to.Filter, m.to.sumWith(accounts, r.Cost.Cost))
	case broken != "" && was.state == Cancelled:
		m.renamed[r.ID] = "" // its cancel is left out too
		return m.leaveOut(r, "it was cancelled there, and would not fit here")
	case broken != "":
		r.Kind, r.After, r.Reason = KindBreach, nil, truncateReason(broken)
	}
	return m.add(r)
}

// settle replays a commit or a cancel. If the branches disagree, the release counts as made.
func (m *merger) settle(r Record, now time.Time) error {
	ours := m.to.State(r.ID)
	switch {
	case ours == Held:
		return m.add(r)
	case r.ID == "":
		return m.leaveOut(r, "what it cancels was left out")
	case r.Kind == KindCancel || ours == Committed:
		return m.leaveOut(r, fmt.Sprintf("it is %s here", ours))
	}
	// Cancelled in this branch, released in the other: it is charged again.
	again := m.to.reservations[r.ID].Record
	again.From = r.From
	m.renamed[r.ID] = newID(m.to)
	again.ID = m.renamed[r.ID]
	again.Kind = KindReserve
	if err := m.charge(again, m.theirs.reservations[r.ID], now); err != nil {
		return err
	}
	r.ID = again.ID
	return m.add(r)
}
