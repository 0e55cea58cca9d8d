package sheet

import (
	"fmt"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/review"
)

// Result returns an evaluated scenario: the answer first, then every bound side by side, then
// the stack, the points of its review that are not settled, and the notes on its entries. As JSON it is
// what scripts rely on: numbers are full float64; what has no number is null, never NaN or infinity,
// which JSON lacks. As CSV it has one row per bound. Both have no points: those are in [Review].
func Result(r *scenarios.Result, open []review.Point) *Sheet {
	s := NewSheet(report.Heading(r), columnsOf(r), boundRows(r, key))
	s.Lines, s.sentence = report.Lines(report.Text, report.Answer(r), report.Verdict(r)), true
	stack := &Sheet{caption: "the entries and the share of the cost that each has"}
	if len(r.Entries) > 0 {
		stack.Grid = GridOf(stackColumns, r.Entries)
	}
	for _, reason := range r.Reasons {
		stack.AddText(report.Plain(reason))
	}
	stack.Notes = report.Lines(report.Text, report.PointSummaries(open)...)
	for _, n := range r.Notes {
		stack.Notes = append(stack.Notes, report.Lines(report.Text, n.Subject()+": "+report.Plain(n.Text))...)
	}
	s.More, s.Data = []*Sheet{stack}, resultRecord(r)
	if foot := filterLine(r); foot != "" {
		s.More = append(s.More, &Sheet{Page: func(p *Page) {
			if !p.Markdown {
				p.Raw(foot)
			}
		}})
	}
	s.Grid.strong, s.comments = report.BestRow(r)+1, []string{}
	for _, b := range r.Bounds {
		if b.Note != "" {
			s.comments = append(s.comments, string(b.Method)+": "+report.Plain(b.Note))
		}
	}
	return s
}

// stackColumns are the entries and what share of the cost each has.
var stackColumns = []Column[scenarios.EntryResult]{
	{Head: "#", Align: Right, Show: func(e scenarios.EntryResult) string { return fmt.Sprint(e.Index) },
		Key: "index", Value: func(e scenarios.EntryResult) any { return e.Index }},
	Words("mechanism", "mechanism", func(e scenarios.EntryResult) string { return e.Mechanism }),
	{Head: "label", Show: func(e scenarios.EntryResult) string { return report.Plain(e.Label) }},
	Number("count", "count", Right, report.Short, func(e scenarios.EntryResult) float64 { return e.Count }),
	{Key: "sensitivity", Programs: OnlyJSON, Value: func(e scenarios.EntryResult) any {
		return ifSensitive(e, e.Sensitivity.Value)
	}},
	{Key: "norm", Programs: OnlyJSON, Value: func(e scenarios.EntryResult) any { return ifSensitive(e, string(e.Sensitivity.Norm)) }},
	{Key: "sensitivity_from", Programs: OnlyJSON, Value: func(e scenarios.EntryResult) any {
		return ifSensitive(e, string(e.Sensitivity.Source))
	}},
	{Head: "share", Align: Right, Show: shareCell, Key: "share", Value: func(e scenarios.EntryResult) any { return e.Share }},
}

// ifSensitive returns the value, or null for an entry that has no sensitivity.
func ifSensitive(e scenarios.EntryResult, value any) any {
	if e.Sensitivity.Norm == "" {
		return nil
	}
	return value
}

func shareCell(e scenarios.EntryResult) string {
	if e.Disabled {
		return "off"
	}
	return report.Percent(e.Share)
}

// filterLine states whether the bound to quote is valid under fully adaptive composition; "" for
// a single release.
func filterLine(r *scenarios.Result) string {
	releases := 0.0
	for _, e := range r.Entries {
		if !e.Disabled {
			releases += e.Count * r.Rounds
		}
	}
	if r.Best < 0 || releases <= 1 {
		return ""
	}
	best := r.BestBound().Method
	t, ok := accounting.TheoremOf(best)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s: %s", report.TheoremPhrase(best), report.LowerFirst(t.Adaptive.String()))
}

func resultRecord(r *scenarios.Result) Record {
	var budget, best any // null: none is given, no bound is valid or may be quoted
	if r.Target.Epsilon > 0 {
		budget = r.Target.Epsilon
	}
	if b := r.BestBound(); b.Finite() && !r.CostsAreAdaptive() {
		best = Record{{"method", b.Method}, {"epsilon", b.Epsilon}}
	}
	target := Record{{"epsilon", budget}, {"delta", r.Target.Delta}}
	if r.Harm != nil {
		target = append(target, harmRecord(r.Harm.Limit)...)
	}
	return Record{
		{"scenario", Record{{"name", r.Name}, {"adjacency", r.Adjacency}, {"rounds", r.Rounds}, {"entries", len(r.Entries)}}},
		{"target", target},
		{"bounds", RecordsOf(boundColumns, boundRows(r, key))},
		{"best", best},
		{"entries", RecordsOf(stackColumns, r.Entries)},
	}
}

// Tables returns the two tables of a comparison, for a page with its own layout: every bound with the
// theorem's usual name, and the stack.
func Tables(r *scenarios.Result) (bounds, stack Grid) {
	return GridOf(columnsOf(r), boundRows(r, accounting.Method.Name)), GridOf(stackColumns, r.Entries)
}
