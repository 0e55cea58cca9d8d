package report

import (
	"fmt"
	"math"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// PersonSheet is what the release means for a person, as a table.
func PersonSheet(p *Person) *Sheet {
	s := &Sheet{Title: fmt.Sprintf("what ε = %s at δ = %s means for %s", Upper(p.Epsilon), Short(p.Delta), OneUnit(p.Unit))}
	s.Lines = append(s.Lines, p.Lines()...)
	s.grid = grid{align: []align{right, right, right}}
	s.grid.add("suspicion before", "at most after", "at least after")
	s.exact = [][]string{{"prior", "most", "least"}}
	type belief struct {
		Prior float64 `json:"prior"`
		Most  float64 `json:"most"`
		Least float64 `json:"least"`
	}
	type rate struct {
		False float64 `json:"false_positive_rate"`
		True  float64 `json:"true_positive_rate"`
	}
	type yardstick struct {
		Name    string   `json:"name"`
		Unit    string   `json:"unit"`
		Epsilon *float64 `json:"epsilon"`
		Delta   *float64 `json:"delta"`
		Source  string   `json:"source"`
	}
	data := struct {
		Epsilon   *float64    `json:"epsilon"`
		Delta     *float64    `json:"delta"`
		Method    string      `json:"method"`
		Unit      string      `json:"unit"`
		Beliefs   []belief    `json:"beliefs"`
		Except    *float64    `json:"except"`
		Advantage *float64    `json:"advantage"`
		Rates     []rate      `json:"rates"`
		Curve     string      `json:"curve"`
		Ruler     []yardstick `json:"deployments"`
	}{number(p.Epsilon), number(p.Delta), string(p.Method), p.Unit, nil, number(p.Except), number(p.Advantage), nil, p.Curve, []yardstick{}}
	for _, b := range p.Beliefs {
		s.grid.add(Odds(b.Prior), Odds(b.Most), OddsDown(b.Least))
		s.exact = append(s.exact, []string{cell(b.Prior), cell(b.Most), cell(b.Least)})
		data.Beliefs = append(data.Beliefs, belief(b))
	}
	for _, r := range p.Rates {
		data.Rates = append(data.Rates, rate(r))
	}
	attack := &Sheet{Title: "the best test for " + p.Tested()}
	attack.grid = grid{align: []align{right, right}}
	attack.grid.add("falsely accused", "recognised at most")
	for _, r := range p.Rates {
		attack.grid.add(Odds(r.False), Odds(r.True))
	}
	attack.Notes = []string{"from " + p.Curve}
	s.more = []*Sheet{attack}
	if len(p.Ruler) > 0 {
		ruler := &Sheet{Title: "real deployments with the same unit, as reported"}
		ruler.Lines = []string{"this one stands " + p.Between}
		ruler.grid = grid{align: []align{decimal, right, left, left, left}}
		ruler.grid.add("ε", "δ", "deployment", "unit", "source")
		for _, d := range p.Ruler {
			ruler.grid.add(Short(d.Epsilon), Short(d.Delta), d.Label(), d.Unit, d.Source)
			data.Ruler = append(data.Ruler, yardstick{d.Name, d.Unit, number(d.Epsilon), number(d.Delta), d.Source})
		}
		s.more = append(s.more, ruler)
	}
	s.data = data
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
	between := "in and out"
	if p.Adjacency == mechanisms.Replace {
		between = "two records somebody might have"
	}
	lines = append(lines, fmt.Sprintf("Told to guess between %s, each as likely, the best attacker is right in at most %s cases (advantage %s).",
		between, Odds((1+p.Advantage)/2), Upper(p.Advantage)))
	if p.Window != (scenarios.Window{}) {
		lines = append(lines, fmt.Sprintf("This is for one %s; somebody there every %s of a year has ε = %s added up.", p.Window.Name, p.Window.Name, Upper(p.Yearly)))
	}
	return lines
}

// Tested is what an attacker wants to know, which depends on what neighbours are.
func (p *Person) Tested() string {
	if p.Adjacency == mechanisms.Replace {
		return "which of two records somebody has"
	}
	return "whether somebody is in the data"
}

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
