package ledgerview

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/ledger"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// pageBox returns a page of text instead of chart and records.
func (s *Screen) pageBox(w, h int) []string {
	at := map[page]struct {
		title string
		write func(*kit.Writer)
	}{
		record: {"One record", s.writeRecord}, asking: {"Would it be granted?", s.writeAnswer},
		why: {"Why it is a filter", s.writeWhy}, blocks: {"Blocks and analysts", s.writeBlocks},
		quoting: {"What may be quoted of the ledger", s.writeStatement}, opening: {"A new ledger", s.writeOffer},
	}[s.page]
	serial := s.columns.Serial + s.asked.Serial + s.quoted.Serial + s.offer.Serial
	look := s.Look([4]any{s.page, s.failure != nil, s.entry, s.single}, s.snapshot, s.opened, serial)
	s.text.FillPages(s.Shell, look, w, h, at.write)
	keys := []kit.Binding{kit.Hint("↑↓", "scroll"), kit.Hint("esc", "records")}
	switch s.page {
	case quoting:
		keys = append([]kit.Binding{kit.Hint("c", "copy")}, keys...)
	case opening:
		keys = append(s.offerKeys(), keys...)
	case asking:
		what := s.snapshot.promise.Blocks
		switch { // as s.name asks
		case what == "":
			what = "who asks"
		case len(s.snapshot.promise.Quotas) > 0:
			what += ", who asks"
		}
		other := map[bool]string{true: "the whole scenario", false: "one release"}[s.single]
		keys = append([]kit.Binding{kit.Hint("1", other), kit.Hint("e", what)}, keys...)
		if s.severalEntries() {
			keys = append([]kit.Binding{kit.Hint("←→", "entry")}, keys...)
		}
	}
	return s.text.Pages(s.Shell, draw.Frame{Title: at.title, Focus: true}, w, h, false, keys...)
}

// verify replays every price and every decision.
func (s *Screen) verify() tea.Cmd {
	if s.snapshot == nil {
		return nil
	}
	path, b := s.path, s.file
	s.Say("replaying every price and every decision")
	return s.Jobs.Start(&s.proofJob, 0, func(ctx context.Context, tell func(func())) {
		l, err := ledger.Verify(ctx, path, "")
		tell(func() {
			if err != nil && s.file == b {
				b.refuted, s.failure = err, err
				s.Complain(err)
			} else if err != nil {
				s.Complain(err)
			} else if s.file == b && s.snapshot.head != l.Head() {
				s.Say("the file has changed meanwhile: v replays it again")
			} else if s.file == b {
				if b.refuted != nil {
					b.refuted, s.failure = nil, nil
				}
				s.Say("every price and every decision holds; head " + l.Head()[:16])
			}
		})
	})
}

// writeWhy says why the rule is a filter.
func (s *Screen) writeWhy(out *kit.Writer) {
	p, v := s.Pen, s.snapshot
	out.Prose(p.Strong, "Why the "+v.about.Title+" is a filter")
	out.Prose(p.Text, "Costs may depend on earlier answers (fully adaptive composition). A filter fixes the total in advance and refuses the release that would break it: "+v.about.Rule+".")
	out.Gap()
	out.Prose(p.Text, "A release must have: "+v.about.Needs+".")
	out.Prose(p.Text, "The cost of a release is fixed before it runs, from earlier outputs only. A refusal then depends on declared costs alone, and reveals nothing about the data.")
	words := "Several releases may be in progress at once: the rule is proven for concurrent releases."
	if !v.about.Concurrent {
		words = "Only one release may be in progress at a time: the rule is not proven for concurrent releases."
	}
	out.Prose(p.Text, words)
	out.Prose(p.Muted, "Source: "+v.about.Source)
	out.Gap()
	if v.summary == nil || s.failure != nil {
		return
	}
	out.Prose(p.Strong, "Three values of ε, and which may be quoted")
	s.writeBalance(out, true)
	out.Gap()
	out.Prose(p.Text, "Composing the privacy loss distributions of the releases made so far is not a filter: with eight randomized responses and one release chosen by their outcome the true δ is 3.16 times the promised one.")
}

// writeBlocks lists what every block has.
func (s *Screen) writeBlocks(out *kit.Writer) {
	p, v := s.Pen, s.snapshot
	if v.promise.Blocks == "" {
		out.Prose(p.Text, "This ledger has no blocks: everything is charged to one budget.")
	} else if v.summary != nil {
		out.Prose(p.Text, "Every "+v.promise.Blocks+" has its own budget. A request is charged to each one it reads, and refused if one of them has too little left.")
		out.Gap()
		s.writeBalances(out, v.summary.blocks)
	}
	if v.summary != nil {
		out.Gap()
		s.writeFits(out, stillFits, 1<<30)
		out.Gap()
		s.writeAnalysts(out, len(out.Lines)+1+len(v.summary.analysts))
	}
}

func (s *Screen) writeBalances(out *kit.Writer, list []ledger.Balance) {
	p := s.Pen
	budget := s.snapshot.summary.status.Budget
	head := p.Line(out.W).Left(p.Muted, s.snapshot.promise.Blocks, 18)
	for _, name := range []string{"spent", "held", "left"} {
		head.Right(p.Muted, name, 11)
	}
	out.Add(head)
	for _, b := range list {
		_, spent, held, left := b.PrintedAmounts()
		l := p.Line(out.W).Left(p.Text, b.Block, 18)
		l.Right(p.Text, spent, 11).Right(p.Text, held, 11).Right(p.Strong, left, 11)
		if room := min(30, l.Room()-2); room > 5 {
			l.Skip(2).Bar(p.Accent, amount(b.Left, 0)/max(1, amount(budget, 0)), room)
		}
		out.Add(l)
	}
}
