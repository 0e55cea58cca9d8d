package ledger

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"epsiloscope/accounting"
	"epsiloscope/accounting/adaptive"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/numeral"
	"epsiloscope/scenarios/report"
)

// Period is a span of time; a zero end is open.
type Period struct{ From, To time.Time }

func (p Period) whole() bool { return p.From.IsZero() && p.To.IsZero() }

// Statement is the paragraph to quote, with the facts behind it and the head.
func (l *Ledger) Statement(ctx context.Context, p Period, now time.Time) (*report.Statement, error) {
	status := l.Status(ctx, now)
	all, err := l.Everything(status.Block, p.From, p.To)
	if err != nil {
		return nil, err
	}
	about := l.Filter.About()
	epsilon, _ := strconv.ParseFloat(l.Promise.Epsilon, 64) // checked on reading
	delta, _ := strconv.ParseFloat(l.Promise.Delta, 64)
	st := &report.Statement{
		Title: cmp.Or(report.Plain(l.Open.Data), "This ledger"), Scenario: all, Paragraph: l.paragraph(),
		Bound: accounting.Bound{Method: accounting.Method(about.Kind), Status: accounting.Valid, Epsilon: epsilon, Delta: delta},
		References: []report.Reference{
			{Key: about.CiteKey, Text: about.Source, BibTeX: adaptive.BibTeX(about.CiteKey)},
		},
		NotCovered: []string{
			"releases that were not asked of this ledger",
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
		{Name: "Adaptive costs", Text: "covered: cost, kind and number of the releases may depend on earlier answers, as the rule refuses what would break the promise"},
		{Name: "Unit of privacy", Text: report.Plain(l.Open.Unit)},
		{Name: "Adjacency", Text: l.Open.Adjacency},
		{Name: "Spent", Text: l.spentFact(status)},
		{Name: "Quotable now", Text: l.odometerFact(status)},
		{Name: "Not quotable", Text: planFact(status)},
		{Name: "Period", Text: l.periodFact(p)},
		{Name: "Blocks", Text: l.blocksFact()},
		{Name: "Window", Text: l.windowFact(epsilon, delta)},
		{Name: "Amended", Text: when(l.Epsilon() != l.Promise.Epsilon, "requests are refused at ε = %s since; the promise to quote stays ε = %s, as the decision to stop earlier may have been taken by looking", l.Epsilon(), l.Promise.Epsilon)},
		{Name: "Quotas", Text: when(len(l.Promise.Quotas) > 0, "kept by asker, for fairness; they guarantee nothing, as askers may look at each other's answers. Only the promise over all of them does")},
		{Name: "Before it", Text: when(l.Open.Follows != "", "this ledger follows one whose head was %s; for people in both, their ε add up", l.Open.Follows)},
		{Name: "Broken", Text: l.breachFact()},
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
	return report.Guarantee(l.Promise.Epsilon, l.Promise.Delta)
}

func (l *Ledger) paragraph() string {
	about, name := l.Filter.About(), "this ledger"
	if l.Open.Data != "" {
		name = "“" + report.Plain(l.Open.Data) + "”"
	}
	if l.breach != nil {
		return fmt.Sprintf("The promise of ε = %s at δ = %s for %s does not hold: line %d records a release that does not fit. Nothing has been granted since.",
			l.Promise.Epsilon, l.Promise.Delta, name, l.breach.Seq+1)
	}
	made, held := 0, 0
	for _, r := range l.reserves {
		switch r.state {
		case Committed:
			made++
		case Held:
			held++
		}
	}
	scope := ""
	switch {
	case l.Promise.Blocks != "" && l.Promise.window > 0:
		scope = fmt.Sprintf(" within any %s, for data that lie in one %s,", l.Promise.Span(), l.Promise.Blocks)
	case l.Promise.Blocks != "":
		scope = fmt.Sprintf(", for data that lie in one %s,", l.Promise.Blocks)
	case l.Promise.window > 0:
		scope = fmt.Sprintf(" within any %s", l.Promise.Span())
	}
	text := fmt.Sprintf("Everything released under the ledger of %s%s together satisfies %s for %s, with respect to %s. ",
		name, scope, l.guarantee(), report.OneUnit(l.Open.Unit), report.NeighboursOf(l.adjacency()).Relation)
	text += fmt.Sprintf("The promise was fixed on %s, and %s keeps it [%s]: %s. ", l.Open.At[:10], "the "+about.Title, about.CiteKey, about.Rule)
	text += fmt.Sprintf("So far %s made and %s held, which counts as spent; the record ends with %s.", numeral.Plural(made, "release was", "releases were"), numeral.Plural(held, "is", "are"), short(l.Head()))
	return text
}

func (l *Ledger) spentFact(s *Status) string {
	text := fmt.Sprintf("%s %s spent, %s held, %s left of %s", s.Filter.Symbol, s.Upper(s.Spent), s.Upper(s.Held), s.Lower(s.Left), s.Lower(s.Budget))
	if s.Block != "" {
		text += ", in the block " + s.Block + ", which has least left"
	}
	return text
}

func (l *Ledger) odometerFact(s *Status) string {
	if s.Odometer == nil || *s.Odometer == 0 {
		return "the promise"
	}
	return fmt.Sprintf("the promise, or ε = %s at δ = %s by the odometer (%s): %s", report.Upper(*s.Odometer), l.Promise.Delta, s.Named, s.Sense)
}

func planFact(s *Status) string {
	if s.Plan == nil || *s.Plan == 0 {
		return ""
	}
	return fmt.Sprintf("ε = %s, the figure of a plan fixed in advance with the same releases: costs may have been chosen by looking", report.Upper(*s.Plan))
}

// periodFact is what a period added, for somebody who knows all earlier releases. Its
// odometer starts with the period, which must have been fixed beforehand.
func (l *Ledger) periodFact(p Period) string {
	if p.whole() {
		return ""
	}
	sum, n := l.zero(), 0
	block := l.fullest()
	for _, r := range l.Records {
		if l.counts(r, block) && within(r.time(), p.From, p.To) {
			sum, n = sum.Plus(r.Cost.Cost), n+1
		}
	}
	text := fmt.Sprintf("%s %s: %s, %s %s", span(p), numeral.Plural(n, "release", "releases"), l.Filter.About().Quantity, l.Filter.About().Symbol, adaptive.Upper(l.Filter.Spent(sum), l.Filter.About().Unit))
	if figure, name, _ := l.odometer(sum); figure != nil && l.Promise.Filter != adaptive.Plan {
		text += fmt.Sprintf("; to what was known before it adds at most ε = %s at δ = %s (%s), if the period was fixed beforehand", report.Upper(*figure), l.Promise.Delta, name)
	}
	return text + ". The promise is about the whole ledger, not about a period"
}

func span(p Period) string {
	var parts []string
	if !p.From.IsZero() {
		parts = append(parts, "from "+p.From.Format(stamp))
	}
	if !p.To.IsZero() {
		parts = append(parts, "before "+p.To.Format(stamp))
	}
	return strings.Join(parts, ", ")
}

func (l *Ledger) blocksFact() string {
	key := l.Promise.Blocks
	if key == "" {
		return ""
	}
	text := fmt.Sprintf("every %s has the whole budget, and a request is charged to each one it reads; it holds for data that lie in one %s, not for somebody who is in several", key, key)
	if l.adjacency() == mechanisms.Replace {
		text += fmt.Sprintf("; which %s a record is in must be public, else a change is a removal from one and an addition to another", key)
	}
	if l.Promise.Filter == adaptive.Basic {
		return text + "; the δ of releases is added up over all blocks"
	}
	return text + "; proven for data that were there at the start, not for data that arrive depending on earlier answers (in pure ε it is proven there too)"
}

// windowFact says what a window does not: budgets that renew add up.
func (l *Ledger) windowFact(epsilon, delta float64) string {
	if l.Promise.window == 0 {
		return ""
	}
	text := fmt.Sprintf("any span of %s stays within the budget, by the clocks of those who wrote. It says nothing about a longer time: somebody in the data for n spans has up to n·ε, after 12 of them ε = %s",
		l.Promise.Span(), report.Upper(12*epsilon))
	if l.Filter.About().Quantity == "rho" {
		rho, _ := strconv.ParseFloat(string(number(l.Filter, l.Filter.Budget())), 64)
		if twelve, _ := accounting.ConcentratedToEpsilon(12*rho, delta); twelve < 12*epsilon {
			text += fmt.Sprintf(" by adding up, %s by adding up ρ", report.Upper(twelve))
		}
	}
	return text + ". Over time, repeated questions about the same records can reveal arbitrarily much"
}

// when words a fact that holds under a condition; "" if it does not.
func when(holds bool, format string, args ...any) string {
	if !holds {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

func (l *Ledger) breachFact() string {
	if l.breach == nil {
		return ""
	}
	return fmt.Sprintf("on line %d: %s", l.breach.Seq+1, l.breach.Reason)
}
