package sheet

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"

	"epsiloscope/accounting/numeral"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
)

// planColumns are a plan's answer. What has no number is null, or an empty cell.
var planColumns = []Column[plan.Result]{
	Words("solve", "solve", func(p plan.Result) string { return p.Solve }),
	{Head: "entry", Align: Right, Show: func(p plan.Result) string { return csvCell(entryOf(p)) }, Key: "entry", Value: entryOf},
	Words("method", "method", func(p plan.Result) string { return string(p.Method) }),
	{Head: "value", Align: Right, Show: func(p plan.Result) string { return cmp.Or(mark(p.Feasible, numeral.Format(p.Value)), "not feasible") }, Key: "value", Value: func(p plan.Result) any { return valueOrNaN(p, p.Value) }},
	{Head: "ε", Align: Right, Show: func(p plan.Result) string { return mark(p.Feasible, report.Upper(p.Achieved.Epsilon)) },
		Key: "epsilon", Programs: OnlyCSV, Value: func(p plan.Result) any { return valueOrNaN(p, p.Achieved.Epsilon) }},
	{Head: "δ", Align: Right, Show: func(p plan.Result) string { return mark(p.Feasible, report.Upper(p.Achieved.Delta)) },
		Key: "delta", Programs: OnlyCSV, Value: func(p plan.Result) any { return valueOrNaN(p, p.Achieved.Delta) }},
	{Key: "achieved", Programs: OnlyJSON, Value: func(p plan.Result) any {
		achieved := Record{{"epsilon", valueOrNaN(p, p.Achieved.Epsilon)}, {"delta", valueOrNaN(p, p.Achieved.Delta)}}
		if kind := p.Harm.Kind(); kind != "" {
			achieved = append(Record{{kind, valueOrNaN(p, p.HarmAchieved)}}, achieved...)
		}
		return achieved
	}},
	{Key: "feasible", Value: func(p plan.Result) any { return p.Feasible }},
	{Head: "note", Show: func(p plan.Result) string { return report.Plain(report.PlanNote(p)) }, Key: "note", Value: func(p plan.Result) any { return report.PlanNote(p) }},
}

// entryOf returns the entry a plan is about, nil where the unknown is the whole scenario's.
func entryOf(p plan.Result) any {
	if p.Entry == 0 {
		return nil
	}
	return p.Entry
}

// valueOrNaN returns a number of a plan, NaN where there is no answer.
func valueOrNaN(p plan.Result, x float64) float64 {
	if !p.Feasible {
		return math.NaN()
	}
	return x
}

// Plan returns a plan's answer: in text a sentence, elsewhere a table of one row.
func Plan(p plan.Result) *Sheet {
	s := NewSheet("", planColumns, []plan.Result{p})
	s.Data = recordOf(planColumns, p)
	s.ownFormats = map[string]func(io.Writer) error{"table": func(w io.Writer) error {
		_, err := fmt.Fprintln(w, report.PlanText(p))
		return err
	}}
	return s
}

// planRow is a method's answer among those of all.
type planRow struct {
	plan.Result
	best           bool
	errorAt, waste float64 // NaN where there is none
}

func plansColumns(solve string) []Column[planRow] {
	return []Column[planRow]{
		{Show: func(r planRow) string { return mark(r.best, "★") }},
		Words("bound", "method", func(r planRow) string { return string(r.Method) }),
		{Key: "feasible", Value: func(r planRow) any { return r.Feasible }},
		{Head: solve, Align: Right, Show: func(r planRow) string { return cmp.Or(mark(r.Feasible, numeral.Format(r.Value)), "–") }, Key: "value", Value: func(r planRow) any { return valueOrNaN(r.Result, r.Value) }},
		{Head: "ε", Align: Decimal, Show: func(r planRow) string { return mark(r.Feasible, report.Upper(r.Achieved.Epsilon)) },
			Key: "epsilon", Value: func(r planRow) any { return valueOrNaN(r.Result, r.Achieved.Epsilon) }},
		{Key: "delta", Value: func(r planRow) any { return valueOrNaN(r.Result, r.Achieved.Delta) }},
		{Head: "95 % error", Align: Decimal, Show: func(r planRow) string { return mark(r.Feasible, report.Upper(r.errorAt)) }, Key: "error", Value: func(r planRow) any { return r.errorAt }},
		{Head: "given away", Align: Right, Show: func(r planRow) string { return mark(r.Feasible, report.Percent(r.waste)) }, Key: "waste", Value: func(r planRow) any { return r.waste }},
		{Show: func(r planRow) string { return report.Plain(report.PlanNote(r.Result)) }, Key: "note", Value: func(r planRow) any { return report.PlanNote(r.Result) }},
	}
}

// Plans sets the answers of every method side by side, with the error users would
// see.
func Plans(s *scenarios.Scenario, target scenarios.Budget, all []plan.Result) *Sheet {
	if len(all) == 0 {
		return &Sheet{Title: "nothing to solve"}
	}
	first, best := all[0], plan.Best(all)
	where := ""
	if first.Entry > 0 {
		where = " of entry " + strconv.Itoa(first.Entry)
	}
	var rows []planRow
	var plans []Record
	winner := "" // if nothing is feasible
	for i, p := range all {
		row := planRow{p, i == best, math.NaN(), math.NaN()}
		if p.Feasible {
			row.errorAt, row.waste = report.PlanError(s, p), p.Waste(all[best])
		}
		if row.best {
			winner = string(p.Method)
		}
		rows = append(rows, row)
		plans = append(plans, append(recordOf(planColumns, p), Record{{"error", row.errorAt}, {"waste", row.waste}}...))
	}
	sheet := NewSheet(fmt.Sprintf("%s%s for ε = %s at δ = %s, by every theorem", first.Solve, where, report.FormatGiven(target.Epsilon),
		report.FormatGiven(target.Delta)),
		plansColumns(first.Solve), rows)
	sheet.Data = Record{{"solve", first.Solve}, {"entry", entryOf(first)}, {"target", Record{{"epsilon", target.Epsilon}, {"delta", target.Delta}}},
		{"plans", plans}, {"best", winner}}
	return sheet
}
