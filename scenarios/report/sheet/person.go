package sheet

import (
	"fmt"

	"epsiloscope/scenarios/report"
)

var beliefColumns = []column[report.Belief]{
	{head: "suspicion before", align: Right, show: func(b report.Belief) string { return report.Chance(b.Prior) }, key: "prior", value: func(b report.Belief) any { return b.Prior }},
	{head: "at most after", align: Right, show: func(b report.Belief) string { return report.Chance(b.Most) }, key: "most", value: func(b report.Belief) any { return b.Most }},
	{head: "at least after", align: Right, show: func(b report.Belief) string { return report.ChanceDown(b.Least) }, key: "least", value: func(b report.Belief) any { return b.Least }},
}

// rateColumns are what the best test of membership achieves.
var rateColumns = []column[report.Rate]{
	{head: "falsely accused", align: Right, show: func(r report.Rate) string { return report.Chance(r.False) }, key: "false_positive_rate", value: func(r report.Rate) any { return r.False }},
	{head: "recognised at most", align: Right, show: func(r report.Rate) string { return report.Chance(r.True) }, key: "true_positive_rate", value: func(r report.Rate) any { return r.True }},
}

// rulerColumns set the release among real ones.
var rulerColumns = []column[report.Deployment]{
	{key: "name", value: func(d report.Deployment) any { return d.Name }},
	{key: "unit", value: func(d report.Deployment) any { return d.Unit }},
	{head: "ε", align: Decimal, show: func(d report.Deployment) string { return report.Short(d.Epsilon) }, key: "epsilon", value: func(d report.Deployment) any { return d.Epsilon }},
	{head: "δ", align: Right, show: func(d report.Deployment) string { return report.Short(d.Delta) }, key: "delta", value: func(d report.Deployment) any { return d.Delta }},
	{head: "deployment", show: report.Deployment.Label},
	{head: "unit", show: func(d report.Deployment) string { return d.Unit }},
	{head: "source", show: func(d report.Deployment) string { return d.Source }, key: "source", value: func(d report.Deployment) any { return d.Source }},
}

// Person is what the release means for a person, as a table.
func Person(p *report.Person) *Sheet {
	s := described(fmt.Sprintf("what ε = %s at δ = %s means for %s", report.Upper(p.Epsilon), report.Short(p.Delta), report.OneUnit(p.Unit)), beliefColumns, p.Beliefs)
	s.Lines = p.Lines()
	s.data = Record{
		{"epsilon", Number(p.Epsilon)}, {"delta", Number(p.Delta)}, {"method", p.Method}, {"unit", p.Unit},
		{"beliefs", recordsOf(beliefColumns, p.Beliefs)}, {"except", Number(p.Except)}, {"advantage", Number(p.Advantage)},
		{"rates", recordsOf(rateColumns, p.Rates)}, {"curve", p.Curve}, {"deployments", recordsOf(rulerColumns, p.Ruler)},
	}
	s.more = []*Sheet{{Title: "the best test for " + p.Tested(), Notes: []string{"from " + p.Curve}, grid: gridOf(rateColumns, p.Rates)}}
	if len(p.Ruler) > 0 {
		s.more = append(s.more, &Sheet{Title: "real deployments with the same unit, as reported",
			Lines: []string{"this one stands " + p.Between}, grid: gridOf(rulerColumns, p.Ruler)})
	}
	return s
}
