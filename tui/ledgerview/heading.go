package ledgerview

import (
	"errors"

	"epsiloscope/ledger"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// Heading returns the ledger's file and how it stands, for the header of the explorer: the
// scenario on the stack is not what this screen is about.
func (s *Screen) Heading() kit.Heading {
	p := s.Pen
	if s.file == nil {
		return kit.Heading{Name: "Ledger", About: "none is open"}
	}
	h := kit.Heading{Name: draw.Clean(ledger.BaseName(s.path)), About: "ledger"}
	var bad *ledger.BadLine
	switch {
	case errors.As(s.failure, &bad):
		h.State, h.Ink = p.Glyphs.Cross+" not valid", p.Over
	case s.failure != nil:
		h.State, h.Ink = p.Glyphs.Cross+" cannot be read", p.Over
	case s.snapshot == nil:
		h.State, h.Ink = "reading", p.Muted
	case s.snapshot.breach != nil:
		h.State, h.Ink = p.Glyphs.Cross+" promise broken", p.Over
	case s.waiting != "":
		h.State, h.Ink = "waiting", p.Stale
	default:
		h.State, h.Ink = p.Glyphs.Tick+" holds", p.Good
	}
	return h
}
