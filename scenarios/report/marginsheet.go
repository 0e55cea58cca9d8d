package report

import (
	"fmt"
	"strconv"

	"epsiloscope/scenarios"
)

// MarginSheet shows what each entry adds to the whole.
func MarginSheet(s *scenarios.Scenario, m *scenarios.Margins) *Sheet {
	sheet := &Sheet{
		Title: fmt.Sprintf("what each entry costs: ε = %s by %s", Upper(m.Epsilon), m.Method),
		Lines: []string{fmt.Sprintf("one more round would add %s", Upper(m.Round))},
	}
	if m.Blur > 0 {
		sheet.Lines = append(sheet.Lines, fmt.Sprintf("figures are certain to about %s, the width of the interval", Upper(m.Blur)))
	}
	type jsonMargin struct {
		Entry   int      `json:"entry"`
		Alone   *float64 `json:"alone"`
		Saves   *float64 `json:"saves"`
		OneMore *float64 `json:"one_more"`
	}
	data := struct {
		Method  string       `json:"method"`
		Epsilon *float64     `json:"epsilon"`
		Round   *float64     `json:"one_more_round"`
		Blur    *float64     `json:"blur"`
		Entries []jsonMargin `json:"entries"`
	}{string(m.Method), number(m.Epsilon), number(m.Round), number(m.Blur), []jsonMargin{}}
	sheet.grid = grid{align: []align{right, left, decimal, decimal, decimal}}
	sheet.grid.add("#", "entry", "alone", "dropping saves", "one more adds")
	sheet.exact = [][]string{{"entry", "alone", "saves", "one_more"}}
	for _, e := range m.Entries {
		saves := Figure(e.Saves)
		if s.Stack[e.Entry-1].Disabled {
			saves = "off"
		}
		sheet.grid.add(strconv.Itoa(e.Entry), EntryName(s.Stack[e.Entry-1]), Upper(e.Alone), saves, Upper(e.OneMore))
		sheet.exact = append(sheet.exact, []string{strconv.Itoa(e.Entry), cell(e.Alone), cell(e.Saves), cell(e.OneMore)})
		data.Entries = append(data.Entries, jsonMargin{e.Entry, number(e.Alone), number(e.Saves), number(e.OneMore)})
	}
	sheet.data = data
	return sheet
}
