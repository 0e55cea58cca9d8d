package ledgerview

import (
	"cmp"
	"fmt"
	"math/big"
	"strings"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/plot"
)

// sideBox returns what may be quoted, what still fits and, where there is room, who took it.
func (s *Screen) sideBox(w, h int) []string {
	p, v := s.Pen, s.snapshot
	inner, room := draw.Inner(w, h)
	title := "What may be quoted"
	out := kit.NewWriter(p, inner)
	switch {
	case s.failure != nil: // its numbers are of the file before
		out.Prose(p.Over, "Nothing, as long as the file cannot be read.")
		return p.Frame(draw.Frame{Title: title}, out.Lines, w, h)
	case v.summary == nil:
		out.Heading(p.Muted, "computing …")
		return p.Frame(draw.Frame{Title: title}, out.Lines, w, h)
	}
	tall := room > 12
	s.writeBalance(out, tall)
	if tall {
		out.Gap()
		s.writeAmounts(out)
		out.Gap()
	}
	s.writeFits(out, stillFits, room)
	if tall {
		out.Gap()
		s.writeAnalysts(out, room)
	}
	frame := draw.Frame{Title: title}
	if v.summary.head != v.head {
		frame.Note = p.Line(w).Put(p.Stale, "computing …")
	}
	return p.Frame(frame, out.Lines, w, h)
}

func (s *Screen) writeBalance(out *kit.Writer, long bool) {
	p := s.Pen
	for _, q := range s.snapshot.promise.Quotes(s.snapshot.summary.status, s.snapshot.breach != nil) {
		value, mark, ink := "ε "+q.Epsilon, p.Glyphs.Tick, p.Good
		switch {
		case q.Epsilon == "":
			value, mark, ink = "none", " ", p.Muted
		case !q.Quotable:
			mark, ink = p.Glyphs.Cross, p.Over
		}
		l := p.Line(out.W).Left(ink, mark, 1+draw.Width(p.Glyphs.Tick)).Left(p.Text, q.Name, 11).Put(p.Strong, value)
		if !long && !q.Quotable && q.Epsilon != "" {
			l.Put(p.Over, kit.Widest(l.Room(), " not quotable", " unquotable"))
		}
		out.Add(l)
		if long {
			out.Inset(2, p.Muted, q.Words)
		}
	}
}

func (s *Screen) writeAmounts(out *kit.Writer) {
	p, st := s.Pen, s.snapshot.summary.status
	scope := " so far"
	if st.Block != "" {
		scope = " in the block " + draw.Clean(st.Block)
	}
	out.Prose(p.Title, plainSymbol(st.Filter)+scope)
	out.Report(2, st.Balance.Lines())
	if took := s.snapshot.summary.charges; len(took) > 1 {
		w := max(0, min(len(took), out.W-13))
		out.Add(p.Line(out.W).Skip(2).Left(p.Muted, "lately", 11).Raw(p.Muted.Render(plot.Sparkline(p.Glyphs, took, w)), w))
	}
}

// stillFits is the title of what fits on top of everything that was granted.
const stillFits = "Still fits"

// writeFits lists how many more there could be of what was granted before.
func (s *Screen) writeFits(out *kit.Writer, title string, room int) {
	p, fits := s.Pen, s.snapshot.summary.status.Fits
	out.Prose(p.Title, title)
	if len(fits) == 0 {
		out.Inset(2, p.Muted, "nothing was granted yet")
	}
	w := 0
	for _, f := range fits {
		w = max(w, 1+len(copies(f.Copies)))
	}
	for i, f := range fits {
		if rest := len(fits) - i; len(out.Lines) >= room-1 && rest > 1 {
			out.Inset(2, p.Muted, fmt.Sprintf("and %d more kinds: b lists them", rest))
			return
		}
		l := p.Line(out.W).Right(p.Strong, copies(f.Copies), w).Put(p.Muted, " more  ")
		out.Add(l.Put(p.Text, shortenStack(p.Spell(f.Text), l.Room())))
	}
}

// shortenStack returns the description of a stack with as many of its parameters as fit.
func shortenStack(stack string, room int) string {
	from, to := strings.IndexByte(stack, '('), strings.IndexByte(stack, ')')
	if from < 0 || to < from {
		return kit.Widest(room, stack)
	}
	whole, some := stack[:to+1], stack[:to+1]
	if i := strings.LastIndex(whole, ", "); i > from {
		some = whole[:i] + " …)"
	}
	return kit.Widest(room, stack, whole, some, stack[:from]+"…")
}

func (s *Screen) writeAnalysts(out *kit.Writer, room int) {
	p, analysts := s.Pen, s.snapshot.summary.analysts
	if len(analysts) == 0 {
		return
	}
	total := new(big.Int)
	quotas := false
	for _, a := range analysts {
		total.Add(total, a.Spent)
		quotas = quotas || a.Quota != ""
	}
	title := "By analyst"
	if quotas { // which are shares of the budget
		title, total = "By analyst, of the budget (a quota guarantees nothing)", s.snapshot.filter.Budget()
	}
	out.Prose(p.Title, title)
	for _, a := range analysts[:min(len(analysts), max(1, room-len(out.Lines)))] {
		l := p.Line(out.W).Skip(2).Left(p.Text, cmp.Or(a.By, "(no name)"), min(18, out.W-16))
		l.Right(p.Strong, formatShare(a.Spent, total), 7)
		if a.Quota != "" {
			l.Put(p.Muted, "  quota "+quota(a.Quota))
		}
		out.Add(l)
	}
}
