package ledger

import (
	"context"
	"fmt"
	"math"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios/ledger"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

type pageLook struct {
	kit.Look
	page           page
	serial, turned int
}

// pageBox is a page of text in the place of chart and records.
func (s *Screen) pageBox(w, h int) []string {
	p := s.Pen
	inner, room := draw.Inner(w, h)
	pages := kit.PagesIn(inner, room-1)
	s.view.Width, s.view.Height = pages.W, pages.Lines()
	fresh := false
	lines := s.text.Get(pageLook{s.Look(true), s.page, s.serial, s.turned}, func() []string {
		fresh = true
		out := kit.NewWriter(p, min(pages.W, 112))
		map[page]func(*kit.Writer){record: s.writeRecord, asking: s.writeAnswer, why: s.writeWhy, blocks: s.writeBlocks}[s.page](out)
		return kit.Pad(out.Lines, pages.W)
	})
	if fresh {
		s.view.SetContent(strings.Join(lines, "\n"))
	}
	at := ""
	if s.view.TotalLineCount() > s.view.Height {
		at = fmt.Sprintf("%d %%", int(math.Round(100*s.view.ScrollPercent())))
	}
	body := text.Box(pages.Set(strings.Split(s.view.View(), "\n"), inner, at == ""), inner, max(0, room-1))
	var keys []kit.Binding
	if s.page == asking {
		keys = []kit.Binding{kit.Hint("e", "blocks, who asks"), kit.Hint("+ -", "tune the knob")}
	}
	l := p.Line(inner).Raw(s.Hints(inner, append(keys, kit.Hint("↑↓", "scroll"), kit.Hint("esc", "records"))...))
	body = append(body, l.To(inner-text.Width(at)).Put(p.Muted, at).String())
	title := map[page]string{
		record: "One record", asking: "Would it be granted?", why: "Why it is a filter", blocks: "Blocks and askers",
	}[s.page]
	return p.Frame(draw.Frame{Title: title, Focus: true}, body, w, h)
}

// verify replays prices and decisions, too.
func (s *Screen) verify() tea.Cmd {
	if s.sight == nil {
		return nil
	}
	path, b := s.path, s.book
	return s.Jobs.Start(&s.proofJob, 0, func(ctx context.Context, emit func(tea.Msg)) {
		l, err := ledger.Verify(ctx, path, "")
		if ctx.Err() != nil {
			return
		}
		emit(jobs.Found(func() {
			if err != nil {
				s.Complain(err)
			} else if s.book == b && s.sight.head == l.Head() {
				proven := *s.sight
				proven.proven = true
				s.sight = &proven
				s.Say("every price and every decision holds; head " + l.Head()[:12])
			}
		}))
	})
}
