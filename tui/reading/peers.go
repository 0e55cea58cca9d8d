package reading

import (
	"context"
	"errors"
	"sync"

	"epsiloscope/exchange/peers"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// NewPeers sets beside the scenario's number what other tools print for the same training.
func NewPeers(s *kit.Shell) kit.Pane {
	p := newPage[[]peers.ToolResult](s, "Others screen", "What others would print")
	p.work = func(ctx context.Context, of about) ([]peers.ToolResult, error) {
		return peers.AskTools(ctx, of.scenario)
	}
	p.write = writePeers
	p.instead = writeTrainings
	return p
}

// trainings are the scenarios of the library that the other tools can be asked about.
var trainings = sync.OnceValue(func() (list []scenarios.Info) {
	for _, it := range scenarios.LibraryInfos() {
		if s, err := scenarios.LoadBundled(it.Name); err == nil && peers.IsTraining(s) {
			list = append(list, it)
		}
	}
	return list
})

// writeTrainings says, where there is nothing to compare, what can be compared and where to find it.
func writeTrainings(out *kit.Writer, err error) {
	p := out.Pen
	out.Gap()
	if !errors.Is(err, peers.ErrNoTraining) {
		out.Prose(p.Text, "0 goes home, where t sets the δ.")
		return
	}
	out.Prose(p.Text, "Opacus, dp-accounting and TensorFlow Privacy count what a training costs. To compare, put one on a stack of its own: "+
		"ctrl+n starts a new scenario, and a with the word training adds it. Or press o and type the name of an example:")
	out.Gap()
	wide := 0
	for _, it := range trainings() {
		wide = max(wide, draw.Width(it.Name))
	}
	for _, it := range trainings() {
		line := p.Line(out.W).Skip(2).Left(p.Strong, it.Name, wide).Skip(2)
		out.Add(line.Put(p.Muted, kit.WholeWords(p.Spell(it.Title), line.Room())))
	}
}

func writePeers(out *kit.Writer, of about, results []peers.ToolResult) {
	out.Prose(out.Pen.Strong, "Here: "+report.Answer(of.result)+".")
	out.Gap()
	out.Sheet(peers.Sheet(results, of.result))
}
