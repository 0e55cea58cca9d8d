package sheet

import (
	"fmt"

	"epsiloscope/scenarios/report"
)

var beliefColumns = []Column[report.Belief]{
	number("suspicion before", "prior", Right, report.StatedPercent, func(b report.Belief) float64 { return b.Prior }),
	number("at most after", "most", Right, report.Chance, func(b report.Belief) float64 { return b.Most }),
	number("at least after", "least", Right, report.ChanceDown, func(b report.Belief) float64 { return b.Least }),
}

// rateColumns are what the best test of membership achieves.
var rateColumns = []Column[report.Rate]{
	number("falsely accused", "false_positive_rate", Right, report.StatedPercent, func(r report.Rate) float64 { return r.False }),
	number("recognised at most", "true_positive_rate", Right, report.Chance, func(r report.Rate) float64 { return r.True }),
}

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

// Person is what the release means for a person, as a table.
func Person(p *report.Person) *Sheet {
	s := Of(fmt.Sprintf("what ε = %s at δ = %s means for %s", report.Upper(p.Epsilon), report.Stated(p.Delta), report.CoveredUnit(p.Unit, p.Rounds)), beliefColumns, p.Beliefs)
	s.Lines = p.Lines()
	s.Data = Record{
		{"epsilon", p.Epsilon}, {"delta", p.Delta}, {"method", p.Method}, {"unit", p.Unit},
		{"beliefs", RecordsOf(beliefColumns, p.Beliefs)}, {"except", p.Except}, {"advantage", p.Advantage},
		{"rates", RecordsOf(rateColumns, p.Rates)}, {"curve", p.Curve}, {"deployments", RecordsOf(rulerColumns, p.Ruler)},
	}
	s.more = []*Sheet{{Title: "the best test for " + p.Tested(), Notes: []string{"from " + p.Curve}, Grid: GridOf(rateColumns, p.Rates)}}
	if len(p.Ruler) > 0 {
		s.more = append(s.more, &Sheet{Title: "real deployments with the same unit, as reported",
			Lines: []string{"this one stands " + p.Between}, Grid: GridOf(rulerColumns, p.Ruler)})
	}
	return s
}
