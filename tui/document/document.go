// Package document is the scenario on the screen: what is selected, what was
// changed, how to take it back. It knows no keys and draws nothing.
//
// A scenario in here is never changed in place. Every edit makes a copy that
// shares what it did not touch, so that undo is keeping a pointer and a
// computation under way never sees half an edit. Start with [New].
package document

import (
	"sync/atomic"

	"epsiloscope/scenarios"
)

// Edits come in; a new scenario goes out each time, and the old one is kept for undo.

// How many edits can be taken back: a thousand, or as many as keep the remembered
// stacks below a million entries (about 100 MB), but never fewer than fifty.
const (
	maxDepth   = 1000
	minDepth   = 50
	maxEntries = 1_000_000
)

// depth returns how many edits of a stack of so many entries are remembered.
func depth(entries int) int {
	return max(minDepth, min(maxDepth, maxEntries/max(1, entries)))
}

// Document is an open scenario.
type Document struct {
	Path   string // the file it is saved to; "" if it has none yet
	Bundle string // the bundled scenario it came from; "" if from a file or new

	now          *scenarios.Scenario
	saved        *scenarios.Scenario // the state that the file holds; nil if none does
	past, future []state
	rows         []Row
	cursor       int
	marks        map[int]bool
	version      int

	compared *scenarios.Scenario // what was last compared with the saved state
	same     bool                // and whether it was equal
}

// state is restored by undo.
type state struct {
	scenario *scenarios.Scenario
	cursor   int
	what     string
}

// New opens a scenario in the state that its file holds.
func New(s *scenarios.Scenario) *Document {
	d := &Document{saved: s}
	d.show(s)
	return d
}

// Recover opens a scenario that no file holds: it counts as unsaved.
func Recover(s *scenarios.Scenario) *Document {
	d := &Document{}
	d.show(s)
	return d
}

// Scenario returns the scenario as it stands; it must not be changed.
func (d *Document) Scenario() *scenarios.Scenario { return d.now }

// Version returns a number that differs after every change of the scenario and in every document.
func (d *Document) Version() int { return d.version }

// versions counts those of all documents: no answer about one is taken for one about another.
var versions atomic.Int64

// Dirty reports whether there are changes no file holds; a change that was reverted by hand
// does not count.
func (d *Document) Dirty() bool {
	if d.compared != d.now {
		d.compared, d.same = d.now, d.now.Equal(d.saved)
	}
	return d.now != d.saved && !d.same
}

// ForSaving returns a copy that may be saved while the document is edited on: saving
// notes in a scenario where its entries stand in the file. A bundled scenario that was
// changed leaves behind the values that the bundled one is checked by.
func (d *Document) ForSaving() *scenarios.Scenario {
	s := d.now.Clone()
	if d.Bundle != "" && d.Dirty() {
		s.Expect = nil
	}
	return s
}

// MarkSaved notes that the file at path now holds s, the copy of a version. Edits made
// since stay unsaved.
func (d *Document) MarkSaved(s *scenarios.Scenario, path string, version int) {
	d.Path, d.Bundle, d.saved, d.compared = path, "", nil, nil
	if version == d.version {
		d.now, d.saved = s, s
		d.flatten()
	}
}

// Replace puts another state on the screen, as an edit that can be undone: one of this file,
// wherever it comes from. clean says that the file holds exactly that.
func (d *Document) Replace(s *scenarios.Scenario, what string, clean bool) {
	if clean {
		d.saved, d.compared = s, nil
	} else {
		s = s.WithOriginOf(d.now)
	}
	d.commit(s, what)
}

// commit makes s the current state and remembers the one before.
func (d *Document) commit(s *scenarios.Scenario, what string) {
	d.past = append(d.past, state{d.now, d.cursor, what})
	if most := depth(len(d.now.Stack)); len(d.past) > most {
		d.past = append(d.past[:0:0], d.past[len(d.past)-most:]...)
	}
	d.future = nil
	d.show(s)
}

// show makes s the scenario on the screen, under a new version and without marks.
func (d *Document) show(s *scenarios.Scenario) {
	d.now = s
	d.version = int(versions.Add(1))
	d.marks = nil
	d.flatten()
}

// Undo takes the last edit back and says what it was; false if there is none.
func (d *Document) Undo() (what string, ok bool) { return d.travel(&d.past, &d.future) }

// Redo brings an undone edit back.
func (d *Document) Redo() (what string, ok bool) { return d.travel(&d.future, &d.past) }

// travel restores the last state of one list and puts the present one on the other.
func (d *Document) travel(from, to *[]state) (string, bool) {
	if len(*from) == 0 {
		return "", false
	}
	last := (*from)[len(*from)-1]
	*from = (*from)[:len(*from)-1]
	*to = append(*to, state{d.now, d.cursor, last.what})
	d.show(last.scenario)
	d.Select(last.cursor)
	return last.what, true
}

// Change edits the fields of the scenario and of its entries (not the values of their parameters) in a copy.
func (d *Document) Change(what string, edit func(*scenarios.Scenario)) {
	s := d.now.Copy()
	edit(s)
	d.commit(s, what)
}

// BaseState returns the state the file holds or, if no file does, the first one that can
// still be undone to; nil if the document has no past.
func (d *Document) BaseState() *scenarios.Scenario {
	switch {
	case d.saved != nil:
		return d.saved
	case len(d.past) > 0:
		return d.past[0].scenario
	}
	return nil
}
