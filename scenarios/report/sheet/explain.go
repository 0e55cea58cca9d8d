package sheet

import (
	"cmp"
	"fmt"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
)

// Explain returns the explanations: for people a page, with what is said about harm behind the theorems, for programs one row per bound.
func Explain(s *scenarios.Scenario, r *scenarios.Result, list []report.Explanation, harm ...string) *Sheet {
	sheet := NewSheet("", explainColumns, list)
	sheet.Page = func(p *Page) { explainPage(p, s, r, list, harm) }
	return sheet
}

func explainPage(p *Page, s *scenarios.Scenario, r *scenarios.Result, list []report.Explanation, harm []string) {
	p.Title(1, report.Heading(r))
	p.Line(report.Answer(r))
	section := func(title string, lines []string) {
		p.Gap()
		p.Title(2, title)
		p.Items("  ", lines...)
	}
	for _, e := range list {
		section(explanationTitle(r, e), nil)
		p.Facts("  %-9s  %s", explanationLines(e))
	}
	if len(harm) > 0 {
		section("What an attacker can do", harm)
	}
	for _, e := range list {
		for _, q := range e.Questions {
			section(q.Ask, q.Answer)
		}
	}
	if notes := report.MechanismNotes(s, r); len(notes) > 0 {
		section("On the mechanisms", notes)
	}
}

func explanationTitle(r *scenarios.Result, e report.Explanation) string {
	star := ""
	if r.Winner().Method == e.Bound.Method {
		star = "★ "
	}
	title := cmp.Or(e.Theorem.Title, string(e.Bound.Method))
	switch e.Bound.Status {
	case accounting.Valid:
		return fmt.Sprintf("%s%s: %s: ε = %s at δ = %s", star, e.Bound.Method, title, report.Upper(e.Bound.Epsilon), report.FormatGiven(e.Bound.Delta))
	case accounting.Unproven:
		return fmt.Sprintf("%s: %s: ε ≈ %s at δ = %s, not a bound", e.Bound.Method, title, report.Upper(e.Bound.Epsilon), report.FormatGiven(e.Bound.Delta))
	case accounting.Vacuous:
		return fmt.Sprintf("%s: %s: no finite ε", e.Bound.Method, title)
	}
	return fmt.Sprintf("%s: %s: does not apply", e.Bound.Method, title)
}

func explanationLines(e report.Explanation) []report.Fact {
	var lines []report.Fact
	// add names the first line of a paragraph and leaves the following ones blank.
	add := func(name string, texts ...string) {
		for _, t := range texts {
			if t = strings.TrimSpace(t); t != "" {
				lines = append(lines, report.Fact{Name: name, Text: t})
				name = ""
			}
		}
	}
	add("theorem", e.Theorem.Source)
	var conditions []string
	for _, c := range e.Bound.Conditions {
		conditions = append(conditions, tick(c.Holds)+" "+c.Text)
	}
	add("needs", conditions...)
	add("formula", e.Theorem.Formula)
	var given []string
	for _, q := range e.Bound.Inputs {
		line := q.Name() + " = " + roundQuantity(q)
		if q.Meaning != "" {
			line += "   " + q.Meaning
		}
		given = append(given, line)
	}
	add("with", given...)
	add("so", e.Steps...)
	add("note", e.Bound.Note)
	add("slack", e.Theorem.Looseness)
	add("adaptive", e.Theorem.Adaptive.String())
	add("slides", e.Theorem.Slips...)
	return lines
}

// roundQuantity writes a quantity rounded as the rest of the page rounds it.
func roundQuantity(q accounting.Quantity) string {
	switch q.Rounding {
	case accounting.RoundDown:
		return report.Lower(q.Value)
	case accounting.RoundUp:
		return report.Upper(q.Value)
	case accounting.RoundRemainder:
		return report.Short(numeral.RoundDown(q.Value, 4))
	case accounting.RoundNearest:
		return report.Short(q.Value)
	}
	return report.FormatGiven(q.Value)
}

// explainColumns are the fields of an explanation for programs.
var explainColumns = []Column[report.Explanation]{
	{Key: "method", Value: func(e report.Explanation) any { return string(e.Bound.Method) }},
	{Key: "status", Value: func(e report.Explanation) any { return string(e.Bound.Status) }},
	{Key: "epsilon", Value: func(e report.Explanation) any { return finiteEpsilon(e.Bound) }},
	{Key: "delta", Value: func(e report.Explanation) any { return e.Bound.Delta }},
	{Key: "title", Value: func(e report.Explanation) any { return e.Theorem.Title }},
	{Key: "source", Value: func(e report.Explanation) any { return e.Theorem.Source }},
	{Key: "formula", Value: func(e report.Explanation) any { return e.Theorem.Formula }},
	{Key: "conditions", In: OnlyJSON, Value: func(e report.Explanation) any {
		return Records(e.Bound.Conditions, func(c accounting.Condition) Record { return Record{{"text", c.Text}, {"holds", c.Holds}} })
	}},
	{Key: "inputs", In: OnlyJSON, Value: func(e report.Explanation) any {
		return Records(e.Bound.Inputs, func(q accounting.Quantity) Record {
			return Record{{"symbol", q.Name()}, {"value", q.Value}, {"meaning", q.Meaning}}
		})
	}},
	{Key: "steps", In: OnlyCSV, Value: func(e report.Explanation) any { return strings.Join(e.Steps, "; ") }},
	{Key: "steps", In: OnlyJSON, Value: func(e report.Explanation) any { return e.Steps }},
	{Key: "slack", Value: func(e report.Explanation) any { return e.Theorem.Looseness }},
	{Key: "adaptive", In: OnlyJSON, Value: func(e report.Explanation) any { return e.Theorem.Adaptive.String() }},
	{Key: "slips", In: OnlyJSON, Value: func(e report.Explanation) any { return e.Theorem.Slips }},
	{Key: "note", Value: func(e report.Explanation) any { return note(e.Bound) }},
	{Key: "adaptive", In: OnlyCSV, Value: func(e report.Explanation) any { return e.Theorem.Adaptive.String() }},
	{Key: "error_budget", In: OnlyJSON, Omit: true, Value: func(e report.Explanation) any {
		iv := e.Bound.Interval
		if iv == nil {
			return nil
		}
		return Record{{"grid", iv.Budget.Grid}, {"tail", iv.Budget.Tail}, {"wrap", iv.Budget.Wrap}, {"roundoff", iv.Budget.Roundoff}}
	}},
}
