package sheet

import (
	"fmt"
	"slices"

	"epsiloscope/scenarios/report"
)

var beliefColumns = []Column[report.Belief]{
	number("suspicion before", "prior", Right, report.StatedPercent, func(b report.Belief) float64 { return b.Prior }),
	number("at most after", "most", Right, report.Chance, func(b report.Belief) float64 { return b.Most }),
	number("at least after", "least", Right, report.ChanceDown, func(b report.Belief) float64 { return b.Least }),
}

// rateColumns are the rates of the best membership test.
var rateColumns = []Column[report.Rate]{
	number("false-positive rate", "false_positive_rate", Right, report.StatedPercent, func(r report.Rate) float64 { return r.False }),
	number("found among members, at most", "true_positive_rate", Right, report.Chance, func(r report.Rate) float64 { return r.True }),
}

// sidedColumns are rateColumns and, at the same rate of errors, how many others are cleared.
var sidedColumns = append(slices.Clone(rateColumns),
	number("cleared among others, at most", "true_negative_rate", Right, report.Chance, func(r report.Rate) float64 { return r.Cleared }))

// rulerColumns set the release among real ones.
var rulerColumns = []Column[report.Deployment]{
	{Key: "name", Value: func(d report.Deployment) any { return d.Name }},
	{Key: "unit", Value: func(d report.Deployment) any { return d.Unit }},
	number("ε", "epsilon", Decimal, report.Short, func(d report.Deployment) float64 { return d.Epsilon }),
	number("δ", "delta", Right, report.Short, func(d report.Deployment) float64 { return d.Delta }),
	{Head: "deployment", Show: report.Deployment.Label},
	{Head: "unit", Show: func(d report.Deployment) string { return d.Unit }},
	words("source", "source", func(d report.Deployment) string { return d.Source }),
}

// Person returns what the release means for a person, as a table: first what an attacker can do.
func Person(p *report.Person) *Sheet {
	columns, notes := rateColumns, []string{"from " + p.Curve}
	if p.IsOneSided() {
		columns = sidedColumns
		notes = append(notes, "cleared among others: the share of the others that a test can clear if it clears that share of the members")
	}
	s := NewSheet(fmt.Sprintf("what ε = %s at δ = %s means for %s", report.Upper(p.Epsilon), report.FormatGiven(p.Delta), report.CoveredUnit(p.Unit, p.Rounds)), columns, p.Rates)
	s.Lines, s.Notes = p.Lines(), notes
	s.Data = Record{
		{"epsilon", p.Epsilon}, {"delta", p.Delta}, {"method", p.Method}, {"unit", p.Unit},
		{"advantage", p.Advantage}, {"rates", RecordsOf(sidedColumns, p.Rates)}, {"curve", p.Curve},
		{"beliefs", RecordsOf(beliefColumns, p.Beliefs)}, {"except", p.Except}, {"deployments", RecordsOf(rulerColumns, p.Ruler)},
	}
	s.more = []*Sheet{{Title: "how far a suspicion about a person can grow", Grid: GridOf(beliefColumns, p.Beliefs)}}
	if len(p.Ruler) > 0 {
		s.more = append(s.more, &Sheet{Title: "real deployments with the same unit, as reported",
			Lines: []string{"this one stands " + p.Between}, Grid: GridOf(rulerColumns, p.Ruler)})
	}
	return s
}
