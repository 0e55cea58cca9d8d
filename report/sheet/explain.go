package sheet

import (
	"cmp"
	"fmt"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

// Explain returns the explanations: for people a page, with what is said about harm behind the theorems, for programs
// one row per bound.
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
		p.Lines(e.Lines())
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

// explanationTitle returns the method, its theorem and its claim; a star marks the best bound.
func explanationTitle(r *scenarios.Result, e report.Explanation) string {
	star := ""
	if r.BestBound().Method == e.Bound.Method {
		star = "★ "
	}
	epsilon, rest := report.BoundClaim(e.Bound)
	title := fmt.Sprintf("%s%s: %s: %s", star, e.Bound.Method, cmp.Or(e.Theorem.Title, string(e.Bound.Method)), epsilon)
	return strings.TrimSpace(title + " " + rest)
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
	{Key: "conditions", Programs: OnlyJSON, Value: func(e report.Explanation) any {
		return Records(e.Bound.Conditions, func(c accounting.Condition) Record {
			return Record{{"text", c.Text}, {"holds", c.Holds}}
		})
	}},
	{Key: "inputs", Programs: OnlyJSON, Value: func(e report.Explanation) any {
		return Records(e.Bound.Quantities(), func(q accounting.Quantity) Record {
			return Record{{"symbol", q.Name()}, {"value", q.Value}, {"meaning", q.Meaning}}
		})
	}},
	{Key: "steps", Programs: OnlyCSV, Value: func(e report.Explanation) any { return strings.Join(e.Steps, "; ") }},
	{Key: "steps", Programs: OnlyJSON, Value: func(e report.Explanation) any { return e.Steps }},
	{Key: "slack", Value: func(e report.Explanation) any { return e.Theorem.Looseness }},
	{Key: "adaptive", Programs: OnlyJSON, Value: func(e report.Explanation) any { return e.Theorem.Adaptive.String() }},
	{Key: "slips", Programs: OnlyJSON, Value: func(e report.Explanation) any { return e.Theorem.Slips }},
	{Key: "note", Value: func(e report.Explanation) any { return note(e.Bound) }},
	{Key: "adaptive", Programs: OnlyCSV, Value: func(e report.Explanation) any { return e.Theorem.Adaptive.String() }},
	{Key: "error_budget", Programs: OnlyJSON, Omit: true, Value: func(e report.Explanation) any {
		iv := e.Bound.Interval
		if iv == nil {
			return nil
		}
		return Record{{"grid", iv.Budget.Grid}, {"tail", iv.Budget.Tail}, {"wrap", iv.Budget.Wrap}, {"roundoff", iv.Budget.Roundoff}}
	}},
}
