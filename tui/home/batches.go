package home

import (
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/dialogs"
)

var errNotSampled = errors.New("nothing is amplified here: only DP-SGD and entries with a sampling rate below 1 are")

// drawBatches asks how the batches of a training are drawn, which is not what most loaders
// do by default; of any other entry it takes away what sampling gains.
func (h *Home) drawBatches() tea.Cmd {
	row, ok := h.selected()
	if !ok {
		return nil
	}
	e := row.Entry
	if m, err := mechanisms.New(e.Mechanism, e.Values); err == nil && !row.Block() {
		if training, ok := m.(mechanisms.Batched); ok {
			h.askDrawing(training)
			return nil
		}
	}
	if row.Block() || !(e.Sampling > 0 && e.Sampling < 1) {
		h.Complain(errNotSampled)
		return nil
	}
	if h.edit("without amplification", func(e *scenarios.Entry) { e.Sampling = 1 }) {
		h.Knob = ""
		h.Say("the sampling rate is no longer counted on; u takes it back")
	}
	return nil
}

func (h *Home) askDrawing(training mechanisms.Batched) {
	answer := func(key string, d mechanisms.Drawing, words string) dialogs.Answer {
		return dialogs.Reply(key, string(d)+": "+words, func() tea.Cmd { h.draws(training, d); return nil })
	}
	dialogs.Ask(h.Shell, "How are the batches drawn?", "Now "+string(training.DrawnBy())+". The same training costs very differently; most loaders shuffle.",
		answer("p", mechanisms.Poisson, "each record on its own, for every step"),
		answer("f", mechanisms.Fixed, "so many of all records, afresh for every step"),
		answer("s", mechanisms.Shuffled, "the data in random order, cut into batches"),
		answer("a", mechanisms.Allocated, "each record to one batch of the pass, on its own"),
		answer("t", mechanisms.Truncated, "Poisson, and what is beyond a size is dropped"))
}

// draws changes how batches are drawn. What cannot be priced is not taken.
func (h *Home) draws(training mechanisms.Batched, d mechanisms.Drawing) {
	said := "batches: " + string(d) + "; u takes it back"
	row, _ := h.selected()
	values, most := training.Redrawn(row.Entry.Values, h.Doc.Scenario().Records, d)
	if most > 0 {
		said = "batches: truncated at " + report.Short(most) + "; p solves for the smallest size that costs nothing"
	}
	if h.edit("batches", func(e *scenarios.Entry) { e.Values = values }) {
		h.Say(said)
	}
}

// edit changes the selected entry; what cannot be priced is not taken.
func (h *Home) edit(what string, edit func(*scenarios.Entry)) bool {
	_, err := scenarios.NewEvaluator().Stack(h.Doc.With(edit), scenarios.Options{})
	if err == nil {
		err = h.Doc.Edit(what, edit)
	}
	if err != nil {
		h.Complain(err)
	}
	return err == nil
}
