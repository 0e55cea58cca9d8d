package kit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/tui/draw"
)

// Scroll is text that may be longer than its box. It is set anew when its key changes,
// which must name all that it depends on, and is scrolled by keys and wheel.
type Scroll struct {
	viewport.Model
	text Cached
}

// Fill gives the text a box of w×h and reports whether it was set anew.
func (s *Scroll) Fill(key any, w, h int, set func() []string) (fresh bool) {
	s.Width, s.Height = w, max(0, h)
	lines := s.text.Get(key, func() []string { fresh = true; return set() })
	if fresh {
		s.SetContent(strings.Join(lines, "\n"))
	}
	return fresh
}

// All returns every line.
func (s *Scroll) All() []string { return s.text.lines }

// Lines returns the lines in sight.
func (s *Scroll) Lines() []string { return strings.Split(s.View(), "\n") }

// Longer reports that not all lines are in sight.
func (s *Scroll) Longer() bool { return s.TotalLineCount() > s.Height }

// ScrollBy returns an action that scrolls some lines.
func (s *Scroll) ScrollBy(lines int) func() tea.Cmd {
	return NoCmd(func() { s.SetYOffset(s.YOffset + lines) })
}

// Keys scroll by lines and pages and to both ends.
func (s *Scroll) Keys() []Binding {
	return []Binding{
		Action("scroll.up", "up k", "", "Scroll up", s.ScrollBy(-1)),
		Action("scroll.down", "down j", "", "Scroll down", s.ScrollBy(+1)),
		Action("scroll.page-up", "pgup", "", "Page up", NoCmd(func() { s.PageUp() })),
		Action("scroll.page-down", "pgdown space", "", "Page down", NoCmd(func() { s.PageDown() })),
		Action("scroll.top", "home", "", "To the top", NoCmd(func() { s.GotoTop() })),
		Action("scroll.end", "end", "", "To the end", NoCmd(func() { s.GotoBottom() })),
	}
}

// Wheel scrolls with the mouse.
func (s *Scroll) Wheel(m tea.MouseMsg) { s.SetYOffset(s.YOffset + 3*Wheel(m)) }

// FillPages calls [Scroll.Fill] with prose in the frame of w×h that [Scroll.Pages] draws.
func (s *Scroll) FillPages(sh *Shell, key any, w, h int, write func(*Writer)) (fresh bool) {
	inner, rows := draw.Inner(w, h)
	p := pagesIn(inner, rows-1)
	return s.Fill(key, p.w, p.across*p.h, func() []string { return sh.Prose(p.w, 112, write) })
}

// Pages draws the text in a frame, with its keys, whether more is being computed, and how far it
// is scrolled below.
func (s *Scroll) Pages(sh *Shell, f draw.Frame, w, h int, busy bool, keys ...Binding) []string {
	p := sh.Pen
	inner, rows := draw.Inner(w, h)
	at := ""
	if s.Longer() {
		at = fmt.Sprintf("%d %%", int(math.Round(100*s.ScrollPercent())))
	} else { // there is nothing to scroll to
		keys = slices.DeleteFunc(slices.Clone(keys), func(b Binding) bool { return b.Help().Desc == "scroll" })
	}
	foot := sh.BusyFoot(inner, busy, keys...).FillTo(inner-draw.Width(at)).Put(p.Muted, at)
	return p.Frame(f, pagesIn(inner, rows-1).set(s.Lines(), inner, !s.Longer()), w, h, foot.String())
}

// Reader is a pane of text that scrolls.
type Reader struct {
	Base
	Text Scroll
}

func (r *Reader) HandleMouse(_, _ int, m tea.MouseMsg) tea.Cmd { r.Text.Wheel(m); return nil }

// pages is the layout of prose in a box: one page or, if the box is wide, two side by side, read
// down and then across. Longer lines would be hard to follow.
type pages struct{ across, w, h int }

// columnLeast is the width from which on a column of prose reads well; columnGap
// parts two of them.
const columnLeast, columnGap = 84, 4

func pagesIn(w, h int) pages {
	if h = max(0, h); w >= 2*columnLeast+columnGap {
		return pages{2, (w - columnGap) / 2, h}
	}
	return pages{1, w, h}
}

// set puts the lines on the pages; w is the width of all of them. Where the first page
// cannot hold all that there is but both can, they are parted at a gap about half way.
func (p pages) set(lines []string, w int, all bool) []string {
	if p.across == 1 {
		return lines
	}
	left, right := lines[:min(p.h, len(lines))], lines[min(p.h, len(lines)):]
	blank := func(l string) bool { return strings.TrimSpace(ansi.Strip(l)) == "" }
	n := len(lines)
	for n > 0 && blank(lines[n-1]) {
		n--
	}
	if at := slices.IndexFunc(lines[n/2:n], blank); all && n > p.h && at >= 0 && n/2+at <= p.h {
		left, right = lines[:n/2+at], lines[n/2+at+1:n]
	}
	return JoinColumns(draw.Box(left, w-p.w, p.h), draw.Box(right, p.w, p.h))
}
