package ledgerview

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/accounting/adaptive"
	"epsiloscope/accounting/numeral"
	"epsiloscope/ledger"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// columns holds the bounds of every theorem for one record's stack.
type columns struct {
	stack  []string
	result *scenarios.Result
	err    error
}

// openRecord shows the selected record, and has its stack evaluated.
func (s *Screen) openRecord() tea.Cmd {
	at, ok := s.selectedRecord()
	if s.page != list || !ok {
		return nil
	}
	s.turn(record)
	s.opened = at
	r, open, promise, account := s.snapshot.records[at], s.snapshot.open, s.snapshot.promise, s.Accountant
	if r.Stack == nil {
		return nil
	}
	return s.columns.Ask(s.Jobs, 0, r.Hash, func(ctx context.Context, tell func(columns, error)) {
		var c columns
		var what *scenarios.Scenario
		if what, c.err = r.Scenario(open.Adjacency, open.Unit); c.err == nil {
			for i := range what.Stack {
				c.stack = append(c.stack, what.Stack[i].Describe())
			}
			if what.Rounds > 1 {
				c.stack = append(c.stack, fmt.Sprintf("all of it %g times", what.Rounds))
			}
			what.Budget.Delta, c.err = strconv.ParseFloat(promise.Delta, 64)
		}
		if c.err == nil {
			c.result, c.err = account.Evaluate(ctx, what, scenarios.Options{})
		}
		tell(c, nil)
	})
}

func (s *Screen) writeRecord(out *kit.Writer) {
	p, v := s.Pen, s.snapshot
	if s.opened >= len(v.records) {
		return
	}
	r := v.records[s.opened]
	said, state, ink := s.words(s.opened)
	out.Add(p.Line(out.W).Put(p.Strong, fmt.Sprintf("Line %d", r.Seq+1)).Skip(2).Put(ink, state).Skip(2).Put(p.Muted, r.ID))
	row := func(name, value string) {
		if value != "" {
			out.Hang(12, p.Text, value, func(l *draw.Line) { l.Left(p.Muted, name, 12) })
		}
	}
	row("when", r.At)
	row("who", r.By)
	row("why", said)
	row("blocks", strings.Join(r.Blocks, ", "))
	if r.Cost != nil {
		of := " of "
		if plainSymbol(v.about) == "releases" {
			of = " of the plan's "
		}
		row("cost", adaptive.Decimal(v.filter.Spent(r.Cost.Cost), v.about.Unit)+of+plainSymbol(v.about))
		row("left then", leftAfter(v, r))
	}
	if r.Reason != said {
		row("reason", r.Reason)
	}
	if after, ok := s.settlingRecord(r); ok {
		row(string(after.Kind), words(after.At, after.Artifact, after.Reason))
	} else if v.states[s.opened] == ledger.Held {
		path := numeral.Argument(v.path)
		row("once made", "epsiloscope ledger commit "+path+" "+r.ID)
		row("data unread", "epsiloscope ledger cancel "+path+" "+r.ID+" --reason TEXT; until then it counts as spent")
	}
	row("hash", r.Hash)
	s.writeColumns(out, r)
}

// settlingRecord returns the record that committed or cancelled a request.
func (s *Screen) settlingRecord(r ledger.Record) (ledger.Record, bool) {
	for _, later := range s.snapshot.records[r.Seq+1:] {
		if r.ID != "" && later.ID == r.ID {
			return later, true
		}
	}
	return r, false
}

// writeColumns sets out the stack and what every theorem says of it, alone and as a plan.
func (s *Screen) writeColumns(out *kit.Writer, r ledger.Record) {
	p := s.Pen
	if r.Stack == nil {
		return
	}
	var c columns
	if s.columns.Of == r.Hash {
		c = s.columns.Answer
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
		out.Prose(p.Muted, "computing …")
		return
	}
	out.Prose(p.Title, "This record alone, as a scenario, at δ "+s.snapshot.promise.Delta+"; and whether the bound is valid under fully adaptive composition")
	for i, b := range c.result.Bounds {
		ink := p.Strong
		if i == c.result.Best {
			ink = p.Winner
		}
		const name, value = 16, 11
		named := func(l *draw.Line) *draw.Line { return l.Left(p.Text, kit.MethodName(b), name) }
		if !b.Finite() {
			out.Hang(name+5, p.Muted, b.Note, func(l *draw.Line) { named(l).Left(p.Muted, "n/a", 5) })
			continue
		}
		sign := "ε "
		if b.Status == accounting.Unproven { // a central limit, no bound
			sign, ink = "ε≈", p.Warn
		}
		says := ""
		// It goes without the remedy if that takes another line, never without the condition.
		if t, ok := accounting.TheoremOf(b.Method); ok {
			clause := t.Adaptive.Clause()
			says = kit.Widest(out.W-name-value, p.Spell(clause+". "+t.Adaptive.Remedy), clause)
		}
		out.Hang(name+value, p.Muted, says, func(l *draw.Line) {
			named(l).Left(ink, sign+report.Upper(b.Epsilon), value)
		})
	}
	out.Gap()
	out.Prose(p.Muted, "These price one release. The filter bounds all of them together: costs may depend on earlier answers.")
}
