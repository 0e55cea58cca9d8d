package sheet

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/report"
)

// Splits shows a budget divided anew: every entry before and after.
func Splits(before *scenarios.Scenario, r plan.RebalanceResult, locked []int) *Sheet {
	s := &Sheet{Title: "the budget divided anew", Lines: []string{"proportions: " + r.Rule}}
	type row struct {
		entry    int
		was, now scenarios.Entry
		errorAt  float64
		locked   bool
	}
	columns := []column[row]{
		{head: "#", align: Right, show: func(r row) string { return strconv.Itoa(r.entry) }, key: "entry", value: func(r row) any { return r.entry }},
		{head: "before", show: func(r row) string { return report.Plain(report.ShortEntry(r.was)) }, key: "before", in: onlyCSV, value: func(r row) any { return report.Plain(report.ShortEntry(r.was)) }},
		{key: "before", in: onlyJSON, value: func(r row) any { return r.was.Describe() }},
		{head: "after", show: func(r row) string { return report.Plain(report.ShortEntry(r.now)) }, key: "after", in: onlyCSV, value: func(r row) any { return report.Plain(r.now.Describe()) }},
		{key: "after", in: onlyJSON, value: func(r row) any { return r.now.Describe() }},
		{head: "95 % error", align: Decimal, show: func(r row) string { return dash(r.errorAt, report.Upper) }, key: "error", value: func(r row) any { return r.errorAt }},
		{show: func(r row) string { return mark(r.locked, "locked") }, key: "locked", value: func(r row) any { return r.locked }},
	}
	data := append(planRecord(r.Result), [2]any{"rule", r.Rule})
	if !r.Feasible {
		s.Lines = append(s.Lines, "not feasible: "+report.Plain(r.Note))
		s.data, s.exact = append(data, [2]any{"entries", nil}), csvOf(columns, nil)
		return s
	}
	s.Lines = append(s.Lines, fmt.Sprintf("ε = %s at δ = %s by %s", report.Upper(r.Achieved.Epsilon), report.Short(r.Achieved.Delta), r.Method))
	var rows []row
	for i, e := range r.Scenario.Stack {
		errorAt := math.NaN()
		if a, err := e.Accuracy(r.Scenario.Rounds); err == nil {
			errorAt = a.Each
		}
		rows = append(rows, row{i + 1, before.Stack[i], e, errorAt, slices.Contains(locked, i+1)})
	}
	s.grid, s.exact, s.data = gridOf(columns, rows), csvOf(columns, rows), append(data, [2]any{"entries", recordsOf(columns, rows)})
	return s
}
