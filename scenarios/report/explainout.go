package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// ExplainText writes the explanations for people.
func ExplainText(w io.Writer, s *scenarios.Scenario, r *scenarios.Result, list []Explanation) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s\n%s\n", Heading(r), Answer(r))
	for _, e := range list {
		fmt.Fprintf(out, "\n%s\n", explanationTitle(r, e))
		for _, line := range explanationLines(e) {
			fmt.Fprintf(out, "  %-9s  %s\n", line.name, line.text)
		}
	}
	writeQuestions(out, r, list)
	if notes := MechanismNotes(s); len(notes) > 0 {
		fmt.Fprintf(out, "\nOn the mechanisms\n")
		for _, n := range notes {
			fmt.Fprintf(out, "  %s\n", n)
		}
	}
	return out.Flush()
}

// ExplainMarkdown writes the explanations as sections with lists.
func ExplainMarkdown(w io.Writer, s *scenarios.Scenario, r *scenarios.Result, list []Explanation) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# %s\n\n%s\n", markdownText(Heading(r)), markdownText(Answer(r)))
	for _, e := range list {
		fmt.Fprintf(out, "\n## %s\n\n", markdownText(explanationTitle(r, e)))
		for _, line := range explanationLines(e) {
			name := line.name
			if name != "" {
				name += ": "
			}
			fmt.Fprintf(out, "- %s%s\n", name, markdownText(line.text))
		}
	}
	writeQuestionsMarkdown(out, r, list)
	if notes := MechanismNotes(s); len(notes) > 0 {
		fmt.Fprintf(out, "\n## On the mechanisms\n\n")
		for _, n := range notes {
			fmt.Fprintf(out, "- %s\n", markdownText(n))
		}
	}
	return out.Flush()
}

func explanationTitle(r *scenarios.Result, e Explanation) string {
	star := ""
	if r.Best >= 0 && r.Bounds[r.Best].Method == e.Bound.Method {
		star = "★ "
	}
	title := e.Theorem.Title
	if title == "" {
		title = string(e.Bound.Method)
	}
	switch e.Bound.Status {
	case accounting.Valid:
		return fmt.Sprintf("%s%s: %s: ε = %s at δ = %s", star, e.Bound.Method, title, Upper(e.Bound.Epsilon), Short(e.Bound.Delta))
	case accounting.Approximate:
		return fmt.Sprintf("%s: %s: ε ≈ %s at δ = %s, not a bound", e.Bound.Method, title, Figure(e.Bound.Epsilon), Short(e.Bound.Delta))
	case accounting.Vacuous:
		return fmt.Sprintf("%s: %s: no finite ε", e.Bound.Method, title)
	}
	return fmt.Sprintf("%s: %s: does not apply", e.Bound.Method, title)
}

type namedLine struct{ name, text string }

func explanationLines(e Explanation) []namedLine {
	var lines []namedLine
	// add names the first line of a paragraph and leaves the following ones blank.
	add := func(name string, texts ...string) {
		for _, t := range texts {
			if t = strings.TrimSpace(t); t != "" {
				lines = append(lines, namedLine{name, t})
				name = ""
			}
		}
	}
	add("theorem", e.Theorem.Source)
	var conditions []string
	for _, c := range e.Bound.Conditions {
		mark := "✗"
		if c.Holds {
			mark = "✓"
		}
		conditions = append(conditions, mark+" "+c.Text)
	}
	add("needs", conditions...)
	add("formula", e.Theorem.Formula)
	var given []string
	for _, q := range e.Bound.Inputs {
		line := q.Symbol + " = " + written(q)
		if q.Meaning != "" {
			line += "   " + q.Meaning
		}
		given = append(given, line)
	}
	add("with", given...)
	add("so", e.Steps...)
	add("note", e.Bound.Note)
	add("slack", e.Theorem.Slack)
	add("adaptive", e.Theorem.Filter)
	add("slides", e.Slips...)
	return lines
}

// written is a quantity rounded as the rest of the page rounds it: a cost up, a lower end
// down, everything else to the nearest.
func written(q accounting.Quantity) string {
	switch q.Symbol {
	case "ε lower":
		return Lower(q.Value)
	case "ε upper", "ρ", "μ":
		return Upper(q.Value)
	}
	return Short(q.Value)
}

// explainColumns are what an explanation holds for programs.
var explainColumns = []column[Explanation]{
	{key: "method", value: func(e Explanation) any { return string(e.Bound.Method) }},
	{key: "status", value: func(e Explanation) any { return string(e.Bound.Status) }},
	{key: "epsilon", value: func(e Explanation) any { return finiteEpsilon(e.Bound) }},
	{key: "delta", value: func(e Explanation) any { return e.Bound.Delta }},
	{key: "title", value: func(e Explanation) any { return e.Theorem.Title }},
	{key: "source", value: func(e Explanation) any { return e.Theorem.Source }},
	{key: "formula", value: func(e Explanation) any { return e.Theorem.Formula }},
	{key: "conditions", in: onlyJSON, value: func(e Explanation) any { return recordsOf(conditionColumns, e.Bound.Conditions) }},
	{key: "inputs", in: onlyJSON, value: func(e Explanation) any { return recordsOf(quantityColumns, e.Bound.Inputs) }},
	{key: "steps", in: onlyCSV, value: func(e Explanation) any { return strings.Join(e.Steps, "; ") }},
	{key: "steps", in: onlyJSON, value: func(e Explanation) any { return append([]string{}, e.Steps...) }},
	{key: "slack", value: func(e Explanation) any { return e.Theorem.Slack }},
	{key: "adaptive", in: onlyJSON, value: func(e Explanation) any { return e.Theorem.Filter }},
	{key: "slips", in: onlyJSON, value: func(e Explanation) any { return append([]string{}, e.Slips...) }},
	{key: "note", value: func(e Explanation) any { return note(e.Bound) }},
	{key: "adaptive", in: onlyCSV, value: func(e Explanation) any { return e.Theorem.Filter }},
	{key: "error_budget", in: onlyJSON, omit: true, value: func(e Explanation) any {
		iv := e.Bound.Interval
		if iv == nil {
			return nil
		}
		return record{{"grid", number(iv.Budget.Grid)}, {"tail", number(iv.Budget.Tail)}, {"wrap", number(iv.Budget.Wrap)}, {"roundoff", number(iv.Budget.Roundoff)}}
	}},
}

var conditionColumns = []column[accounting.Condition]{
	{key: "text", value: func(c accounting.Condition) any { return c.Text }},
	{key: "holds", value: func(c accounting.Condition) any { return c.Holds }},
}

var quantityColumns = []column[accounting.Quantity]{
	{key: "symbol", value: func(q accounting.Quantity) any { return q.Symbol }},
	{key: "value", value: func(q accounting.Quantity) any { return q.Value }},
	{key: "meaning", value: func(q accounting.Quantity) any { return q.Meaning }},
}

// ExplainCSV writes one row a bound, with a header row.
func ExplainCSV(w io.Writer, list []Explanation) error {
	return writeCSV(w, csvOf(explainColumns, list))
}

// ExplainJSON writes the explanations as one JSON list.
func ExplainJSON(w io.Writer, list []Explanation) error {
	return encode(w, recordsOf(explainColumns, list))
}
