package ledger

import (
	"context"
	"fmt"
	"math"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/accounting/adaptive"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/ledger"
	"epsiloscope/scenarios/report"
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
	body := text.Box(pages.Set(strings.Split(s.view.View(), "\n"), inner), inner, max(0, room-1))
	l := p.Line(inner)
	if s.page == asking {
		l.Put(p.Key, "e").Put(p.Muted, " blocks, who asks  ").Put(p.Key, "+ -").Put(p.Muted, " tune the knob  ")
	}
	l.Put(p.Key, "↑↓").Put(p.Muted, " scroll  ").Put(p.Key, "esc").Put(p.Muted, " records")
	body = append(body, l.To(inner-text.Width(at)).Put(p.Muted, at).String())
	title := map[page]string{
		record: "One record", asking: "Would it be granted?", why: "Why it is a filter", blocks: "Blocks and askers",
	}[s.page]
	return p.Frame(draw.Frame{Title: title, Focus: true}, body, w, h)
}

// columns are what every theorem says of one record's stack.
type columns struct {
	at     int // the record, as an index
	stack  []string
	result *scenarios.Result
	err    error
}

// openRecord shows the selected record, and has its stack evaluated.
func (s *Screen) openRecord() tea.Cmd {
	at, ok := s.selected()
	if s.page != list || !ok {
		return nil
	}
	s.turn(record)
	s.columns = columns{at: at}
	r, open, promise, account := s.sight.records[at], s.sight.open, s.sight.promise, s.Accountant
	if r.Stack == nil {
		return nil
	}
	return s.Jobs.Start(&s.recordJob, 0, func(ctx context.Context, emit func(tea.Msg)) {
		c := columns{at: at}
		var what *scenarios.Scenario
		if what, c.err = r.Scenario(open.Adjacency, open.Unit); c.err == nil {
			for i := range what.Stack {
				c.stack = append(c.stack, what.Stack[i].Describe())
			}
			if what.Rounds > 1 {
				c.stack = append(c.stack, fmt.Sprintf("all of it %g times", what.Rounds))
			}
			what.Budget.Delta, c.err = number(promise.Delta)
		}
		if c.err == nil {
			c.result, c.err = account.Evaluate(ctx, what, scenarios.Options{})
		}
		if ctx.Err() == nil {
			emit(jobs.Found(func() { s.columns = c; s.turned++ }))
		}
	})
}

func number(decimal string) (x float64, err error) {
	_, err = fmt.Sscan(decimal, &x)
	return x, err
}

func (s *Screen) writeRecord(out *kit.Writer) {
	p, v := s.Pen, s.sight
	if s.columns.at >= len(v.records) {
		return
	}
	r := v.records[s.columns.at]
	said, state, ink := s.words(s.columns.at)
	out.Add(p.Line(out.W).Put(p.Strong, fmt.Sprintf("Line %d", r.Seq+1)).Skip(2).Put(ink, state).Skip(2).Put(p.Muted, r.ID))
	row := func(name, value string) {
		if value != "" {
			lines := text.Wrap(text.Clean(value), max(8, out.W-12))
			for i, l := range lines {
				out.Add(p.Line(out.W).Left(p.Muted, name, 12).Put(p.Text, l))
				if i == 0 {
					name = ""
				}
			}
		}
	}
	row("when", r.At)
	row("who", r.By)
	row("why", said)
	row("blocks", strings.Join(r.Blocks, ", "))
	if r.Cost != nil {
		row("cost", adaptive.Decimal(v.filter.Spent(r.Cost.Cost), v.about.Unit)+" of "+plainSymbol(v.about))
		row("left then", leftAfter(v, r))
	}
	if r.Reason != said {
		row("reason", r.Reason)
	}
	if after, ok := s.settled(r); ok {
		row(string(after.Kind), words(after.At, after.Artifact, after.Reason))
	}
	row("hash", r.Hash)
	s.writeColumns(out, r)
}

// settled is the record that committed or cancelled a request.
func (s *Screen) settled(r ledger.Record) (ledger.Record, bool) {
	for _, later := range s.sight.records[r.Seq+1:] {
		if r.ID != "" && later.ID == r.ID {
			return later, true
		}
	}
	return r, false
}

// writeColumns sets out the stack and what every theorem says of it, alone and as a plan.
func (s *Screen) writeColumns(out *kit.Writer, r ledger.Record) {
	p, c := s.Pen, s.columns
	if r.Stack == nil {
		return
	}
	out.Gap()
	out.Prose(p.Title, "Its stack")
	for _, l := range c.stack {
		out.Bullet(l)
	}
	out.Gap()
	switch {
	case c.err != nil:
		out.Prose(p.Warn, c.err.Error())
		return
	case c.result == nil:
		out.Prose(p.Muted, "being worked out …")
		return
	}
	out.Prose(p.Title, "This record alone, as a plan, at δ "+s.sight.promise.Delta+"; and whether the column holds where costs are chosen by looking")
	for i, b := range c.result.Bounds {
		ink := p.Strong
		if i == c.result.Best {
			ink = p.Winner
		}
		l := p.Line(out.W).Left(p.Text, kit.MethodName(b), 16)
		if !b.Finite() {
			out.Add(l.Put(p.Muted, "n/a  "+b.Note))
			continue
		}
		l.Left(ink, "ε "+report.Upper(b.Epsilon), 11)
		if t, ok := accounting.TheoremOf(b.Method); ok {
			l.Put(p.Muted, survives(t.Filter, l.Room()))
		}
		out.Add(l)
	}
	out.Gap()
	out.Prose(p.Muted, "These price one release. What all of them together cost is the filter's affair: costs may have been chosen by looking.")
}

// survives is the line of a theorem on costs chosen by looking, without what the heading
// says already, and no more than its first clause where room is short.
func survives(line string, room int) string {
	const looking = "here costs are chosen by looking"
	if rest, ok := strings.CutPrefix(line, "W"+looking+" "); ok {
		line = strings.ToUpper(rest[:1]) + rest[1:]
	}
	line = strings.Replace(line, " w"+looking, "", 1)
	clause := line
	if i := strings.IndexAny(line, ":;,."); i > 0 {
		clause = line[:i]
	}
	return kit.Widest(room, line, clause)
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
