package sheet

import (
	"cmp"
	"fmt"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
)

type versusRow = scenarios.VersusRow

var versusColumns = []Column[versusRow]{
	words("bound", "method", func(r versusRow) string { return string(r.Method) }),
	{Head: "ε of a", Align: Decimal, Show: func(r versusRow) string { return versusCell(r.A) },
		Key: "epsilon_a", In: OnlyCSV, Value: func(r versusRow) any { return finiteEpsilon(r.A) }},
	{Head: "ε of b", Align: Decimal, Show: func(r versusRow) string { return versusCell(r.B) },
		Key: "epsilon_b", In: OnlyCSV, Value: func(r versusRow) any { return finiteEpsilon(r.B) }},
	{Key: "a", In: OnlyJSON, Value: func(r versusRow) any { return BoundRecord(r.A) }},
	{Key: "b", In: OnlyJSON, Value: func(r versusRow) any { return BoundRecord(r.B) }},
	{Head: "difference", Align: Decimal, Show: func(r versusRow) string { d := r.Difference(); return mark(d > 0, "+") + report.Upper(d) },
		Key: "difference", Value: func(r versusRow) any { return r.Difference() }},
}

// versusCell marks what is no bound: there is no column that would.
func versusCell(b accounting.Bound) string {
	return mark(b.Status == accounting.Unproven, "≈") + epsilonCell(b)
}

type change = scenarios.Change

var changeColumns = []Column[change]{
	{Key: "kind", Value: func(c change) any { return string(c.Kind) }},
	{Head: "entry", Align: Right, Show: func(c change) string { return c.Entry }, Key: "entry", Value: func(c change) any { return c.Entry }},
	{Head: "what", Show: func(c change) string { return report.Plain(c.What) }, Key: "what", Value: func(c change) any { return c.What }},
	{Head: "field", Show: func(c change) string { return cmp.Or(c.Field, string(c.Kind)) }, Key: "field", Value: func(c change) any { return c.Field }},
	{Head: "a", Show: func(c change) string { return report.Plain(c.From) }, Key: "from", Value: func(c change) any { return c.From }},
	{Head: "b", Show: func(c change) string { return report.Plain(c.To) }, Key: "to", Value: func(c change) any { return c.To }},
}

// Versus sets two scenarios side by side: first what the change costs, then
// what changed.
func Versus(v *scenarios.Versus) *Sheet {
	s := NewSheet(fmt.Sprintf("%s  →  %s", report.Title(v.A), report.Title(v.B)), versusColumns, v.Rows)
	s.Lines = []string{"a: " + report.Answer(v.A), "b: " + report.Answer(v.B)}
	for _, l := range report.VersusLines(v) {
		if l.Role == report.Warning {
			s.Notes = append(s.Notes, l.Text)
		} else {
			s.Lines = append(s.Lines, l.Text)
		}
	}
	s.Data = Record{{"a", v.A.Name}, {"b", v.B.Name}, {"changes", RecordsOf(changeColumns, v.Changes)},
		{"bounds", RecordsOf(versusColumns, v.Rows)}, {"harm", Records(v.Harm, func(h scenarios.VersusHarm) Record {
			return Record{{"kind", report.HarmName(h.Limit)}, {"a", h.A.Upper}, {"a_lower", h.A.Lower}, {"b", h.B.Upper}, {"b_lower", h.B.Lower}}
		})}, {"notes", v.Notes}}
	changed := &Sheet{Title: "nothing changed"}
	if len(v.Changes) > 0 {
		changed = NewSheet("what changed", changeColumns, v.Changes)
	}
	s.more = []*Sheet{changed}
	return s
}
