package reading

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/peers"
	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/sheet"
	"epsiloscope/tui/kit"
)

// Peers sets beside the scenario's figure what other tools print for the same training.
type Peers struct{ reading[[]peers.Figure] }

// NewPeers makes the screen.
func NewPeers(s *kit.Shell) *Peers { return &Peers{newReading[[]peers.Figure](s)} }

func (p *Peers) Keys() kit.Table { return p.table("Others screen") }

// Refresh asks the tools once the result is final.
func (p *Peers) Refresh() tea.Cmd {
	return p.refresh("", func(ctx context.Context, s *scenarios.Scenario, _ *scenarios.Result) ([]peers.Figure, error) {
		return peers.Print(ctx, s)
	})
}

func (p *Peers) View(focused bool) []string {
	return p.show("What others would print", focused, 0, p.write)
}

func (p *Peers) write(out *kit.Writer, figures []peers.Figure) {
	pen, r := out.Pen, p.query.Of.result
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
		case !f.Printed():
			l.Right(pen.Muted, "no figure", 9)
		case standing == peers.TooSmall:
			wrong = true
			l.Figure(pen.Over, report.Upper(f.Epsilon), 9).Skip(2).Put(pen.Over, string(standing))
		default:
			l.Figure(pen.Text, report.Upper(f.Epsilon), 9).Skip(2).Put(pen.Muted, string(standing))
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
