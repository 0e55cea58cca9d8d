package chart

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
	"epsiloscope/scenarios"
)

// Options steer a chart. The zero value asks for closed forms on about sixty
// points, which is cheap enough for every change of a knob.
type Options struct {
	Entry     int                 // from 1; 0: the whole stack, or the first entry that has such a chart
	Methods   []accounting.Method // nil: every one that applies
	MaxK      float64             // right end of [EpsilonK]; 0: far enough for the scenario
	Points    int                 // 0: sixty
	Numerical bool                // ask the numerical accountant too
	Precision float64             // relative width asked of it; 0: [pld.DefaultWidth]
	MaxBars   int                 // at most so many bars, the rest as one; 0: all
}

// Kind is one kind of chart.
type Kind struct {
	Name  string // "epsilon-k"
	Title string // one line
	Build func(context.Context, *scenarios.Scenario, Options) (Chart, error)
	Tight bool // worth the numerical accountant: without it only bounds are shown
}

// Kinds lists every kind of chart, in the order in which menus show them.
func Kinds() []Kind {
	return []Kind{
		{"epsilon-k", "ε by method against rounds", EpsilonK, true},
		{"epochs", "ε by method against the epochs of a training", Epochs, true},
		{"profile", "δ against ε", Profile, true},
		{"renyi", "the Rényi curve and ε(α)", Renyi, false},
		{"loss", "the privacy loss, with δ beyond ε (an illustration)", Loss, true},
		{"tradeoff", "an attacker's two errors against each other", Tradeoff, true},
		{"noise", "density of an entry's answer on D and on D′", Noise, false},
		{"utility", "probability of every candidate, exact tail and the theorem", Utility, false},
		{"utility-epsilon", "chance of a bad choice against ε, exact beside the theorem", Tail, false},
		{"running-sums", "error of running sums, by factorisation at equal cost", RunningSums, false},
		{"bands", "error of running sums by bands, at the cost of a training", Bands, false},
		{"ledger", "ε so far after every entry", Ledger, false},
	}
}

// KindNamed finds a kind of chart by name.
func KindNamed(name string) (Kind, error) {
	var names []string
	for _, k := range Kinds() {
		if k.Name == name {
			return k, nil
		}
		names = append(names, k.Name)
	}
	return Kind{}, fmt.Errorf("there is no curve %q; known: %s", name, strings.Join(names, ", "))
}

func (o Options) points() int {
	if o.Points > 0 {
		return o.Points
	}
	return 60
}

func (o Options) wants(m accounting.Method) bool {
	return len(o.Methods) == 0 || slices.Contains(o.Methods, m)
}

// finely is the target for what is set now: it is read off beside the table, which has it as
// finely.
func finely(t accounting.Target) accounting.Target {
	t.Precision = min(t.Precision, pld.DefaultWidth)
	return t
}

func (o Options) target(s *scenarios.Scenario) accounting.Target {
	t, _ := s.Target(o.Precision)
	return t
}

// inOrder sorts methods as a comparison lists them.
func inOrder(list []accounting.Method) []accounting.Method {
	rank := map[accounting.Method]int{}
	for i, m := range accounting.Methods() {
		rank[m.Method] = i
	}
	slices.SortStableFunc(list, func(a, b accounting.Method) int { return rank[a] - rank[b] })
	return list
}
