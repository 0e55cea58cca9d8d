package ledger

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios/ledger"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// pageBox is a page of text instead of chart and records.
func (s *Screen) pageBox(w, h int) []string {
	at := map[page]struct {
		title string
		write func(*kit.Writer)
	}{
		record: {"One record", s.writeRecord}, asking: {"Would it be granted?", s.writeAnswer},
		why: {"Why it is a filter", s.writeWhy}, blocks: {"Blocks and askers", s.writeBlocks},
	}[s.page]
	s.text.FillPages(s.Shell, s.Look(true, s.page, s.sight, s.opened, s.columns.Serial+s.asked.Serial), w, h, at.write)
	keys := []kit.Binding{kit.Hint("↑↓", "scroll"), kit.Hint("esc", "records")}
	if s.page == asking {
		keys = append([]kit.Binding{kit.Hint("e", "blocks, who asks"), kit.Hint("+ -", "tune the knob")}, keys...)
	}
	return s.text.Pages(s.Shell, draw.Frame{Title: at.title, Focus: true}, w, h, "", keys...)
}

// verify replays every price and every decision.
func (s *Screen) verify() tea.Cmd {
	if s.sight == nil {
		return nil
	}
	path, b := s.path, s.book
	return s.Jobs.Start(&s.proofJob, 0, func(ctx context.Context, tell func(func())) {
		l, err := ledger.Verify(ctx, path, "")
		tell(func() {
			if err != nil {
				s.Complain(err)
			} else if s.book == b && s.sight.head == l.Head() {
				proven := *s.sight
				proven.proven = true
				s.sight = &proven
				s.Say("every price and every decision holds; head " + l.Head()[:12])
			}
		})
	})
}
