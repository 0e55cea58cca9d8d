package home

import (
	"errors"
	"math"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
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
		if training, ok := m.(mechanisms.DPSGD); ok {
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

func (h *Home) askDrawing(now mechanisms.DPSGD) {
	answer := func(key string, d mechanisms.Drawing, words string) dialogs.Answer {
		return dialogs.Reply(key, string(d)+": "+words, func() tea.Cmd { h.draws(now, d); return nil })
	}
	if now.Batches == "" {
		now.Batches = mechanisms.Poisson
	}
	dialogs.Ask(h.Shell, "How are the batches drawn?", "Now "+string(now.Batches)+". The same training costs very differently; most loaders shuffle.",
		answer("p", mechanisms.Poisson, "each record on its own, for every step"),
		answer("f", mechanisms.Fixed, "so many of all records, afresh for every step"),
		answer("s", mechanisms.Shuffled, "the data in random order, cut into batches"),
		answer("a", mechanisms.Allocated, "each record to one batch of the pass, on its own"),
		answer("t", mechanisms.Truncated, "Poisson, and what is beyond a size is dropped"))
}

// draws changes how batches are drawn. What cannot be priced is not taken.
func (h *Home) draws(now mechanisms.DPSGD, d mechanisms.Drawing) {
	said := "batches: " + string(d) + "; u takes it back"
	edit := func(e *scenarios.Entry) {
		e.Values = e.Values.Clone()
		if e.Values["batches"] = param.ChoiceValue(string(d)); d == mechanisms.Poisson {
			delete(e.Values, "batches") // the default
		}
	}
	if c, err := now.Course(h.Doc.Scenario().Records); err == nil && d == mechanisms.Truncated && now.MaxBatch == 0 && c.Batch > 0 {
		plain := edit
		most := math.Min(c.Records, math.Ceil(c.Batch+10*math.Sqrt(c.Batch))) // ten standard deviations above the mean
		said = "batches: truncated at " + report.Short(most) + "; p solves for the smallest size that costs nothing"
		edit = func(e *scenarios.Entry) {
			plain(e)
			e.Values["max_batch"] = param.WholeValue(most)
		}
	}
	if h.edit("batches", edit) {
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
