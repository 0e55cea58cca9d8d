package report

import (
	"fmt"
	"strconv"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
)

// MarginSheet shows what each entry adds to the whole.
func MarginSheet(s *scenarios.Scenario, m *plan.Margins) *Sheet {
	sheet := &Sheet{
		Title: fmt.Sprintf("what each entry costs: ε = %s by %s", Upper(m.Epsilon), m.Method),
		Lines: []string{fmt.Sprintf("one more round would add %s", Upper(m.Round))},
	}
	if m.Blur > 0 {
		sheet.Lines = append(sheet.Lines, fmt.Sprintf("figures are certain to about %s, the width of the interval", Upper(m.Blur)))
	}
	type row = plan.Margin
	entry := func(r row) scenarios.Entry { return s.Stack[r.Entry-1] }
	columns := []column[row]{
		{head: "#", align: right, show: func(r row) string { return strconv.Itoa(r.Entry) }, key: "entry", value: func(r row) any { return r.Entry }},
		{head: "entry", show: func(r row) string { return EntryName(entry(r)) }},
		{head: "alone", align: decimal, show: func(r row) string { return Upper(r.Alone) }, key: "alone", value: func(r row) any { return r.Alone }},
		{head: "dropping saves", align: decimal, show: func(r row) string {
			if entry(r).Disabled {
				return "off"
			}
			return Figure(r.Saves)
		}, key: "saves", value: func(r row) any { return r.Saves }},
		{head: "one more adds", align: decimal, show: func(r row) string { return Upper(r.OneMore) }, key: "one_more", value: func(r row) any { return r.OneMore }},
	}
	sheet.grid, sheet.exact = gridOf(columns, m.Entries), csvOf(columns, m.Entries)
	sheet.data = record{{"method", m.Method}, {"epsilon", number(m.Epsilon)}, {"one_more_round", number(m.Round)}, {"blur", number(m.Blur)},
		{"entries", recordsOf(columns, m.Entries)}}
	return sheet
}
