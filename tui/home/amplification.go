package home

import (
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/document"
)

var errNotSampled = errors.New("nothing is amplified here: only DP-SGD and entries with a sampling rate below 1 are")

// unamplify prices the selected entry without what Poisson sampling gains: training on
// shuffled batches is another mechanism, and most training loops shuffle.
func (h *Home) unamplify() tea.Cmd {
	row, ok := h.Doc.Selected()
	if !ok {
		h.Complain(document.ErrEmpty)
		return nil
	}
	e := *row.Entry
	m, err := mechanisms.New(e.Mechanism, e.Values)
	training, isTraining := m.(mechanisms.Batched)
	sampled := e.Sampling > 0 && e.Sampling < 1
	said := "the sampling rate no longer counts; u takes it back"
	if err != nil || !isTraining && !sampled || row.Block() {
		h.Complain(errNotSampled)
		return nil
	}
	if isTraining {
		noise, passes, err := training.Shuffled(h.Doc.Scenario().Records)
		if err != nil {
			h.Complain(err)
			return nil
		}
		e.Mechanism, e.Count = "gaussian", e.Count*passes
		e.Values = mechanisms.Values{"sigma": mechanisms.NumberValue(noise.Sigma), "sensitivity": mechanisms.NumberValue(noise.Sensitivity)}
		said = fmt.Sprintf("shuffled batches: %s passes, each one Gaussian release with Δ = %s clipping norms; u takes it back", report.Short(passes), report.Short(noise.Sensitivity))
	}
	e.Sampling = 1
	if err := h.Doc.Edit("without amplification", func(to *scenarios.Entry) { *to = e }); err != nil {
		h.Complain(err)
		return nil
	}
	h.Knob = ""
	h.Say(said)
	return nil
}
