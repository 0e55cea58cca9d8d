package ledgerview

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"epsiloscope/ledger"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// tableBox draws the table of records, newest first. Only the visible rows are formatted.
func (s *Screen) tableBox(w, h int) []string {
	p := s.Pen
	inner, room := draw.Inner(w, h)
	rows := max(0, room-2)
	s.top = kit.Window(s.top, s.at, len(s.found), rows)
	t := s.tableFor(inner)
	lines := []string{t.heading(s)}
	for k := s.top; k < min(len(s.found), s.top+rows); k++ {
		lines = append(lines, t.row(s, s.snapshot.rows[s.found[k]], k == s.at))
	}
	if len(s.found) == 0 && rows > 0 {
		lines = append(lines, p.Line(inner).Put(p.Muted, "nothing matches; esc clears the filter").String())
	}
	title := fmt.Sprintf("Records %s of %s, newest first", count(min(s.at+1, len(s.found))), count(len(s.found)))
	if len(s.found) < len(s.snapshot.rows) {
		title += fmt.Sprintf(" (%s in all)", count(len(s.snapshot.rows)))
	}
	return s.Pen.Frame(draw.Frame{Title: title, Focus: true}, lines, w, h, s.tableFoot(inner))
}

func (s *Screen) tableFoot(inner int) string {
	p := s.Pen
	switch {
	case s.typing:
		return kit.Field(p.Line(inner).Put(p.Key, "/ "), p, s.input, inner-2, true, false).String()
	case s.input.Value() != "":
		return p.Line(inner).Put(p.Key, "/ ").Put(p.Strong, s.input.Value()).Put(p.Muted, "   esc shows all again").String()
	}
	hints := slices.DeleteFunc(s.Keys().Bindings, func(b kit.Binding) bool {
		return b.Keys()[0] == "b" && s.snapshot.promise.Blocks == "" // there is nothing to list
	})
	return s.Foot(inner, append(hints, kit.Hint("esc", "back"))...)
}

// columnWidths of the table; the purpose has what is left over.
type columnWidths struct{ inner, when, who, why, cost, left, state int }

// leftWidth is the column of what a record left.
const leftWidth = 9

func (s *Screen) tableFor(inner int) columnWidths {
	t := columnWidths{inner: inner, when: 12, who: max(6, min(18, inner/7)), cost: 9, left: leftWidth, state: 9}
	if inner >= 110 {
		t.when = 19
	}
	t.why = max(4, inner-2-t.when-t.who-t.cost-t.left-t.state-5)
	return t
}

func (t columnWidths) heading(s *Screen) string {
	p, title := s.Pen, kit.Widest(t.cost, "cost "+plainSymbol(s.snapshot.about), "cost")
	l := p.Line(t.inner).Skip(2).Left(p.Muted, "when (UTC)", t.when).Skip(1).Left(p.Muted, "who", t.who).Skip(1)
	return l.Left(p.Muted, "why", t.why).Skip(1).
		Right(p.Muted, title, t.cost).Skip(1).Right(p.Muted, "left", t.left).Skip(1).Left(p.Muted, "state", t.state).String()
}

func (t columnWidths) row(s *Screen, i int, selected bool) string {
	p, v := s.Pen, s.snapshot
	r := v.records[i]
	l, ink := p.Row(t.inner, selected)
	when := r.Time().Format("2 Jan 15:04")
	if t.when > 12 {
		when = r.Time().Format("2006-01-02 15:04:05")
	}
	words, state, stateInk := s.words(i)
	if words == "" {
		words = p.Spell(v.describe(i))
	}
	if len(r.Blocks) > 0 {
		words = strings.Join(r.Blocks, ", ") + ": " + words
	}
	return l.Left(p.Muted, when, t.when).Skip(1).Left(ink, r.By, t.who).Skip(1).Left(ink, words, t.why).Skip(1).
		Right(p.Text, cost(v, r), t.cost).Skip(1).Right(p.Muted, leftAfter(v, r), t.left).Skip(1).
		Left(stateInk, state, t.state).String()
}

// words returns what a record says, and its state.
func (s *Screen) words(i int) (words, state string, ink draw.Ink) {
	p, r := s.Pen, s.snapshot.records[i]
	words = cmp.Or(r.Why, r.Reason)
	switch r.Kind {
	case ledger.KindReserve:
		state, ink = string(s.snapshot.states[i]), p.Text
		switch s.snapshot.states[i] {
		case ledger.Held:
			ink = p.Warn
		case ledger.Cancelled:
			ink = p.Muted
		}
		return words, state, ink
	case ledger.KindOpen:
		return "promise made", "opened", p.Muted
	case ledger.KindHome:
		return words, "moved", p.Muted
	case ledger.KindRefuse:
		return words, "refused", p.Over
	case ledger.KindBreach:
		return words, "breach", p.Over
	case ledger.KindTorn:
		return "a torn line, repaired", cmp.Or(string(s.snapshot.states[i]), "torn"), p.Warn
	}
	return words, string(r.Kind), p.Muted
}

// cost returns what a record took or asked for, rounded up.
func cost(v *snapshot, r ledger.Record) string {
	if r.Cost == nil {
		return ""
	}
	return upper(v.filter.Spent(r.Cost.Cost), v.about.Unit)
}

// leftAfter returns the amount that was left after a record, in the block with the least left, rounded down.
func leftAfter(v *snapshot, r ledger.Record) string {
	if r.After == nil {
		return ""
	}
	budget := v.filter.Budget()
	spent := v.filter.Spent(r.After.Cost)
	b := ledger.Balance{Filter: v.about, Budget: budget, Spent: spent, Left: new(big.Int).Sub(budget, spent)}
	_, _, _, left := b.PrintedAmounts()
	return kit.Widest(leftWidth-1, left, lower(b.Left, v.about.Unit))
}
