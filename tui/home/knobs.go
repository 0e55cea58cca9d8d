package home

import (
	"errors"
	"math"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/document"
)

// knobs returns the numbers that can be turned now.
func (h *Home) knobs() []document.Knob { return h.Doc.Knobs(h.bestAlpha()) }

// bestAlpha returns the Rényi order at which RDP composition is best; NaN while it is not known.
func (h *Home) bestAlpha() float64 {
	if b, ok := h.Result.Bound(accounting.RDP); ok && b.Finite() && b.Alpha > 1 {
		return b.Alpha
	}
	return math.NaN()
}

// activeOf returns the place among ks of the knob that + and − turn: the one chosen, or the first if
// the selected entry does not have it. The scenario's own are always there.
func (h *Home) activeOf(ks []document.Knob) int {
	return max(0, slices.IndexFunc(ks, func(k document.Knob) bool { return k.Name == h.Knob }))
}

func (h *Home) nextKnob(by int) {
	ks := h.knobs()
	h.Knob = ks[(h.activeOf(ks)+by+len(ks))%len(ks)].Name
}

// turn moves the active knob by one step, or by a factor of ten.
func (h *Home) turn(by int, coarse bool) error {
	ks := h.knobs()
	k := ks[h.activeOf(ks)]
	if k.Name == document.KnobAlpha && math.IsNaN(k.Value) && h.Pending {
		return errors.New("the best order is still being computed; press again, or = to type one")
	}
	x, err := k.NextValue(by, coarse)
	if err != nil {
		return err
	}
	if x == k.Value && k.Text != "auto" {
		return nil
	}
	return k.Put(x)
}

// openType asks for the value of the active knob.
func (h *Home) openType() tea.Cmd {
	ks, version := h.knobs(), h.Doc.Version()
	k := ks[h.activeOf(ks)]
	help := "a number or a formula: 1e-6, ln(3), 1/800"
	switch k.Name {
	case document.KnobAlpha:
		help = "an order above 1, or auto"
	case document.KnobBudget:
		help = "the total ε to stay within, or none"
	}
	return dialogs.Prompt{
		Title: k.Symbol + ", now " + k.Text + " (" + k.Scope + ")", Help: help,
		Check: func(s string) (string, error) { return typing(k, s) },
		Done: func(s string) (tea.Cmd, error) {
			if h.Doc.Version() != version {
				return nil, dialogs.ErrMeanwhile
			}
			return nil, k.SetText(s)
		},
	}.Open(h.Shell, "")
}

// openCount types how often the selected entry is released.
func (h *Home) openCount() tea.Cmd {
	if _, ok := h.selectedRow(); !ok {
		return nil
	}
	h.Knob = document.KnobCount
	return h.openType()
}

// selectedRow returns the selected row and complains if there is none.
func (h *Home) selectedRow() (document.Row, bool) {
	row, ok := h.Doc.SelectedRow()
	if !ok {
		h.Complain(document.ErrEmpty)
	}
	return row, ok
}

// typing checks what is being typed; an empty field is not yet wrong.
func typing(k document.Knob, s string) (string, error) {
	if strings.HasPrefix(k.Unset, strings.TrimSpace(s)) {
		return "", nil
	}
	return dialogs.Meaning(k.Param, s)
}
