package plan

import (
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/document"
)

// question is one unknown of the scenario.
type question struct {
	solve string
	entry int // from 1; 0 for the whole scenario
}

// knobs are those that turn an unknown of another name.
var knobs = map[string]string{"noise_multiplier": "sigma", document.KnobDelta: "delta"}

// questions are what can be solved for: the selected entry's own, then those of the
// whole scenario.
func (p *Screen) questions() []question {
	var list []question
	if row, ok := p.Doc.Selected(); ok {
		entry := row.Top() + 1
		for _, name := range plan.SolvableFor(p.Doc.Scenario().Stack[row.Top()]) {
			list = append(list, question{name, entry})
		}
		list = append(list, question{"scale", 0}, question{"rounds", 0}, question{"delta", 0})
	}
	return list
}

// asked is the question that stands.
func (p *Screen) asked() (question, bool) {
	list := p.questions()
	if len(list) == 0 {
		return question{}, false
	}
	return list[min(p.question, len(list)-1)], true
}

// unknown is what can be solved for, in words.
type unknown struct {
	words  string // what is asked
	symbol string // on an axis
	answer string // the best answer, which stands for %
	none   string // no value of it
	whole  bool   // only whole numbers answer
}

var unknowns = map[string]unknown{
	"count":     {"how many copies", "K", "% copies", "not even one copy", true},
	"epsilon":   {"ε", "ε₀", "ε = %", "no ε", false},
	"sigma":     {"σ", "σ", "σ = %", "no σ", false},
	"steps":     {"steps", "steps", "% steps", "not even one step", true},
	"n":         {"records n", "n", "n = %", "no number of records", true},
	"max_batch": {"the smallest harmless max_batch", "max_batch", "max_batch = %", "no max_batch", true},
	"scale":     {"one factor on all the noise", "noise factor", "noise × %", "no factor on the noise", false},
	"rounds":    {"rounds of the whole stack", "rounds", "% rounds", "not even one round", true},
	"delta":     {"the smallest δ", "δ", "δ = %", "no δ", false},
}

// unknown is what is solved for in this scenario: the noise of a training is z, not σ.
func (q question) unknown(s *scenarios.Scenario) unknown {
	u := unknowns[q.solve]
	if symbol := report.Unknown(s, q.solve, q.entry); q.solve == "sigma" {
		u = unknown{symbol, symbol, symbol + " = %", "no " + symbol, false}
	}
	return u
}

// of says whose unknown is meant.
func (q question) of(s *scenarios.Scenario, words string) string {
	if q.entry < 1 || q.entry > len(s.Stack) {
		return words
	}
	return words + " of “" + report.EntryName(s.Stack[q.entry-1]) + "”"
}

// name says what is asked.
func (q question) name(s *scenarios.Scenario) string { return q.of(s, q.unknown(s).words) }

// nowText is what the unknown is at present.
func nowText(s *scenarios.Scenario, q question) string {
	if now, stated := plan.Now(s, q.solve, q.entry); stated {
		return ", now " + report.Short(now)
	}
	return ""
}
