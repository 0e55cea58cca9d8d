package report

import (
	"fmt"
	"math"
	"strings"

	"epsiloscope/scenarios"
)

var beliefColumns = []column[Belief]{
	{head: "suspicion before", align: right, show: func(b Belief) string { return Chance(b.Prior) }, key: "prior", value: func(b Belief) any { return b.Prior }},
	{head: "at most after", align: right, show: func(b Belief) string { return Chance(b.Most) }, key: "most", value: func(b Belief) any { return b.Most }},
	{head: "at least after", align: right, show: func(b Belief) string { return ChanceDown(b.Least) }, key: "least", value: func(b Belief) any { return b.Least }},
}

// rateColumns are what the best test of membership achieves.
var rateColumns = []column[Rate]{
	{head: "falsely accused", align: right, show: func(r Rate) string { return Chance(r.False) }, key: "false_positive_rate", value: func(r Rate) any { return r.False }},
	{head: "recognised at most", align: right, show: func(r Rate) string { return Chance(r.True) }, key: "true_positive_rate", value: func(r Rate) any { return r.True }},
}

// rulerColumns set the release among real ones.
var rulerColumns = []column[Deployment]{
	{key: "name", value: func(d Deployment) any { return d.Name }},
	{key: "unit", value: func(d Deployment) any { return d.Unit }},
	{head: "ε", align: decimal, show: func(d Deployment) string { return Short(d.Epsilon) }, key: "epsilon", value: func(d Deployment) any { return d.Epsilon }},
	{head: "δ", align: right, show: func(d Deployment) string { return Short(d.Delta) }, key: "delta", value: func(d Deployment) any { return d.Delta }},
	{head: "deployment", show: Deployment.Label},
	{head: "unit", show: func(d Deployment) string { return d.Unit }},
	{head: "source", show: func(d Deployment) string { return d.Source }, key: "source", value: func(d Deployment) any { return d.Source }},
}

// PersonSheet is what the release means for a person, as a table.
func PersonSheet(p *Person) *Sheet {
	s := &Sheet{Title: fmt.Sprintf("what ε = %s at δ = %s means for %s", Upper(p.Epsilon), Short(p.Delta), OneUnit(p.Unit))}
	s.Lines = p.Lines()
	s.grid, s.exact = gridOf(beliefColumns, p.Beliefs), csvOf(beliefColumns, p.Beliefs)
	s.data = record{
		{"epsilon", number(p.Epsilon)}, {"delta", number(p.Delta)}, {"method", p.Method}, {"unit", p.Unit},
		{"beliefs", recordsOf(beliefColumns, p.Beliefs)}, {"except", number(p.Except)}, {"advantage", number(p.Advantage)},
		{"rates", recordsOf(rateColumns, p.Rates)}, {"curve", p.Curve}, {"deployments", recordsOf(rulerColumns, p.Ruler)},
	}
	s.more = []*Sheet{{Title: "the best test for " + p.Tested(), Notes: []string{"from " + p.Curve}, grid: gridOf(rateColumns, p.Rates)}}
	if len(p.Ruler) > 0 {
		s.more = append(s.more, &Sheet{Title: "real deployments with the same unit, as reported",
			Lines: []string{"this one stands " + p.Between}, grid: gridOf(rulerColumns, p.Ruler)})
	}
	return s
}

// Lines are the sentences a person may be told.
func (p *Person) Lines() []string {
	var lines []string
	switch {
	case p.Delta == 0:
		lines = append(lines, "Whatever an attacker knows, the odds of a suspicion grow at most by the factor e^ε = "+oddsFactor(p.Epsilon)+".")
	default:
		lines = append(lines, fmt.Sprintf("Whatever an attacker knows, the odds of a suspicion grow at most by the factor e^ε = %s, except in outcomes of probability %s at most.",
			oddsFactor(p.Epsilon), Upper(p.Except)))
	}
	lines = append(lines, fmt.Sprintf("Guessing %s at even odds, the best attacker is right at most %s of the time (advantage %s).",
		NeighboursOf(p.Adjacency).Between, Chance((1+p.Advantage)/2), Upper(p.Advantage)))
	if p.Window != (scenarios.Window{}) {
		lines = append(lines, fmt.Sprintf("This is for one %s; somebody there every %s of a year has ε = %s added up.", p.Window.Name, p.Window.Name, Upper(p.Yearly)))
	}
	return lines
}

// Tested is what an attacker wants to know, which depends on what neighbours are.
func (p *Person) Tested() string { return NeighboursOf(p.Adjacency).Tested }

func oddsFactor(epsilon float64) string {
	if epsilon > 700 {
		return "more than 1e304"
	}
	return Upper(math.Exp(epsilon))
}

// OneUnit names what is protected: "one user-day".
func OneUnit(unit string) string {
	switch unit = Plain(unit); {
	case unit == "":
		return "one record"
	case strings.HasPrefix(unit, "one ") || strings.HasPrefix(unit, "a ") || strings.HasPrefix(unit, "not "):
		return unit
	}
	return "one " + unit
}
