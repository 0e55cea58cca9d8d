package sheet

import (
	"fmt"
	"math"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
)

type versusRow = scenarios.VersusRow

var versusColumns = []column[versusRow]{
	words("bound", "method", func(r versusRow) string { return string(r.Method) }),
	{head: "ε of a", align: Decimal, show: func(r versusRow) string { return epsilonCell(r.A) },
		key: "epsilon_a", in: onlyCSV, value: func(r versusRow) any { return finiteEpsilon(r.A) }},
	{head: "ε of b", align: Decimal, show: func(r versusRow) string { return epsilonCell(r.B) },
		key: "epsilon_b", in: onlyCSV, value: func(r versusRow) any { return finiteEpsilon(r.B) }},
	{key: "a", in: onlyJSON, value: func(r versusRow) any { return BoundRecord(r.A) }},
	{key: "b", in: onlyJSON, value: func(r versusRow) any { return BoundRecord(r.B) }},
	{head: "difference", align: Decimal, show: func(r versusRow) string { return differenceCell(r.Difference()) },
		key: "difference", value: func(r versusRow) any { return r.Difference() }},
}

type change = scenarios.Change

var changeColumns = []column[change]{
	{key: "kind", value: func(c change) any { return string(c.Kind) }},
	{head: "entry", align: Right, show: func(c change) string { return c.Entry }, key: "entry", value: func(c change) any { return c.Entry }},
	{head: "what", show: func(c change) string { return report.Plain(c.What) }, key: "what", value: func(c change) any { return c.What }},
	{head: "field", show: changeField, key: "field", value: func(c change) any { return c.Field }},
	{head: "a", show: func(c change) string { return report.Plain(c.From) }, key: "from", value: func(c change) any { return c.From }},
	{head: "b", show: func(c change) string { return report.Plain(c.To) }, key: "to", value: func(c change) any { return c.To }},
}

// Versus sets two scenarios side by side: first what the change costs, then
// what changed.
func Versus(v *scenarios.Versus) *Sheet {
	s := described(fmt.Sprintf("%s  →  %s", report.Title(v.A), report.Title(v.B)), versusColumns, v.Rows)
	s.Notes = v.Notes
	s.Lines = []string{"a: " + report.Answer(v.A), "b: " + report.Answer(v.B)}
	if v.A.Best >= 0 && v.B.Best >= 0 {
		s.Lines = append(s.Lines, "b "+report.Dearer(v.A.Bounds[v.A.Best].Epsilon, v.B.Bounds[v.B.Best].Epsilon)+" by the best of each")
	}
	s.data = Record{{"a", v.A.Name}, {"b", v.B.Name}, {"changes", recordsOf(changeColumns, v.Changes)},
		{"bounds", recordsOf(versusColumns, v.Rows)}, {"notes", append([]string{}, v.Notes...)}}
	changed := &Sheet{Title: "nothing changed"}
	if len(v.Changes) > 0 {
		changed = described("what changed", changeColumns, v.Changes)
	}
	s.more = []*Sheet{changed}
	return s
}

func changeField(c scenarios.Change) string {
	if c.Field == "" {
		return string(c.Kind)
	}
	return c.Field
}

func differenceCell(d float64) string {
	switch {
	case math.IsNaN(d):
		return "–"
	case d > 0:
		return "+" + report.Upper(d)
	}
	return report.Figure(d)
}
