package sheet

import (
	"cmp"
	"fmt"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

type versusRow = scenarios.VersusRow

// versusColumns set every bound on two scenarios side by side; name writes the theorem, and the heads stand over the
// two ε.
func versusColumns(name func(accounting.Method) string, a, b string) []Column[versusRow] {
	return []Column[versusRow]{
		{Head: "bound", Show: func(r versusRow) string { return name(r.Method) }, Key: "method", Value: func(r versusRow) any { return string(r.Method) }},
		{Head: a, Align: Decimal, Show: func(r versusRow) string { return versusCell(r.A) }, Role: func(r versusRow) report.Role { return versusRole(r.A, report.Text) },
			Key: "epsilon_a", Programs: OnlyCSV, Value: func(r versusRow) any { return finiteEpsilon(r.A) }},
		{Head: b, Align: Decimal, Show: func(r versusRow) string { return versusCell(r.B) }, Role: func(r versusRow) report.Role { return versusRole(r.B, report.Result) },
			Key: "epsilon_b", Programs: OnlyCSV, Value: func(r versusRow) any { return finiteEpsilon(r.B) }},
		{Key: "a", Programs: OnlyJSON, Value: func(r versusRow) any { return BoundRecord(r.A) }},
		{Key: "b", Programs: OnlyJSON, Value: func(r versusRow) any { return BoundRecord(r.B) }},
		{Head: "difference", Align: Decimal, Show: func(r versusRow) string { return report.WithSign(r.Difference()) },
			Role: differenceRole, Key: "difference", Value: func(r versusRow) any { return r.Difference() }},
	}
}

// versusCell returns an ε, with ≈ before an approximation: the table has no column for the status.
func versusCell(b accounting.Bound) string {
	return mark(b.Status == accounting.Unproven, "≈") + epsilonCell(b)
}

// versusRole returns the role of a cell; that of a note if the value is not a bound.
func versusRole(b accounting.Bound, role report.Role) report.Role {
	if !b.Finite() || b.Status == accounting.Unproven {
		return report.Note
	}
	return role
}

func differenceRole(r versusRow) report.Role {
	d := r.Difference()
	switch {
	case d > 0:
		return report.Worse
	case d < 0:
		return report.Better
	}
	return report.Note
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

// Versus sets two scenarios side by side: first what the change costs, then what changed.
func Versus(v *scenarios.Versus) *Sheet {
	columns := versusColumns(key, "ε of a", "ε of b")
	s := NewSheet(fmt.Sprintf("%s  →  %s", report.Title(v.A), report.Title(v.B)), columns, v.Rows)
	s.AddText("a: "+report.Answer(v.A), "b: "+report.Answer(v.B))
	for _, l := range report.VersusLines(v) {
		if l.Role == report.Warning {
			s.Notes = append(s.Notes, l)
		} else {
			s.Lines = append(s.Lines, l)
		}
	}
	s.Data = Record{{"a", v.A.Name}, {"b", v.B.Name}, {"changes", RecordsOf(changeColumns, v.Changes)},
		{"bounds", RecordsOf(columns, v.Rows)}, {"harm", Records(v.Harm, func(h scenarios.VersusHarm) Record {
			return Record{{"kind", report.HarmName(h.Limit)}, {"a", h.A.Upper}, {"a_lower", h.A.Lower},
				{"b", h.B.Upper}, {"b_lower", h.B.Lower}}
		})}, {"notes", v.Notes}}
	s.More = []*Sheet{changesSheet(v.Changes)}
	return s
}

// VersusGrid returns every bound on the two scenarios, under the names that people know.
func VersusGrid(v *scenarios.Versus, before, now string) Grid {
	return GridOf(versusColumns(accounting.Method.Name, before, now), v.Rows)
}

// changesSheet lists what changed: in text by entry, elsewhere as a table.
func changesSheet(changes []scenarios.Change) *Sheet {
	if len(changes) == 0 {
		return &Sheet{Title: "nothing changed"}
	}
	s := NewSheet("what changed", changeColumns, changes)
	s.Page = func(p *Page) {
		p.Title(2, s.Title)
		p.Gap()
		if p.Markdown {
			p.Grid(s.Grid)
		} else {
			p.Lines(report.ChangeLines(changes))
		}
	}
	return s
}
