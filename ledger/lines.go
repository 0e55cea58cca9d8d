package ledger

import (
	"fmt"
	"slices"

	"epsiloscope/report"
)

// Lines returns the amounts of the balance, which add up in print.
func (b Balance) Lines() []report.Line {
	budget, spent, held, left := b.PrintedAmounts()
	return fields("budget", b.Filter.WithQuantity(budget), "spent", spent, "held", held, "left", left)
}

// Lines returns the amounts of the balance with what is asked for, before what is left.
func (a *Answer) Lines() []report.Line {
	asked := "no price"
	if a.Asked != nil {
		asked = a.Upper(a.Asked)
	}
	list := a.Balance.Lines()
	list = slices.Insert(list, len(list)-1, fields("asked", asked)...)
	if a.LeftAfter != nil {
		after := a.Balance
		after.Left = a.LeftAfter
		_, _, _, left := after.PrintedAmounts()
		list = append(list, fields("left after", left)...)
	}
	return list
}

// fields returns lines of names and values; one without a value is left out.
func fields(namesAndValues ...string) (list []report.Line) {
	for pair := range slices.Chunk(namesAndValues, 2) {
		if pair[1] != "" {
			list = append(list, report.Line{Role: report.Field, Name: pair[0], Text: pair[1]})
		}
	}
	return list
}

// StatusLines returns how the ledger stands: the promise, the amounts, what still fits, what may be quoted, and the
// end of the file.
func (l *Ledger) StatusLines(s *Status) []report.Line {
	promise := fmt.Sprintf("ε %s at δ %s%s", l.Promise.ShownEpsilon(), s.Delta, l.Promise.Scope())
	if s.Broken != "" {
		promise += ", which was broken"
	}
	list := fields("data", l.Open.Data, "unit", l.Open.Unit+", "+l.Open.Adjacency, "promise", promise, "filter", s.Filter.Title,
		"block", sprintfIf(s.Block != "", "%s, which has least left", s.Block),
		"window", sprintfIf(l.Promise.WindowText() != "", "any %s", l.Promise.WindowText()))
	list = append(list, s.Balance.Lines()...)
	name := "still fits"
	for _, f := range s.Fits {
		list = append(list, report.Line{Role: report.Field, Name: name, Text: f.String()})
		name = ""
	}
	for _, q := range l.Promise.Quotes(s, s.Broken != "")[1:] { // the promise is above
		list = append(list, fields(q.Name, q.String())...)
	}
	for _, reason := range s.Cancelled {
		list = append(list, fields("cancelled", reason)...)
	}
	return append(list, fields("broken", s.Broken, "undecided", l.undecidedReason(), "records", fmt.Sprint(s.Records), "head", s.Head)...)
}

// String returns how many more there could be: "3 × Laplace (ε 0.1, Δ₁ 1)".
func (f Fit) String() string {
	switch {
	case f.Copies == nil:
		return "any number × " + f.Text
	case f.Releases != nil:
		return fmt.Sprintf("%s of the %s releases of %s", f.Releases, f.Of, f.Text)
	}
	return f.Copies.String() + " × " + f.Text
}

// String returns the ε with whether it may be quoted and why.
func (q Quote) String() string {
	switch {
	case q.Epsilon == "":
		return "none: " + q.Words
	case q.Quotable:
		return fmt.Sprintf("ε %s may be quoted now; %s", q.Epsilon, q.Words)
	}
	return fmt.Sprintf("ε %s %s", q.Epsilon, q.Words)
}
