package home

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/kit"
)

// vouch states what an entry's number says of absence, or that nobody moves between the
// branches of a block; pressed again it takes the claim back. What the claim makes
// impossible to price is not taken.
func (h *Home) vouch() tea.Cmd {
	row, ok := h.selected()
	if !ok {
		return nil
	}
	what := "also: add-remove"
	edit := func(e *scenarios.Entry) { e.Also = mechanisms.Also{AddRemove: !e.Also.AddRemove} }
	claimed := row.Entry.Also.AddRemove
	if row.Block() {
		what, claimed = "moves: never", row.Entry.Moves != ""
		edit = func(e *scenarios.Entry) {
			if e.Moves = "never"; claimed {
				e.Moves = ""
			}
		}
	}
	if h.Doc.Scenario().Adjacency == mechanisms.AddRemove && !claimed {
		h.Say(what + " says something only where a record is changed; t sets the adjacency")
		return nil
	}
	if claimed {
		_ = h.Doc.Edit(what, edit) // something is selected
		h.Say(what + " is no longer claimed; u takes it back")
	} else if h.edit(what, edit) {
		h.Say(what + " is claimed; C takes it back")
	}
	return nil
}

// unvouched is why sampling does not help the entry as it stands; "" where it does, or
// where there is none.
func unvouched(s *scenarios.Scenario, e *scenarios.Entry) string {
	m, err := mechanisms.New(e.Mechanism, e.Values)
	if err != nil || e.Also.AddRemove {
		return ""
	}
	_, notes, err := mechanisms.Entries(m, mechanisms.Setting{Adjacency: s.Adjacency, Group: 1, Sampling: e.Sampling})
	for _, n := range []string{mechanisms.NoteRevealed, mechanisms.NoteZeroCounted} {
		if err == nil && slices.Contains(notes, n) {
			return n
		}
	}
	return ""
}

// claim is the part of the third column that says so, with the key that mends it.
func (d *detailPane) claim(w *kit.Writer, row document.Row) {
	p, s := w.Pen, d.Doc.Scenario()
	offer := "states also: add-remove"
	why := unvouched(s, row.Entry)
	if row.Block() && s.Adjacency == mechanisms.Replace && row.Entry.Moves == "" {
		why, offer = "A changed record may leave one branch for another, so the block also costs what such a move costs.", "states moves: never, if it is public who is in which branch"
	}
	if why == "" {
		return
	}
	w.Gap()
	w.Prose(p.Warn, why)
	w.Add(p.Line(w.W).Put(p.Key, "C").Put(p.Muted, " "+offer))
}
