package reading

import (
	"context"

	"epsiloscope/scenarios/peers"
	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/sheet"
	"epsiloscope/tui/kit"
)

// NewPeers sets beside the scenario's figure what other tools print for the same training.
func NewPeers(s *kit.Shell) kit.Pane {
	p := newPage[[]peers.Figure](s, "Others screen", "What others would print")
	p.work = func(ctx context.Context, of about) ([]peers.Figure, error) { return peers.Print(ctx, of.scenario) }
	p.write = writePeers
	return p
}

func writePeers(out *kit.Writer, of about, figures []peers.Figure) {
	out.Prose(out.Pen.Strong, "Here: "+report.Answer(of.result)+".")
	out.Gap()
	out.Sheet(sheet.Peers(figures, of.result))
}
