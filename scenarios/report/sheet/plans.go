package sheet

import (
	"fmt"
	"math"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/lectures"
	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/report"
)

type jsonPlans struct {
	Solve       string        `json:"solve"`
	Entry       *int          `json:"entry"`
	Target      jsonTarget    `json:"target"`
	Plans       []jsonPlanRow `json:"plans"`
	Best        string        `json:"best"` // "" if nothing is feasible
	Corollaries []Record      `json:"corollaries,omitempty"`
}

type jsonPlanRow struct {
	jsonPlan
	Error *float64 `json:"error"` // at 95 %, of one answer
	Waste *float64 `json:"waste"` // of what the best allows
}

// Plans sets the answers of every method side by side, with the error users would
// see, and the lectures' closed forms below if there are any.
func Plans(s *scenarios.Scenario, target scenarios.Budget, all []plan.Result, table *lectures.CorollaryTable) *Sheet {
	sheet := &Sheet{Title: "nothing to solve"}
	if len(all) == 0 {
		return sheet
	}
	first := all[0]
	where := ""
	if first.Entry > 0 {
		where = fmt.Sprintf(" of entry %d", first.Entry)
	}
	sheet.Title = fmt.Sprintf("%s%s for ε = %s at δ = %s, by every theorem", first.Solve, where, report.Short(target.Epsilon), report.Short(target.Delta))
	best := plan.Best(all)
	sheet.grid = Grid{Align: []Align{Left, Left, Right, Decimal, Decimal, Right, Left}}
	sheet.grid.Add("", "bound", first.Solve, "ε", "95 % error", "waste", "")
	sheet.exact = [][]string{{"method", "feasible", "value", "epsilon", "delta", "error", "waste", "note"}}
	data := jsonPlans{Solve: first.Solve, Target: jsonTarget{Number(target.Epsilon), Number(target.Delta)}}
	if first.Entry > 0 {
		data.Entry = &first.Entry
	}
	for i, p := range all {
		star, errorAt, waste := "", math.NaN(), math.NaN()
		row := jsonPlanRow{jsonPlan: planJSON(p)}
		if p.Feasible {
			errorAt, waste = report.PlanError(s, p), p.Waste(all[best])
			row.Error, row.Waste = Number(errorAt), Number(waste)
		}
		if i == best {
			star, data.Best = "★", string(p.Method)
		}
		data.Plans = append(data.Plans, row)
		if !p.Feasible {
			sheet.grid.Add(star, string(p.Method), "–", "", "", "", report.Plain(p.Note))
			sheet.exact = append(sheet.exact, []string{string(p.Method), "false", "", "", "", "", "", p.Note})
			continue
		}
		sheet.grid.Add(star, string(p.Method), mechanisms.FormatNumber(p.Value), report.Upper(p.Achieved.Epsilon), dash(errorAt, report.Upper), report.Percent(waste), report.Plain(report.PlanNote(p)))
		sheet.exact = append(sheet.exact, []string{string(p.Method), "true", Cell(p.Value), Cell(p.Achieved.Epsilon), Cell(p.Achieved.Delta), Cell(errorAt), Cell(waste), report.PlanNote(p)})
	}
	if table != nil {
		sheet.more = append(sheet.more, Corollaries(table))
		data.Corollaries = recordsOf(corollaryColumns(table), table.Rows)
	}
	sheet.data = data
	return sheet
}

func dash(x float64, write func(float64) string) string {
	if math.IsNaN(x) {
		return "–"
	}
	return write(x)
}
