package home

import (
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/document"
	"epsiloscope/tui/kit"
)

var errNotSampled = errors.New("nothing is amplified here: only DP-SGD and entries with a sampling rate below 1 are")

// chooseSamplingScheme asks how the batches of a training are drawn, which is not what most loaders
// do by default; of any other entry it takes away what sampling gains.
func (h *Home) chooseSamplingScheme() tea.Cmd {
	row, ok := h.selectedRow()
	if !ok {
		return nil
	}
	e := row.Entry
	training, batched := mechanisms.BuildAs[mechanisms.Batched](e.Mechanism, e.Values)
	switch {
	case batched && !row.Block():
		h.askSamplingScheme(training)
	case row.Block() || !(e.Sampling > 0 && e.Sampling < 1):
		h.Complain(errNotSampled)
	case h.edit("without amplification", func(e *scenarios.Entry) { e.Sampling = 1 }):
		h.Knob = ""
		h.Say("the sampling rate is no longer counted on; u takes it back")
	}
	return nil
}

func (h *Home) askSamplingScheme(training mechanisms.Batched) {
	answer := func(key string, d mechanisms.SamplingScheme, words string) kit.Binding {
		return kit.Bind(key, "", string(d)+": "+words, func() tea.Cmd { h.useSamplingScheme(training, d); return nil })
	}
	dialogs.Ask(h.Shell, "How are the batches drawn?", "Now "+string(training.Scheme())+". The same training costs very differently; most loaders shuffle.",
		answer("p", mechanisms.Poisson, "each record independently, for every step"),
		answer("f", mechanisms.Fixed, "a fixed number of records, sampled anew for every step"),
		answer("s", mechanisms.Shuffled, "the data in random order, cut into batches"),
		answer("a", mechanisms.Allocated, "each record to one batch per pass, independently"),
		answer("t", mechanisms.Truncated, "Poisson, each batch cut to a maximum size"))
}

// useSamplingScheme changes how batches are drawn. What cannot be priced is not taken.
func (h *Home) useSamplingScheme(training mechanisms.Batched, d mechanisms.SamplingScheme) {
	said := "batches: " + string(d) + "; u takes it back"
	row, _ := h.selectedRow()
	values, most := training.WithSampling(row.Entry.Values, h.Doc.ScenarioFor(row).Records, d)
	if most > 0 {
		said = "batches: truncated at " + report.Short(most) + "; p solves for the smallest size that costs nothing"
	}
	drawn := h.Doc.WithEntryEdited(func(e *scenarios.Entry) { e.Values = values })
	take := func(s *scenarios.Scenario) tea.Cmd {
		h.Doc.Replace(s, "batches and adjacency", false)
		return h.Say("adjacency " + string(s.Adjacency) + ", " + said)
	}
	offered := dialogs.OfferAdjacency(h.Shell, drawn, func(s *scenarios.Scenario) tea.Cmd {
		if dialogs.AskSensitivity(h.Shell, s, false, take) {
			return nil
		}
		return take(s)
	})
	if !offered && h.edit("batches", func(e *scenarios.Entry) { e.Values = values }) {
		h.Say(said)
	}
}

// edit changes the selected entry; what cannot be priced is not taken.
func (h *Home) edit(what string, edit func(*scenarios.Entry)) bool {
	_, err := scenarios.Stack(h.Doc.WithEntryEdited(edit))
	if err == nil {
		err = h.Doc.Edit(what, edit)
	}
	if err != nil {
		h.Complain(err)
	}
	return err == nil
}

// toggleClaim adds a claim that an entry's guarantee covers absence, or that no record moves
// between the branches of a block; pressed again it removes the claim. A claim that makes the
// entry unsupported is not taken.
func (h *Home) toggleClaim() tea.Cmd {
	row, ok := h.selectedRow()
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
		return h.Say(what + " has no effect under add-remove; t sets the adjacency")
	}
	if claimed {
		_ = h.Doc.Edit(what, edit) // something is selected
		h.Say(what + " is no longer claimed; u takes it back")
	} else if h.edit(what, edit) {
		h.Say(what + " is claimed; C takes it back")
	}
	return nil
}

// missingClaim returns why sampling does not help the entry as it stands; "" if it does, or if
// there is none.
func missingClaim(s *scenarios.Scenario, e *scenarios.Entry) string {
	m, err := s.Mechanism(e)
	if err != nil || e.Also.AddRemove {
		return ""
	}
	_, notes, err := mechanisms.Entries(m, mechanisms.Setting{Adjacency: s.Adjacency, Group: 1, Sampling: e.Sampling})
	for _, n := range []mechanisms.Note{mechanisms.NoteRevealed, mechanisms.NoteZeroCounted} {
		if err == nil && slices.Contains(notes, n) {
			return n.Text
		}
	}
	return ""
}

// claim says so in the third column, with the key that states the claim.
func (d *detailPane) claim(w *kit.Writer, row document.Row) {
	p, s := w.Pen, d.Doc.Scenario()
	offer := "states also: add-remove"
	why := missingClaim(s, row.Entry)
	if row.Block() && s.Adjacency == mechanisms.Replace && row.Entry.Moves == "" {
		why, offer = "Under replace a record may move from one branch to another; the block costs the larger of its costliest branch and its costliest move.", "states moves: never, if it is public who is in which branch"
	}
	if why == "" {
		return
	}
	w.Gap()
	w.Prose(p.Warn, why)
	w.Add(p.Line(w.W).Put(p.Key, "C").Put(p.Muted, " "+offer))
}
