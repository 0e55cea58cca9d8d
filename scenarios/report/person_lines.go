package report

import (
	"fmt"
	"math"

	"epsiloscope/scenarios"
)

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
