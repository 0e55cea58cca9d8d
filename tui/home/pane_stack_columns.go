package home

import (
	"cmp"
	"slices"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// stackRow is a row of the stack in words.
type stackRow struct {
	document.Row
	title, label, params string
}

// columns are the widths of the stack's columns. Label and parameters share what
// the others leave: where every label fits beside the widest parameters, both have
// a column, else each row divides it on its own, the parameters flush right.
type columns struct {
	title, body, params, count, bar int
	flush                           bool
}

// stackColumns gives mechanism and count what the rows shown need, and label and
// parameters the rest. Where that is too little, the bars give way.
func stackColumns(inner int, rows []stackRow) columns {
	c := columns{count: 6, bar: barUsual, title: 9, params: 10}
	if inner < 70 {
		c.bar = 5
	}
	label, longest, count := 0, 0, 4 // longest of a label with its own parameters
	for _, r := range rows {
		own, params := draw.Width(draw.Clean(r.label)), draw.Width(r.params)
		c.title = max(c.title, min(draw.Width(draw.Clean(r.title)), titleMost))
		c.params, label, longest = max(c.params, params), max(label, own), max(longest, own+1+params)
		count = max(count, min(7, 2+draw.Width(report.FormatGiven(r.Entry.Count)))) // a gap, the sign, the number
	}
	c.count = max(c.count, count)
	rest := inner - 2 - c.title - 1 - c.count - 1 - c.bar - shareWidth // marker, gaps
	if longest > rest {
		rest += c.count - count + c.bar - barLeast
		c.count, c.bar = count, barLeast
	}
	if longest > rest { // the share is there in numbers: its bar does not cost a label
		rest, c.bar = rest+c.bar, 0
	}
	if least := 14; rest < least { // a long name of a mechanism is cut before a number
		c.title = max(8, c.title-(least-rest))
		rest = inner - 2 - c.title - 1 - c.count - 1 - c.bar - shareWidth
	}
	c.body, c.params = max(0, rest), min(c.params, max(0, rest))
	c.flush = label+1+c.params > c.body
	return c
}

func (c columns) head(p *draw.Pen, inner int) string {
	l := p.Line(inner).Skip(2).Left(p.Muted, "mechanism", c.title).Skip(1)
	if c.flush {
		l.Right(p.Muted, "parameters", c.body)
	} else {
		l.Skip(c.body-c.params).Left(p.Muted, "parameters", c.params)
	}
	share := c.bar + shareWidth
	return l.Right(p.Muted, "×K", c.count).Skip(1).Left(p.Muted, kit.Widest(share, "share", ""), share).String()
}

// writeLabel writes label and parameters; of the two the label is cut first.
func (c columns) writeLabel(l *draw.Line, p *draw.Pen, label, params string) *draw.Line {
	w := c.params
	if c.flush {
		w = min(draw.Width(params), max(c.body*2/3, c.body-1-draw.Width(draw.Clean(label))))
	}
	return l.Left(p.Muted, label, max(0, c.body-1-w)).Skip(1).Left(p.Text, draw.CutPairs(params, w), min(w, c.body))
}

// titleMost is the widest name of a mechanism in the stack.
const titleMost = 17

// stackTitle returns the mechanism of a row in few words and its label: what a long name says in
// brackets or in its last word is left out. Branches are drawn as a tree.
func stackTitle(row document.Row) (title, label string) {
	e := row.Entry
	title, label = e.Mechanism, e.Label
	if spec, ok := mechanisms.Lookup(e.Mechanism); ok {
		title = spec.Title
	}
	if row.Block() {
		title, label = "Parallel", cmp.Or(label, report.Short(float64(len(e.Parallel)))+" branches")
	}
	if d := row.Depth(); d > 0 {
		tree := "  "
		if row.First {
			tree = "∥ "
		}
		title = strings.Repeat("  ", min(d, 4)-1) + tree + title
	}
	if draw.Width(title) > titleMost {
		if head, _, ok := strings.Cut(title, " ("); ok {
			return head, label
		}
		if i := strings.LastIndexByte(title, ' '); i > 0 {
			title = title[:i]
		}
	}
	return title, label
}

// entryParams returns what an entry was given, symbol and value, the main one first.
// What stands at its default is left out: the row is short.
func entryParams(s *scenarios.Scenario, e *scenarios.Entry) string {
	spec, ok := mechanisms.SpecOf(e.Mechanism, e.Values)
	if !ok {
		return ""
	}
	var parts []string
	for _, p := range spec.Params {
		switch v, given := e.Values[p.Name]; p.Type {
		case param.Scores, param.Points:
			if given {
				parts = append(parts, "|O| "+report.Short(float64(len(v.Items))))
			}
		case param.Choice:
			if given && v.Text != p.Default.Text {
				parts = slices.Insert(parts, min(1, len(parts)), v.Text) // what comes later may not fit
			}
		case param.Number, param.Whole:
			if x, ok := document.NumberIn(s, e, p); ok && (x != p.Default.Number || p.Required || p.Optional) {
				parts = append(parts, document.PlainSymbol(p)+" "+report.Short(x))
			}
		}
	}
	if e.Sampling > 0 && e.Sampling < 1 {
		parts = append(parts, "q "+report.Short(e.Sampling))
	}
	return strings.Join(parts, " ")
}
