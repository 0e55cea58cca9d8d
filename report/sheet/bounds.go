package sheet

import (
	"math"
	"slices"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

// boundRow is a bound of a result.
type boundRow struct {
	*scenarios.Result
	accounting.Bound
	best   bool   // of the smallest ε, as scripts read it
	star   bool   // the one to take
	name   string // of the theorem, as the table writes it
	remark string // the remark in a table that is read: what stood above already is not said again
}

func boundRows(r *scenarios.Result, name func(accounting.Method) string) []boundRow {
	rows, star := make([]boundRow, len(r.Bounds)), report.BestRow(r)
	for i, b := range r.Bounds {
		said := report.Plain(b.Note)
		if k := slices.IndexFunc(r.Bounds, func(x accounting.Bound) bool {
			return x.Note == b.Note
		}); k < i && said != "" {
			said = "as for " + name(r.Bounds[k].Method)
		}
		rows[i] = boundRow{r, b, i == r.Best, i == star, name(b.Method), said}
	}
	return rows
}

// key returns a theorem as commands and files name it.
func key(m accounting.Method) string { return string(m) }

// boundColumns are the columns of a comparison: one row per bound.
var boundColumns = []Column[boundRow]{
	{Show: func(b boundRow) string { return mark(b.star, "★") }},
	{Head: "bound", Show: func(b boundRow) string { return b.name },
		Key: "method", Value: func(b boundRow) any { return string(b.Method) }},
	{Key: "status", Value: func(b boundRow) any { return string(b.Status) }},
	{Head: "ε", Align: Decimal, Show: func(b boundRow) string { return epsilonCell(b.Bound) },
		Key: "epsilon", Value: func(b boundRow) any { return finiteEpsilon(b.Bound) }},
	{Key: "epsilon_lower", Omit: true, Value: func(b boundRow) any { return lowerOf(b.Bound) }},
	{Head: "δ", Align: Right, Show: func(b boundRow) string { return mark(b.Finite(), report.FormatGiven(b.Bound.Delta)) },
		Key: "delta", Value: func(b boundRow) any { return statedDelta(b.Bound) }},
	{Head: "α", Align: Decimal, Aside: true, Show: func(b boundRow) string {
		order := orderOf(b.Bound)
		return mark(!math.IsNaN(order), report.Nearest(order))
	},
		Key: "alpha", Omit: true, Value: func(b boundRow) any { return orderOf(b.Bound) }},
	{Head: "slack", Align: Right, Show: func(b boundRow) string { return slackCell(b.Result, b.Bound) }},
	{Head: harmHead, Align: Right, Aside: true, Show: func(b boundRow) string {
		return mark(b.Result.Harm != nil && b.Bound.Status == accounting.Valid && b.Finite(),
			report.Upper(report.ImpliedHarm(b.Result, b.Bound)))
	}},
	{Head: "budget", Aside: true, Show: func(b boundRow) string { return budgetCell(b.Result, b.Bound) }},
	{Key: "best", Programs: OnlyCSV, Value: func(b boundRow) any { return mark(b.best, "best") }},
	{Show: func(b boundRow) string { return b.remark },
		Key: "note", Value: func(b boundRow) any { return note(b.Bound) }},
}

// columnsOf returns the columns of a comparison. The harm that each bound implies is one of them if the budget limits
// one.
func columnsOf(r *scenarios.Result) []Column[boundRow] {
	if r.Harm != nil {
		return boundColumns
	}
	return slices.DeleteFunc(slices.Clone(boundColumns), func(c Column[boundRow]) bool { return c.Head == harmHead })
}

const harmHead = "harm"

// BoundRecord returns one bound as JSON.
func BoundRecord(b accounting.Bound) Record {
	return recordOf(boundColumns, boundRow{Result: &scenarios.Result{}, Bound: b})
}

func mark(marked bool, text string) string {
	if marked {
		return text
	}
	return ""
}

// Tick returns a mark that says whether something holds.
func Tick(holds bool) string {
	if holds {
		return "✓"
	}
	return "✗"
}

// finiteEpsilon returns the ε of a bound, NaN where it has none; lowerOf its certified lower end,
// orderOf the Rényi order it converts at.
func finiteEpsilon(b accounting.Bound) float64 {
	if !b.Finite() {
		return math.NaN()
	}
	return b.Epsilon
}

// statedDelta returns the δ of a bound, or NaN if the theorem does not apply: a 0 would say that the release is pure.
func statedDelta(b accounting.Bound) float64 {
	if b.Status == accounting.NotApplicable {
		return math.NaN()
	}
	return b.Delta
}

func lowerOf(b accounting.Bound) float64 {
	if !b.Finite() || b.Method != accounting.Numerical {
		return math.NaN()
	}
	return b.Lower
}

func orderOf(b accounting.Bound) float64 {
	if !b.Finite() || !report.UsesOneOrder(b.Method) || b.Alpha == 0 {
		return math.NaN()
	}
	return b.Alpha
}

func epsilonCell(b accounting.Bound) string {
	switch b.Status {
	case accounting.Valid, accounting.Unproven:
		return report.Upper(b.Epsilon)
	case accounting.Vacuous:
		return "∞"
	}
	return "n/a"
}

func slackCell(r *scenarios.Result, b accounting.Bound) string {
	slack := report.Slack(r, b)
	switch {
	case slack <= 0:
		return ""
	case slack < 1000:
		return report.FormatMultiple(slack)
	}
	return report.Short(slack) + "×"
}

func budgetCell(r *scenarios.Result, b accounting.Bound) string {
	switch {
	case b.Status == accounting.Unproven:
		return "≈"
	case r.Harm != nil && b.Status == accounting.Valid:
		fits := report.ImpliedHarm(r, b) <= r.Harm.Limit.Limit()
		switch {
		case fits && r.IsOpen():
			return "?"
		case fits:
			return "✓"
		}
		return "over"
	case r.Target.Epsilon <= 0 || b.Status != accounting.Valid:
		return ""
	case report.Fits(b, r.Target.Epsilon) && r.IsOpen():
		return "?"
	case report.Fits(b, r.Target.Epsilon):
		return "✓"
	}
	return "over"
}

// note returns the note of a bound. It states an infinite Rényi order, which JSON and CSV cannot have as a
// number.
func note(b accounting.Bound) string {
	const infinite = "the best order is α = ∞: the sum of the pure ε"
	if !b.Finite() || !report.UsesOneOrder(b.Method) || !math.IsInf(b.Alpha, 1) || strings.Contains(b.Note, "α = ∞") {
		return b.Note
	}
	if b.Note == "" {
		return infinite
	}
	return infinite + "; " + b.Note
}
