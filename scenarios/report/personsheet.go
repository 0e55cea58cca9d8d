package report

import (
	"fmt"
	"math"
	"strings"

	"epsiloscope/scenarios"
)

type jsonPerson struct {
	Epsilon   *float64        `json:"epsilon"`
	Delta     *float64        `json:"delta"`
	Method    string          `json:"method"`
	Unit      string          `json:"unit"`
	Beliefs   []jsonBelief    `json:"beliefs"`
	Except    *float64        `json:"except"`
	Advantage *float64        `json:"advantage"`
	Rates     []jsonRate      `json:"rates"`
	Curve     string          `json:"curve"`
	Ruler     []jsonYardstick `json:"deployments"`
}

type jsonBelief struct {
	Prior float64 `json:"prior"`
	Most  float64 `json:"most"`
	Least float64 `json:"least"`
}

type jsonRate struct {
	False float64 `json:"false_positive_rate"`
	True  float64 `json:"true_positive_rate"`
}

type jsonYardstick struct {
	Name    string   `json:"name"`
	Unit    string   `json:"unit"`
	Epsilon *float64 `json:"epsilon"`
	Delta   *float64 `json:"delta"`
	Source  string   `json:"source"`
}

// PersonSheet is what the release means for a person, as a table.
func PersonSheet(p *Person) *Sheet {
	s := &Sheet{Title: fmt.Sprintf("what ε = %s at δ = %s means for %s", Upper(p.Epsilon), Short(p.Delta), OneUnit(p.Unit))}
	s.Lines = p.Lines()
	s.grid = grid{align: []align{right, right, right}}
	s.grid.add("suspicion before", "at most after", "at least after")
	s.exact = [][]string{{"prior", "most", "least"}}
	for _, b := range p.Beliefs {
		s.grid.add(Odds(b.Prior), Odds(b.Most), OddsDown(b.Least))
		s.exact = append(s.exact, []string{cell(b.Prior), cell(b.Most), cell(b.Least)})
	}
	s.data = p.json()
	s.more = []*Sheet{p.attackSheet()}
	if len(p.Ruler) > 0 {
		s.more = append(s.more, p.rulerSheet())
	}
	return s
}

// attackSheet is what the best test of membership achieves.
func (p *Person) attackSheet() *Sheet {
	s := &Sheet{Title: "the best test for " + p.Tested(), Notes: []string{"from " + p.Curve}}
	s.grid = grid{align: []align{right, right}}
	s.grid.add("falsely accused", "recognised at most")
	for _, r := range p.Rates {
		s.grid.add(Odds(r.False), Odds(r.True))
	}
	return s
}

// rulerSheet sets the release among real ones.
func (p *Person) rulerSheet() *Sheet {
	s := &Sheet{Title: "real deployments with the same unit, as reported", Lines: []string{"this one stands " + p.Between}}
	s.grid = grid{align: []align{decimal, right, left, left, left}}
	s.grid.add("ε", "δ", "deployment", "unit", "source")
	for _, d := range p.Ruler {
		s.grid.add(Short(d.Epsilon), Short(d.Delta), d.Label(), d.Unit, d.Source)
	}
	return s
}

func (p *Person) json() jsonPerson {
	j := jsonPerson{
		Epsilon: number(p.Epsilon), Delta: number(p.Delta), Method: string(p.Method), Unit: p.Unit,
		Except: number(p.Except), Advantage: number(p.Advantage), Curve: p.Curve, Ruler: []jsonYardstick{},
	}
	for _, b := range p.Beliefs {
		j.Beliefs = append(j.Beliefs, jsonBelief(b))
	}
	for _, r := range p.Rates {
		j.Rates = append(j.Rates, jsonRate(r))
	}
	for _, d := range p.Ruler {
		j.Ruler = append(j.Ruler, jsonYardstick{d.Name, d.Unit, number(d.Epsilon), number(d.Delta), d.Source})
	}
	return j
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
	lines = append(lines, fmt.Sprintf("Told to guess between %s, each as likely, the best attacker is right in at most %s cases (advantage %s).",
		NeighboursOf(p.Adjacency).Between, Odds((1+p.Advantage)/2), Upper(p.Advantage)))
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
