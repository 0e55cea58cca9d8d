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
		line := q.Symbol + " = " + Short(q.Value)
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

// ExplainCSV writes one row a bound, with a header row.
func ExplainCSV(w io.Writer, list []Explanation) error {
	rows := [][]string{{"method", "status", "epsilon", "delta", "title", "source", "formula", "steps", "slack", "note", "adaptive"}}
	for _, e := range list {
		b, t := e.Bound, e.Theorem
		row := []string{string(b.Method), string(b.Status), "", cell(b.Delta), t.Title, t.Source, t.Formula, strings.Join(e.Steps, "; "), t.Slack, note(b), t.Filter}
		if b.Finite() {
			row[2] = cell(b.Epsilon)
		}
		rows = append(rows, row)
	}
	return writeCSV(w, rows)
}

type jsonExplanation struct {
	Method     string           `json:"method"`
	Status     string           `json:"status"`
	Epsilon    *float64         `json:"epsilon"`
	Delta      *float64         `json:"delta"`
	Title      string           `json:"title"`
	Source     string           `json:"source"`
	Formula    string           `json:"formula"`
	Conditions []jsonCondition  `json:"conditions"`
	Inputs     []jsonQuantity   `json:"inputs"`
	Steps      []string         `json:"steps"`
	Slack      string           `json:"slack"`
	Adaptive   string           `json:"adaptive"`
	Slips      []string         `json:"slips"`
	Note       string           `json:"note"`
	Budget     *jsonErrorBudget `json:"error_budget,omitempty"`
}

type jsonCondition struct {
	Text  string `json:"text"`
	Holds bool   `json:"holds"`
}

type jsonQuantity struct {
	Symbol  string   `json:"symbol"`
	Value   *float64 `json:"value"`
	Meaning string   `json:"meaning"`
}

type jsonErrorBudget struct {
	Grid     *float64 `json:"grid"`
	Tail     *float64 `json:"tail"`
	Wrap     *float64 `json:"wrap"`
	Roundoff *float64 `json:"roundoff"`
}

// ExplainJSON writes the explanations as one JSON list.
func ExplainJSON(w io.Writer, list []Explanation) error {
	out := make([]jsonExplanation, 0, len(list))
	for _, e := range list {
		b := boundJSON(e.Bound)
		j := jsonExplanation{
			Method: b.Method, Status: b.Status, Epsilon: b.Epsilon, Delta: b.Delta, Note: b.Note,
			Title: e.Theorem.Title, Source: e.Theorem.Source, Formula: e.Theorem.Formula, Slack: e.Theorem.Slack, Adaptive: e.Theorem.Filter,
			Conditions: []jsonCondition{}, Inputs: []jsonQuantity{},
			Steps: append([]string{}, e.Steps...), Slips: append([]string{}, e.Slips...),
		}
		for _, c := range e.Bound.Conditions {
			j.Conditions = append(j.Conditions, jsonCondition{c.Text, c.Holds})
		}
		for _, q := range e.Bound.Inputs {
			j.Inputs = append(j.Inputs, jsonQuantity{q.Symbol, number(q.Value), q.Meaning})
		}
		if iv := e.Bound.Interval; iv != nil {
			j.Budget = &jsonErrorBudget{number(iv.Budget.Grid), number(iv.Budget.Tail), number(iv.Budget.Wrap), number(iv.Budget.Roundoff)}
		}
		out = append(out, j)
	}
	return encode(w, out)
}
