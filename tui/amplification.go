package tui

import (
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
)

var errNotSampled = errors.New("nothing is amplified here: only DP-SGD and entries with a sampling rate below 1 are")

// unamplify prices the selected entry without what Poisson sampling gains: training on
// shuffled batches is another mechanism, and most training loops shuffle.
func (a *App) unamplify() tea.Cmd {
	row, ok := a.doc.Selected()
	if !ok {
		a.complain(document.ErrEmpty)
		return nil
	}
	e := *row.Entry
	m, err := mechanisms.New(e.Mechanism, e.Values)
	training, isTraining := m.(mechanisms.Batched)
	sampled := e.Sampling > 0 && e.Sampling < 1
	said := "the sampling rate is no longer counted on; u takes it back"
	if err != nil || !isTraining && !sampled || row.Block() {
		a.complain(errNotSampled)
		return nil
	}
	if isTraining {
		noise, passes := training.Shuffled()
		e.Mechanism, e.Count = "gaussian", e.Count*passes
		e.Values = mechanisms.Values{"sigma": mechanisms.NumberValue(noise.Sigma), "sensitivity": mechanisms.NumberValue(noise.Sensitivity)}
		said = fmt.Sprintf("shuffled batches: %s passes, each one Gaussian release with Δ = %s clipping norms; u takes it back", short(passes), short(noise.Sensitivity))
	}
	e.Sampling = 1
	if err := a.doc.Edit("without amplification", func(to *scenarios.Entry) { *to = e }); err != nil {
		a.complain(err)
		return nil
	}
	a.knob = ""
	a.say(said)
	return nil
}
