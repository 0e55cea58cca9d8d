package report

import (
	"cmp"
	"fmt"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
)

// Role is the kind of a line of a report. The command line and the screen show the same lines, each styled by
// their roles.
type Role int

// The roles.
const (
	Text       Role = iota // prose
	Subheading             // what the lines below it are about
	Result                 // the answer that the other lines explain
	Value                  // a number with its meaning, in a line with others
	Field                  // a name with its value, in a line of its own
	Added                  // what is new
	Removed                // what is gone
	Better                 // a value that costs less than the one beside it
	Worse                  // a value that costs more than the one beside it, or is wrong
	Formula                // a formula in symbols
	Step                   // a formula with numbers put in
	Condition              // what a statement needs, and whether it holds
	Source                 // where a statement is proven
	Note                   // what explains or restricts a value
	Warning                // what is wrong elsewhere, or must be known before a value is used
)

// Line is a line of a report.
type Line struct {
	Role Role
	// of the paragraph that begins here, "needs", or of a [Field]; "" if the line goes on with the one above
	Name  string
	Was   string // of a [Field] that has changed: its value before
	Text  string
	Holds bool // of a [Condition]
}

// Lines returns texts as lines of one role; blank ones are left out.
func Lines(role Role, texts ...string) []Line { return appendLines(nil, role, "", texts...) }

// appendLines appends texts under one name; blank ones are left out.
func appendLines(list []Line, role Role, name string, texts ...string) []Line {
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" {
			list = append(list, Line{Role: role, Name: name, Text: text})
			name = ""
		}
	}
	return list
}

// BoundClaim returns the ε of a bound and what else belongs to it, in two parts: "ε = 1.2" and "at δ = 1e-6". A bound
// without a finite ε has the first part only, which says why.
func BoundClaim(b accounting.Bound) (epsilon, rest string) {
	switch {
	case b.Status == accounting.Valid:
		return "ε = " + Upper(b.Epsilon), "at δ = " + FormatGiven(b.Delta)
	case b.Status == accounting.Unproven:
		return "ε ≈ " + Upper(b.Epsilon), "at δ = " + FormatGiven(b.Delta) + ", not a bound"
	case b.Status == accounting.Vacuous:
		return "no finite ε", ""
	}
	return "does not apply", ""
}

// Lines returns all that a reader needs to check the bound by hand: where it is proven, what it needs, the formula in
// symbols and in numbers, and where it is loose. The reason why there is no bound comes first.
func (e Explanation) Lines() []Line {
	var list []Line
	if !e.Bound.Finite() {
		list = appendLines(list, Note, "note", e.Bound.Note)
	}
	t := e.Theorem
	list = appendLines(list, Source, "theorem", fmt.Sprintf("%s %d: %s", t.Authors, t.Year, t.Source))
	name := "needs"
	for _, c := range e.Bound.Conditions {
		list = append(list, Line{Role: Condition, Name: name, Text: c.Text, Holds: c.Holds})
		name = ""
	}
	list = appendLines(list, Formula, "formula", t.Formula)
	var given []string
	for _, q := range e.Bound.Quantities() {
		line := q.Name() + " = " + RoundQuantity(q)
		if q.Meaning != "" {
			line += "   " + q.Meaning
		}
		given = append(given, line)
	}
	list = appendLines(list, Value, "with", given...)
	list = appendLines(list, Step, "so", e.Steps...)
	if e.Bound.Finite() {
		list = appendLines(list, Note, "note", e.Bound.Note)
	}
	list = appendLines(list, Note, "slack", t.Looseness)
	list = appendLines(list, Note, "adaptive", t.Adaptive.String())
	return appendLines(list, Warning, "slides", t.Slips...)
}

// VersusLines returns what the change from one scenario to the other costs: in ε by the best theorem for each, in harm,
// and what keeps the two from being compared.
func VersusLines(v *scenarios.Versus) []Line {
	var list []Line
	if a, b := v.A.BestBound(), v.B.BestBound(); a.Finite() && b.Finite() {
		list = append(list, Line{Role: Result,
			Text: fmt.Sprintf("ε = %s → %s by the best of each: %s", Upper(a.Epsilon), Upper(b.Epsilon), compareCost(a.Epsilon, b.Epsilon))})
	}
	for _, h := range v.Harm {
		list = append(list, Line{Role: Text, Text: UpperFirst(harmDifference(h))})
	}
	return appendLines(list, Warning, "", v.Notes...)
}

// ChangeLines returns what differs between two scenarios, by entry. What is about the whole scenario comes first,
// without a heading.
func ChangeLines(changes []scenarios.Change) (list []Line) {
	entry := ""
	for _, c := range changes {
		if c.Entry != entry {
			entry = c.Entry
			list = append(list, Line{Role: Subheading, Text: Plain("entry " + c.Entry + " " + c.What)})
		}
		switch c.Kind {
		case scenarios.Added:
			list = append(list, Line{Role: Added, Text: ChangedEntry(c)})
		case scenarios.Removed:
			list = append(list, Line{Role: Removed, Text: ChangedEntry(c)})
		default:
			from, to := ChangeValues(c)
			list = append(list, Line{Role: Field, Name: cmp.Or(c.Field, string(c.Kind)),
				Was: Plain(from), Text: Plain(to)})
		}
	}
	return list
}

// RoundQuantity writes a quantity rounded to the side on which the statement it is in stays true.
func RoundQuantity(q accounting.Quantity) string {
	switch q.Role {
	case accounting.LowerEnd:
		return Lower(q.Value)
	case accounting.Cost:
		return Upper(q.Value)
	case accounting.Remainder:
		return Short(numeral.RoundDown(q.Value, 4))
	case accounting.Intermediate:
		return Short(q.Value)
	}
	return FormatGiven(q.Value)
}
