package sheet

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
)

// Margins shows what each entry adds to the whole.
func Margins(s *scenarios.Scenario, m *plan.Margins) *Sheet {
	type row = plan.Margin
	entry := func(r row) scenarios.Entry { return s.Stack[r.Entry-1] }
	columns := []Column[row]{
		{Head: "#", Align: Right, Show: func(r row) string { return strconv.Itoa(r.Entry) }, Key: "entry", Value: func(r row) any { return r.Entry }},
		{Head: "entry", Show: func(r row) string { return report.EntryName(entry(r)) }},
		Number("alone", "alone", Decimal, report.Upper, func(r row) float64 { return r.Alone }),
		{Head: "dropping saves", Align: Decimal, Show: func(r row) string {
			if entry(r).Disabled {
				return "off"
			}
			return report.Lower(r.Saves)
		}, Key: "saves", Value: func(r row) any { return r.Saves }},
		Number("one more adds", "one_more", Decimal, report.Upper, func(r row) float64 { return r.OneMore }),
	}
	title := fmt.Sprintf("what each entry costs: ε = %s by %s", report.Upper(m.Epsilon), m.Method)
	if m.Harm.Kind() != "" {
		title = fmt.Sprintf("what each entry costs: %s at most %s by %s", report.HarmName(m.Harm), report.Upper(m.HarmWhole), m.Method)
	}
	sheet := NewSheet(title, columns, m.Entries)
	sheet.AddText(fmt.Sprintf("one more round would add %s", report.Upper(m.Round)))
	if m.Refusal != "" {
		sheet.AddText("∞ stands for runs that are refused: " + m.Refusal)
	}
	if m.Width > 0 {
		sheet.AddText(fmt.Sprintf("values are certain to about %s, the width of the interval", report.Upper(m.Width)))
	}
	data := Record{{"method", m.Method}, {"epsilon", m.Epsilon}}
	if kind := m.Harm.Kind(); kind != "" {
		data = append(data, [2]any{kind, m.HarmWhole})
	}
	sheet.Data = append(data, Record{{"one_more_round", m.Round}, {"blur", m.Width}, {"entries", RecordsOf(columns, m.Entries)}}...)
	return sheet
}

// Splits shows a budget divided anew: every entry before and after.
func Splits(before *scenarios.Scenario, r plan.RebalanceResult, locked []int) *Sheet {
	type row struct {
		entry    int
		was, now scenarios.Entry
		errorAt  float64
		locked   bool
	}
	columns := []Column[row]{
		{Head: "#", Align: Right, Show: func(r row) string { return strconv.Itoa(r.entry) }, Key: "entry", Value: func(r row) any { return r.entry }},
		{Head: "before", Show: func(r row) string { return report.Plain(report.ShortEntry(r.was)) }, Key: "before", Programs: OnlyCSV, Value: func(r row) any { return report.Plain(report.ShortEntry(r.was)) }},
		{Key: "before", Programs: OnlyJSON, Value: func(r row) any { return r.was.Describe() }},
		{Head: "after", Show: func(r row) string { return report.Plain(r.now.WithoutScores().Describe()) }, Key: "after", Programs: OnlyCSV, Value: func(r row) any { return report.Plain(r.now.Describe()) }},
		{Key: "after", Programs: OnlyJSON, Value: func(r row) any { return r.now.Describe() }},
		{Head: "95 % error", Align: Decimal, Show: func(r row) string { return report.Upper(r.errorAt) }, Key: "error", Value: func(r row) any { return r.errorAt }},
		{Show: func(r row) string { return mark(r.locked, "locked") }, Key: "locked", Value: func(r row) any { return r.locked }},
	}
	s := &Sheet{Title: "the budget divided anew", Lines: report.Lines(report.Text, "proportions: "+r.Rule)}
	data := append(recordOf(planColumns, r.Result), [2]any{"rule", r.Rule})
	if !r.Feasible {
		s.AddText("not feasible: " + report.Plain(r.Note))
		s.Data, s.exact = append(data, [2]any{"entries", nil}), csvOf(columns, nil)
		return s
	}
	if r.Harm.Kind() != "" {
		s.AddText(fmt.Sprintf("%s at most %s", report.HarmName(r.Harm), report.Upper(r.HarmAchieved)))
	}
	s.AddText(fmt.Sprintf("ε = %s at δ = %s by %s", report.Upper(r.Achieved.Epsilon), report.FormatGiven(r.Achieved.Delta), r.Method))
	s.AddText(report.Plain(r.Note))
	var rows []row
	for i, e := range r.Scenario.Stack {
		errorAt := math.NaN()
		if a, err := r.Scenario.WithSensitivity(&e).Accuracy(r.Scenario.Rounds); err == nil {
			errorAt = a.Each
		}
		rows = append(rows, row{i + 1, before.Stack[i], e, errorAt, slices.Contains(locked, i+1)})
	}
	s.Grid, s.exact, s.Data = GridOf(columns, rows), csvOf(columns, rows),
		append(data, [2]any{"entries", RecordsOf(columns, rows)})
	return s
}
