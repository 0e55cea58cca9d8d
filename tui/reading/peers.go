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
	pen, r := out.Pen, of.result
	out.Prose(pen.Strong, "Here: "+report.Answer(r)+".")
	out.Gap()
	out.Prose(pen.Muted, sheet.PeersTitle+".")
	out.Gap()
	last, wrong := "", false
	for _, f := range figures {
		if last != "" && f.Peer != last {
			out.Gap()
		}
		last = f.Peer
		standing := f.Standing(r)
		l := pen.Line(out.W).Left(pen.Text, f.Peer+"  "+f.Accountant, peerWidth)
		switch {
		case !f.HasValue():
			l.Right(pen.Muted, "no figure", 9)
		case standing == peers.TooSmall:
			wrong = true
			l.Figure(pen.Over, f.PrintedEpsilon(), 9).Skip(2).Put(pen.Over, string(standing))
		default:
			l.Figure(pen.Text, f.PrintedEpsilon(), 9).Skip(2).Put(pen.Muted, string(standing))
		}
		out.Add(l)
		out.Inset(4, pen.Muted, f.Why)
	}
	if wrong {
		out.Gap()
		out.Prose(pen.Warn, sheet.TooSmallNote+".")
	}
}

// peerWidth is the room of a tool's name with its accountant.
const peerWidth = 46
