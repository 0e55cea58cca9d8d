package ledger

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/report"
)

// Statement returns the paragraph to quote, with the facts behind it and the head.
func (l *Ledger) Statement(ctx context.Context, p Period, now time.Time) (*report.Statement, error) {
	if !p.To.IsZero() && !p.From.Before(p.To) {
		return nil, fmt.Errorf("the period is empty: it starts at %s and ends before %s", p.From.Format(timeLayout), p.To.Format(timeLayout))
	}
	if why := cmp.Or(l.undecidedReason(), l.clockSkewReason(now)); why != "" {
		return nil, fmt.Errorf("%s keeps no promise that could be stated: %s", l.Path, why)
	}
	status := l.Status(ctx, now)
	for block := range l.accounts {
		// a forged line: reading checks sums, not decisions
		if err := l.Filter.Fits(l.total(block)); err != nil && l.breach == nil {
			return nil, fmt.Errorf("%s keeps no promise that could be stated: %w. To find the line: epsiloscope ledger verify %s", l.Path, err, numeral.Argument(l.Path))
		}
	}
	about := l.Filter.Describe()
	bound := accounting.Bound{Method: accounting.Method(about.Kind), Status: accounting.Valid, Epsilon: l.terms.Epsilon,
		Delta: l.terms.Delta}
	if l.breach != nil {
		bound.Status, bound.Epsilon = accounting.NotApplicable, math.Inf(1)
	}
	st := &report.Statement{
		Scope: l.Promise.scopeRecord(),
		Title: cmp.Or(report.Plain(l.Open.Data), "This ledger"), Scenario: status.all, Paragraph: l.paragraph(), Bound: bound,
		References: []report.Reference{
			{Key: about.CiteKey, Text: about.Source, BibTeX: accounting.BibTeX(about.CiteKey)},
		},
		NotCovered: []string{
			"releases made without asking this ledger",
			"the raw data themselves: who collects, stores and reads them",
			"whether each release kept to the stack it was reserved with",
			"a file that was rolled back to an older end: compare the head with one kept elsewhere",
		},
	}
	for _, f := range []report.Fact{
		{Name: "Guarantee", Text: l.guarantee()},
		{Name: "Promised", Text: l.Open.At + ", before the first release"},
		{Name: "Rule", Text: about.Title + ": " + about.Rule},
		{Name: "Source", Text: about.Source},
		{Name: "Adaptive costs", Text: sprintfIf(l.breach == nil, "covered: cost, kind and number of the releases may depend on earlier answers, as the rule refuses what would break the promise")},
		{Name: "Unit of privacy", Text: report.Plain(l.Open.Unit)},
		{Name: "Adjacency", Text: l.Open.Adjacency},
		{Name: "Spent", Text: l.spentFact(status)},
		{Name: "Cancelled", Text: cancelledFact(status)},
		{Name: "Quotable now", Text: l.quotableFact(status)},
		{Name: "Not quotable", Text: planFact(status)},
		{Name: "Period", Text: l.periodFact(p)},
		{Name: "Blocks", Text: l.blocksFact()},
		{Name: "Window", Text: l.windowFact(l.terms.Epsilon, l.terms.Delta)},
		{Name: "Quotas", Text: sprintfIf(len(l.Promise.Quotas) > 0, "kept by analyst, for fairness; they guarantee nothing, as analysts may look at each other's answers. Only the promise over all of them does")},
		{Name: "Before it", Text: sprintfIf(l.Open.Follows != "", "this ledger follows one whose head was %s; for people in both, their ε add up, and their δ", l.Open.Follows)},
		{Name: "Broken", Text: status.Broken},
		{Name: "Records", Text: strconv.Itoa(len(l.Records))},
		{Name: "Head", Text: l.Head()},
	} {
		if f.Text != "" {
			st.Facts = append(st.Facts, f)
		}
	}
	return st, nil
}

func (l *Ledger) guarantee() string {
	if l.breach != nil {
		return "none: the promise was broken"
	}
	return report.Guarantee(l.Promise.ShownEpsilon(), l.Promise.Delta) + l.Promise.Scope()
}

func (l *Ledger) paragraph() string {
	about, name := l.Filter.Describe(), "this ledger"
	if l.Open.Data != "" {
		name = "“" + report.Plain(l.Open.Data) + "”"
	}
	if l.breach != nil {
		return fmt.Sprintf("The promise of ε = %s at δ = %s for %s does not hold: line %d records a release that does not fit. Nothing has been granted since.",
			l.Promise.ShownEpsilon(), l.Promise.Delta, name, l.breach.Seq+1)
	}
	made, held := 0, 0
	for _, r := range l.reservations {
		switch r.state {
		case Committed:
			made++
		case Held:
			held++
		}
	}
	scope := l.Promise.Scope()
	if l.Promise.Blocks != "" {
		scope += ","
	}
	text := fmt.Sprintf("Everything released under the ledger of %s%s together satisfies %s for %s, with respect to %s. ",
		name, scope, report.Guarantee(l.Promise.ShownEpsilon(), l.Promise.Delta), report.OneUnit(l.Open.Unit),
		report.NeighboursOf(l.adjacency()).Relation)
	text += fmt.Sprintf("The promise was fixed on %s, and %s keeps it [%s]: %s. ", l.Open.At[:10], "the "+about.Title, about.CiteKey, about.Rule)
	text += fmt.Sprintf("So far %s released and %s held, which counts as spent; the record ends with %s.", numeral.Plural(made, "request was", "requests were"), numeral.Plural(held, "is", "are"), shortHash(l.Head()))
	return text
}
