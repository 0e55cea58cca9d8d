package lectures

import (
	"fmt"
	"math"

	"epsiloscope/report"
	"epsiloscope/report/sheet"
)

// columns are the closed forms beside what their theorems allow.
func (t *CorollaryTable) columns() []sheet.Column[Corollary] {
	return []sheet.Column[Corollary]{
		{Show: t.mark},
		{Key: "name", Value: func(c Corollary) any { return c.Name }},
		sheet.Words("formula", "formula", func(c Corollary) string { return c.Formula }),
		{Key: "source", Value: func(c Corollary) any { return c.Source }},
		{Key: "method", Value: func(c Corollary) any { return string(c.Theorem) }},
		{Head: t.Field, Align: sheet.Right, Show: func(c Corollary) string { return report.EntryValue(t.Field, c.Value) },
			Key: "value", Value: func(c Corollary) any { return c.Value }},
		{Key: "proven", Value: func(c Corollary) any { return c.Proven }},
		{Head: "theorem allows", Align: sheet.Right, Show: t.allowedCell},
		sheet.Number("really costs", "epsilon", sheet.Decimal, report.Upper, func(c Corollary) float64 { return c.Cost }),
		{Key: "epsilon_least", Value: func(c Corollary) any { return c.Least }},
		{Key: "allowed", Value: func(c Corollary) any { return c.Allowed }},
		{Head: "lost", Align: sheet.Right, Show: func(c Corollary) string { return wasteCell(c.Waste) },
			Key: "waste", Value: func(c Corollary) any { return c.Waste }},
		{Key: "note", Value: func(c Corollary) any { return c.Note }},
	}
}

// mark returns ✗ for a form that exceeds the budget, ✓ for one that fits, and ? if that depends on a sensitivity
// that is not stated.
func (t *CorollaryTable) mark(c Corollary) string {
	over, _ := t.ExceedsBudget(c)
	if !over && t.Open {
		return "?"
	}
	return sheet.Tick(!over)
}

func (t *CorollaryTable) allowedCell(c Corollary) string {
	if !(c.Allowed > 0) {
		return "–"
	}
	return report.EntryValue(t.Field, c.Allowed)
}

// Sheet returns the closed forms, to stand below the answers of the theorems.
func (t *CorollaryTable) Sheet() *sheet.Sheet {
	s := sheet.NewSheet(fmt.Sprintf("closed forms of the lectures for %s equal releases", report.Short(t.Count)), t.columns(), t.Rows)
	for _, c := range t.Rows {
		s.AddWarning(report.Plain(t.note(c)))
	}
	return s
}

// note says where the form comes from and what it is worth.
func (t *CorollaryTable) note(c Corollary) string {
	text := c.Formula + ": " + c.Name + " (" + c.Source + ")"
	if c.Note != "" {
		text += "; " + c.Note
	}
	if _, safe := t.ExceedsBudget(c); safe {
		text += fmt.Sprintf("; safe after all, by %s: %s", c.LeastMethod, report.Upper(c.Least))
	}
	return text
}

func wasteCell(w float64) string {
	switch {
	case math.Abs(w) < 5e-4:
		return "nothing"
	case w < 0:
		return "over by " + report.Percent(-w)
	}
	return report.Percent(w)
}
