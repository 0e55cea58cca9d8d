package sheet

import (
	"fmt"
	"strconv"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/report"
)

// Margins shows what each entry adds to the whole.
func Margins(s *scenarios.Scenario, m *plan.Margins) *Sheet {
	type row = plan.Margin
	entry := func(r row) scenarios.Entry { return s.Stack[r.Entry-1] }
	columns := []Column[row]{
		{Head: "#", Align: Right, Show: func(r row) string { return strconv.Itoa(r.Entry) }, Key: "entry", Value: func(r row) any { return r.Entry }},
		{Head: "entry", Show: func(r row) string { return report.EntryName(entry(r)) }},
		number("alone", "alone", Decimal, report.Upper, func(r row) float64 { return r.Alone }),
		{Head: "dropping saves", Align: Decimal, Show: func(r row) string {
			if entry(r).Disabled {
				return "off"
			}
			return report.Figure(r.Saves)
		}, Key: "saves", Value: func(r row) any { return r.Saves }},
		number("one more adds", "one_more", Decimal, report.Upper, func(r row) float64 { return r.OneMore }),
	}
	sheet := Of(fmt.Sprintf("what each entry costs: ε = %s by %s", report.Upper(m.Epsilon), m.Method), columns, m.Entries)
	sheet.Lines = []string{fmt.Sprintf("one more round would add %s", report.Upper(m.Round))}
	if m.Blur > 0 {
		sheet.Lines = append(sheet.Lines, fmt.Sprintf("figures are certain to about %s, the width of the interval", report.Upper(m.Blur)))
	}
	sheet.Data = Record{{"method", m.Method}, {"epsilon", Number(m.Epsilon)}, {"one_more_round", Number(m.Round)}, {"blur", Number(m.Blur)},
		{"entries", RecordsOf(columns, m.Entries)}}
	return sheet
}
