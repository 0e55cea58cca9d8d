package scenarios

import (
	"slices"
	"strconv"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
)

// Note is a note on an entry: what its price rests on, or what a mechanism with these values does. What is asked of the
// author, or is wrong, is a point of a review instead.
type Note struct {
	Entry int // from 1
	mechanisms.Note
}

// Subject names the entry that the note is about: "entry 2".
func (n Note) Subject() string { return "entry " + strconv.Itoa(n.Entry) }

// NoteWholePeople is the note on a sampled entry in whose query a person may have several records.
var NoteWholePeople = mechanisms.Note{Code: "sampling-people", Text: "Whole people are sampled: all records of one person, or none. If records are drawn one by one, some record of a person with several is drawn more often, and this number does not hold: leave sampling out then."}

// SamplesPeople reports whether an entry is sampled and one person may have several records in it, because its query
// allows that or because it counts people, so that its price holds only if whole people are sampled.
func (e *Entry) SamplesPeople() bool {
	countsPeople := e.Mechanism == mechanisms.PartitionSelection{}.Kind()
	return e.Parallel == nil && e.Sampling < 1 && (countsPeople || e.Query.AllowsSeveral())
}

// notesOn returns the notes on the entries of a priced scenario, each once, on the first entry it applies to.
func notesOn(s *Scenario, c *pricedStack) (list []Note) {
	seen := map[mechanisms.Note]bool{}
	for i := range s.Stack {
		for _, found := range entryNotes(s, &s.Stack[i], c.notes[i]) {
			if !seen[found] {
				seen[found] = true
				list = append(list, Note{i + 1, found})
			}
		}
	}
	return list
}

// entryNotes returns the notes on an entry, and those that its price came with.
func entryNotes(s *Scenario, e *Entry, notes []mechanisms.Note) (found []mechanisms.Note) {
	if e.Disabled {
		return nil
	}
	for _, branch := range e.Parallel {
		for i := range branch {
			found = append(found, entryNotes(s.ForBranch(), &branch[i], nil)...)
		}
	}
	at := mechanisms.Setting{Adjacency: s.Adjacency, Records: s.Records, Count: e.Count, Delta: s.Budget.Delta}
	return slices.Concat(found, mechanisms.Notes(e.Mechanism, s.WithSensitivity(e).Values, at), notes)
}

// notePinnedOrder adds to the bound at a pinned Rényi order that it costs more than a tenth over that at the best one.
func (r *Result) notePinnedOrder() {
	rdp, _ := r.Bound(accounting.RDP)
	i := slices.IndexFunc(r.Bounds, func(b accounting.Bound) bool { return b.Method == accounting.RDPPinned })
	if i < 0 || rdp.Status != accounting.Valid {
		return
	}
	if b := &r.Bounds[i]; !b.Finite() || b.Epsilon > 1.1*rdp.Epsilon {
		b.Note = appendSentence(b.Note, "The pinned order α = "+numeral.Format(r.Target.Alpha)+" costs more than a tenth over the best one, α = "+numeral.Nearest(rdp.Alpha)+".")
	}
}

func appendSentence(text, sentence string) string {
	if text == "" {
		return sentence
	}
	return text + " " + sentence
}
