package ledgerview

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"epsiloscope/ledger"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// places is the division of the rectangle: lines at the head, then the chart above the records,
// with a column at the right beside the chart or beside both.
type places struct {
	head, upper, left int
	tall              bool // the column stands beside both
}

func (s *Screen) layout() places {
	p := places{head: 2, tall: s.W >= 110, upper: max(4, min(s.H*42/100, 20))}
	p.left = s.W - 38
	switch {
	case p.tall:
		p.left = s.W - max(44, min(66, s.W*36/100))
	case s.W < 74: // there is no room for it
		p.left = s.W
	}
	if s.H < 16 { // the records are what cannot be seen elsewhere
		p.upper = 0
	}
	return p
}

// tableRows returns how many records are on the screen.
func (s *Screen) tableRows() int {
	p := s.layout()
	return max(0, s.H-p.head-p.upper-4)
}

func (s *Screen) View(bool) []string {
	if s.snapshot == nil || s.failure != nil { // nothing of what was read before holds
		return s.emptyView()
	}
	p, lines := s.layout(), s.headLines()
	if s.page != list {
		return append(lines, s.pageBox(s.W, s.H-p.head)...)
	}
	var upper []string
	if p.upper > 0 {
		upper = slices.Clone(s.chartBox(p.left, p.upper)) // the cache keeps the chart alone
	}
	if p.tall {
		upper = append(upper, s.tableBox(p.left, s.H-p.head-p.upper)...)
		return append(lines, kit.JoinColumns(upper, s.sideBox(s.W-p.left, s.H-p.head))...)
	}
	if p.upper > 0 && p.left < s.W {
		kit.JoinColumns(upper, s.sideBox(s.W-p.left, p.upper))
	}
	return slices.Concat(lines, upper, s.tableBox(s.W, s.H-p.head-p.upper))
}

// emptyView returns the screen without a ledger. On a low window it has no blank lines, and the keys take its last one.
func (s *Screen) emptyView() []string {
	p := s.Pen
	inner, h := draw.Inner(s.W, s.H)
	out := kit.NewWriter(p, inner)
	switch {
	case s.failure != nil:
		out.Prose(p.Over, p.Glyphs.Cross+" Nothing may be quoted of this ledger, and nothing is granted, until this is mended:")
		out.Gap()
		out.Prose(p.Over, s.failure.Error())
	case s.waiting != "":
		out.Prose(p.Warn, s.waiting)
	case s.file != nil:
		out.Prose(p.Muted, "Reading "+ledger.BaseName(s.path)+" …")
	default:
		out.Prose(p.Text, "A ledger is a file beside the data that remembers every release and refuses the one that would break the promise. None is open.")
	}
	keys := []kit.Binding{kit.Hint("f", "choose a ledger")}
	var bad *ledger.BadLine
	// A new one in the place of one that is there would spend twice.
	if (s.file == nil || s.failure != nil) && !errors.As(s.failure, &bad) {
		out.Gap()
		s.writeOffer(out)
		keys = s.offerKeys()
	}
	out.Gap()
	foot := s.Foot(inner, append(keys, kit.Hint("esc", "back"))...)
	if len(out.Lines) < h {
		return s.DrawFrame(draw.Frame{Title: "Ledger", Focus: true}, append(out.Lines, foot))
	}
	out.Lines = slices.DeleteFunc(out.Lines, func(line string) bool {
		return strings.TrimSpace(ansi.Strip(line)) == ""
	})
	return s.DrawFrame(draw.Frame{Title: "Ledger", Focus: true}, out.Lines, foot)
}

// headLines say what was promised and how the file stands.
func (s *Screen) headLines() []string {
	p, v := s.Pen, s.snapshot
	first := p.Line(s.W).Skip(1).Put(p.Strong, cmp.Or(v.open.Data, ledger.BaseName(v.path)))
	promise := fmt.Sprintf("promise ε %s at δ %s", v.promise.ShownEpsilon(), v.promise.Delta)
	for _, words := range []string{promise, scope(v.promise), v.about.Title, v.open.Unit, v.open.Adjacency} {
		if words != "" && first.Room() > draw.Width(words)+4 {
			first.Put(p.Muted, " · ").Put(p.Text, words)
		}
	}
	second := p.Line(s.W).Skip(1)
	switch {
	case v.breach != nil:
		second.Put(p.Over, fmt.Sprintf("%s the promise was broken on line %d; nothing is granted any more", p.Glyphs.Cross, v.breach.Seq+1))
	case s.proofJob.Busy:
		second.Put(p.Stale, "replaying every price and decision …")
	case s.waiting != "":
		second.Put(p.Stale, s.waiting)
	default:
		second.Put(p.Good, p.Glyphs.Tick+" chain, sums, prices and decisions of "+linesOf(v)+" hold")
	}
	if s.opt.Live && s.failure == nil && second.Room() > 60 {
		second.Put(p.Muted, " · following the "+placeWord(v.path))
	}
	if head := v.head[:min(16, len(v.head))]; second.Room() > len(head)+7 {
		second.FillTo(s.W-len(head)-6).Put(p.Muted, "head ").Put(p.Text, head)
	}
	return []string{first.String(), second.String()}
}

func linesOf(v *snapshot) string {
	if len(v.records) == 1 {
		return "1 line"
	}
	return count(len(v.records)) + " lines"
}

// placeWord says where a ledger is kept.
func placeWord(path string) string {
	if ledger.IsAddress(path) {
		return "server"
	}
	return "file"
}
