package ledger

import (
	"math/big"
	"strings"

	"epsiloscope/scenarios/ledger"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// notQuotable is the word on the figure of a fixed plan.
const notQuotable = "may not be quoted: costs may have been chosen by looking"

// figure is an ε, whether it may be quoted, and why.
type figure struct {
	name, epsilon, words string
	quotable             bool
}

// figures are promise, odometer and fixed plan, side by side on purpose.
func figures(v *sight) []figure {
	promise := figure{"promise", v.promise.Epsilon, "fixed before the first release", true}
	if s := scope(v.promise); s != "" {
		promise.words += ", " + s
	}
	if v.breach != nil {
		promise.words, promise.quotable = "broken: a release did not fit", false
	}
	list := []figure{promise}
	st := v.stock.status
	switch {
	case st.Odometer == nil:
		list = append(list, figure{name: "odometer", epsilon: "none", words: "this rule has none here"})
	default:
		list = append(list, figure{"odometer", report.Upper(*st.Odometer), st.Named + ": " + st.Sense, true})
	}
	if st.Plan != nil {
		list = append(list, figure{"fixed plan", report.Upper(*st.Plan), notQuotable, false})
	}
	return list
}

// sideBox is what may be quoted, what still fits and, where there is room, who took it.
func (s *Screen) sideBox(w, h int) []string {
	p, v := s.Pen, s.sight
	inner, room := draw.Inner(w, h)
	title := "What may be quoted"
	if v.stock == nil {
		return p.Frame(draw.Frame{Title: title}, text.Box([]string{p.Line(inner).Put(p.Muted, "being worked out …").String()}, inner, room), w, h)
	}
	out := kit.NewWriter(p, inner)
	tall := room > 12
	s.writeFigures(out, tall)
	if tall {
		out.Gap()
		s.writeAmounts(out)
		out.Gap()
	}
	s.writeFits(out, room)
	if tall {
		out.Gap()
		s.writeAskers(out, room)
	}
	frame := draw.Frame{Title: title}
	if v.stock.head != v.head {
		frame.Note = p.Line(w).Put(p.Stale, "computing …")
	}
	return p.Frame(frame, text.Box(out.Lines, inner, room), w, h)
}

func (s *Screen) writeFigures(out *kit.Writer, long bool) {
	p := s.Pen
	for _, f := range figures(s.sight) {
		mark, ink := p.Glyphs.Tick, p.Good
		if !f.quotable {
			mark, ink = p.Glyphs.Cross, p.Over
		}
		if f.epsilon == "none" {
			mark, ink = " ", p.Muted
		}
		l := p.Line(out.W).Left(ink, mark, 2).Left(p.Text, f.name, 11).Put(p.Strong, "ε "+f.epsilon)
		if !long && !f.quotable && f.epsilon != "none" {
			l.Put(p.Over, " not quotable")
		}
		out.Add(l)
		if long {
			out.Inset(2, p.Muted, f.words)
		}
	}
}

func (s *Screen) writeAmounts(out *kit.Writer) {
	p, st := s.Pen, s.sight.stock.status
	unit := st.Filter.Unit
	name := plainSymbol(st.Filter)
	if st.Block != "" {
		out.Prose(p.Title, name+" in the block "+text.Clean(st.Block))
	} else {
		out.Prose(p.Title, name+" so far")
	}
	for _, r := range []struct{ name, value string }{
		{"budget", lower(st.Budget, unit)}, {"spent", upper(st.Spent, unit)}, {"held", upper(st.Held, unit)}, {"left", lower(st.Left, unit)},
	} {
		out.Add(p.Line(out.W).Skip(2).Left(p.Text, r.name, 11).Put(p.Strong, r.value))
	}
}

// writeFits lists how many more there could be of what was granted before.
func (s *Screen) writeFits(out *kit.Writer, room int) {
	p, fits := s.Pen, s.sight.stock.status.Fits
	out.Prose(p.Title, "Still fits")
	if len(fits) == 0 {
		out.Inset(2, p.Muted, "nothing was granted yet")
	}
	for _, f := range fits {
		if len(out.Lines) >= room {
			return
		}
		out.Add(p.Line(out.W).Right(p.Strong, copies(f.Copies), 6).Put(p.Muted, " more  ").Put(p.Text, f.Text))
	}
}

// copies writes how many times something fits.
func copies(n *big.Int) string {
	switch {
	case n == nil:
		return "any"
	case len(n.String()) > 6:
		f, _ := new(big.Float).SetInt(n).Float64()
		return kit.Compact(f)
	}
	return n.String()
}

func (s *Screen) writeAskers(out *kit.Writer, room int) {
	p, askers := s.Pen, s.sight.stock.askers
	if len(askers) == 0 {
		return
	}
	total := new(big.Int)
	quotas := false
	for _, a := range askers {
		total.Add(total, a.Spent)
		quotas = quotas || a.Quota != ""
	}
	title := "By asker"
	if quotas {
		title += " (a quota guarantees nothing)"
	}
	out.Prose(p.Title, title)
	for _, a := range askers[:min(len(askers), max(1, room-len(out.Lines)))] {
		name := a.By
		if name == "" {
			name = "(nobody named)"
		}
		l := p.Line(out.W).Skip(2).Left(p.Text, name, min(24, out.W-16)).Right(p.Strong, share(a.Spent, total), 7)
		if a.Quota != "" {
			l.Put(p.Muted, " of a quota of "+a.Quota)
		}
		out.Add(l)
	}
}

func share(part, total *big.Int) string {
	if total.Sign() <= 0 {
		return "0 %"
	}
	f, _ := new(big.Rat).SetFrac(part, total).Float64()
	return report.Percent(f)
}

// writeWhy says why the rule is a filter.
func (s *Screen) writeWhy(out *kit.Writer) {
	p, v := s.Pen, s.sight
	out.Prose(p.Strong, "Why the "+v.about.Title+" is a filter")
	out.Prose(p.Text, "Costs may be chosen after looking at earlier answers. A filter fixes the total beforehand and refuses the release that would break it: "+v.about.Rule+".")
	out.Gap()
	out.Prose(p.Text, "It needs of a release: "+v.about.Needs+".")
	out.Prose(p.Text, "The cost of a release is fixed before it runs, from earlier outputs only. A refusal then looks at declared costs alone, and tells nothing of the data.")
	words := "Releases may be under way at the same time: the rule is proven for sessions that are interleaved."
	if !v.about.Interleaves {
		words = "Only one release may be under way at a time: the rule is not proven for sessions that are interleaved."
	}
	out.Prose(p.Text, words)
	out.Prose(p.Muted, "Source: "+v.about.Source)
	out.Gap()
	if v.stock == nil {
		return
	}
	out.Prose(p.Strong, "Three figures, and which may be quoted")
	s.writeFigures(out, true)
	out.Gap()
	out.Prose(p.Text, "Composing the privacy-loss distributions of the path so far is no filter: with eight releases of randomized response and one chosen by their outcome the true δ is 3.16 times the promised one.")
}

// writeBlocks lists what every block has.
func (s *Screen) writeBlocks(out *kit.Writer) {
	p, v := s.Pen, s.sight
	if v.promise.Blocks == "" {
		out.Prose(p.Text, "This ledger has no blocks: everything is charged to one budget.")
	} else if v.stock != nil {
		out.Prose(p.Text, "Every "+v.promise.Blocks+" has a budget of its own. A request is charged to each that it reads, and refused if one of them lacks room.")
		out.Gap()
		s.writeBalances(out, v.stock.blocks)
	}
	if v.stock != nil {
		out.Gap()
		s.writeAskers(out, len(out.Lines)+1+len(v.stock.askers))
	}
}

func (s *Screen) writeBalances(out *kit.Writer, list []ledger.Balance) {
	p, unit := s.Pen, s.sight.about.Unit
	budget := s.sight.stock.status.Budget
	head := p.Line(out.W).Left(p.Muted, s.sight.promise.Blocks, 18)
	for _, name := range []string{"spent", "held", "left"} {
		head.Right(p.Muted, name, 11)
	}
	out.Add(head)
	for _, b := range list {
		l := p.Line(out.W).Left(p.Text, b.Block, 18).Right(p.Text, upper(b.Spent, unit), 11).Right(p.Text, upper(b.Held, unit), 11).Right(p.Strong, lower(b.Left, unit), 11)
		if room := min(30, l.Room()-2); room > 5 {
			l.Skip(2).Bar(p.Accent, amount(b.Left, 0)/max(1, amount(budget, 0)), room)
		}
		out.Add(l)
	}
}

// words joins what was said with commas.
func words(list ...string) string {
	var said []string
	for _, s := range list {
		if s != "" {
			said = append(said, s)
		}
	}
	return strings.Join(said, ", ")
}
