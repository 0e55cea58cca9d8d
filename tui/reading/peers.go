package reading

import (
	"context"

	"epsiloscope/exchange/peers"
	"epsiloscope/report"
	"epsiloscope/tui/kit"
)

// NewPeers sets beside the scenario's number what other tools print for the same training.
func NewPeers(s *kit.Shell) kit.Pane {
	p := newPage[[]peers.ToolResult](s, "Others screen", "What others would print")
	p.work = func(ctx context.Context, of about) ([]peers.ToolResult, error) {
		return peers.AskTools(ctx, of.scenario)
	}
	p.write = writePeers
	return p
}

func writePeers(out *kit.Writer, of about, results []peers.ToolResult) {
	out.Prose(out.Pen.Strong, "Here: "+report.Answer(of.result)+".")
	out.Gap()
	out.Sheet(peers.Sheet(results, of.result))
}
