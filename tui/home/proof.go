package home

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/certificate/certify"
	"epsiloscope/scenarios/disk"
	"epsiloscope/tui/jobs"
)

// seekProof looks for a certificate beside the scenario's file and checks it in the background. What it proves is
// shown only if it is about the scenario as it is on the screen.
func (h *Home) seekProof() tea.Cmd {
	s := h.Doc.Scenario()
	path := s.Path()
	if path == "" {
		if h.proof.Known || h.proof.Busy {
			h.proof.Forget()
		}
		return nil
	}
	verifier := &h.verifier
	of := h.stateWith(0)
	return h.proof.Ask(h.Jobs, jobs.PauseLeft, of, func(ctx context.Context, tell func(certify.Quote, error)) {
		data, err := disk.Read(certify.CertificatePath(path))
		if err != nil { // most scenarios have none
			tell(certify.Quote{}, nil)
			return
		}
		tell(verifier.Verify(ctx, data, s))
	})
}

// proofLine returns the badge of a certificate that proves the ε of the stack on the screen; none if there is no such
// certificate, or the stack has changed since.
func (b *boundsPane) proofLine(inner int) []string {
	q := &b.home.proof
	if !q.Fresh() || q.Of != b.home.stateWith(0) || q.Err != nil || q.Answer.Upper == "" {
		return nil
	}
	p, proved := b.Pen, "ε ≤ "+q.Answer.Upper
	by := "proved in exact arithmetic, check.py " + q.Answer.CheckerHash[:4] + "…"
	return []string{p.Line(inner).Put(p.Good, p.Glyphs.Tick+" "+by+": "+proved).String()}
}
