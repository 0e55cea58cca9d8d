package tui

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/document"
)

// The knobs that are not parameters of a mechanism.
const (
	knobCount  = "count"
	knobDelta  = "budget.delta"
	knobAlpha  = "alpha"
	knobBudget = "budget.epsilon"
)

// knob is one number that can be turned: of the selected entry or of the scenario.
type knob struct {
	name, symbol string
	scope        string // "this entry", "total"
	value        float64
	text         string
	lo, hi       float64 // ends of the slider
	log          bool
	digits       int
	param        mechanisms.Param
	set          func(a *App, x float64) error
}

func short(x float64) string { return report.Short(x) }

// knobs are those of the selected entry, then those of the scenario. The first is
// the entry's main parameter, the second how often it runs.
func (a *App) knobs() []knob {
	var ks []knob
	if row, ok := a.doc.Selected(); ok {
		ks = entryKnobs(row)
	}
	return append(ks, a.scenarioKnobs()...)
}

func entryKnobs(row document.Row) []knob {
	count := knob{
		name: knobCount, symbol: "K", scope: "this entry", value: row.Entry.Count, text: short(row.Entry.Count),
		lo: 1, hi: 1e6, log: true, digits: 2,
		param: scenarios.EntryField("count"), set: setCount,
	}
	if row.Block() {
		return []knob{count}
	}
	spec, _ := mechanisms.Lookup(row.Entry.Mechanism)
	ks := make([]knob, 0, len(spec.Params)+4) // with the count and the scenario's own
	for _, p := range spec.Params {
		if p.Type != mechanisms.Number && p.Type != mechanisms.Whole {
			continue
		}
		x, ok := document.Number(row.Entry, p)
		if !ok {
			continue
		}
		k := knob{
			name: p.Name, symbol: plainSymbol(p), scope: "this entry", value: x, text: short(x), log: p.Log, digits: 2, param: p,
			set: func(a *App, x float64) error { return setParam(a, p, x) },
		}
		k.lo, k.hi = sliderEnds(p, x)
		ks = append(ks, k)
	}
	return slices.Insert(ks, min(1, len(ks)), count)
}

// plainSymbol drops subscripts: a knob has little room.
func plainSymbol(p mechanisms.Param) string {
	s := strings.TrimRight(p.Symbol, "₁₂")
	if s == "" {
		return p.Name
	}
	return s
}

// sliderEnds are the ends of a slider: the allowed range where it is bounded, else
// a few decades in which people work.
func sliderEnds(p mechanisms.Param, x float64) (lo, hi float64) {
	lo, hi = p.Min, p.Max
	if p.Log { // two decades on either side of where a new entry starts
		middle := p.Initial.Number
		if !(middle > 0) {
			middle = 1
		}
		lo, hi = math.Max(lo, middle/100), math.Min(hi, middle*100)
		return math.Min(lo, x), math.Max(hi, x)
	}
	if math.IsInf(lo, -1) {
		lo = math.Min(-10*p.Step, x)
	}
	if math.IsInf(hi, 1) {
		hi = math.Max(10*p.Step, x)
	}
	return lo, math.Max(hi, lo+1)
}

func (a *App) scenarioKnobs() []knob {
	s := a.doc.Scenario()
	delta := knob{
		name: knobDelta, symbol: "δ", scope: "total", value: s.Budget.Delta, text: short(s.Budget.Delta), lo: 1e-12, hi: 1e-1, log: true, digits: 1,
		param: scenarios.ScenarioField(knobDelta),
		set: func(a *App, x float64) error {
			a.doc.Change("δ", func(s *scenarios.Scenario) { s.Budget.Delta = x })
			return nil
		},
	}
	alpha := knob{
		name: knobAlpha, symbol: "α", scope: "auto", value: s.Alpha, text: "auto", lo: 1.01, hi: 1000, log: true, digits: 2,
		param: scenarios.ScenarioField(knobAlpha),
		set: func(a *App, x float64) error {
			a.doc.Change("α", func(s *scenarios.Scenario) { s.Alpha = x })
			return nil
		},
	}
	if s.Alpha > 0 {
		alpha.text, alpha.scope = short(s.Alpha), "pinned"
	} else {
		alpha.value = a.bestAlpha()
	}
	budget := knob{
		name: knobBudget, symbol: "budget", scope: "total ε", value: s.Budget.Epsilon, text: short(s.Budget.Epsilon), lo: 1e-2, hi: 1e2, log: true, digits: 2,
		param: orNone(knobBudget),
		set: func(a *App, x float64) error {
			a.doc.Change("budget", func(s *scenarios.Scenario) { s.Budget.Epsilon = x })
			return nil
		},
	}
	if s.Budget.Epsilon == 0 {
		budget.text, budget.value = "none", math.NaN()
	}
	return []knob{delta, alpha, budget}
}

// orNone is a field of the scenario for which 0 stands for none.
func orNone(path string) mechanisms.Param {
	p := scenarios.ScenarioField(path)
	p.Min, p.OpenMin = 0, false
	return p
}

// bestAlpha is the order the Rényi column found best; NaN while unknown.
func (a *App) bestAlpha() float64 {
	if b, ok := find(a.result, accounting.RDP); ok && b.Finite() && b.Alpha > 1 {
		return b.Alpha
	}
	return math.NaN()
}

func setCount(a *App, x float64) error {
	return a.doc.Edit("count", func(e *scenarios.Entry) { e.Count = x })
}

func setParam(a *App, p mechanisms.Param, x float64) error {
	row, ok := a.doc.Selected()
	if !ok {
		return document.ErrEmpty
	}
	trial := *row.Entry
	document.SetValue(&trial, p.Name, mechanisms.Value{Type: p.Type, Number: x})
	if _, err := mechanisms.New(trial.Mechanism, trial.Values); err != nil {
		return err
	}
	return a.doc.Edit(plainSymbol(p), func(e *scenarios.Entry) { e.Values = trial.Values })
}

// active is the knob that + and − turn: the one chosen, or the first if the
// selected entry does not have it.
func (a *App) active() (knob, bool) {
	ks := a.knobs()
	if len(ks) == 0 {
		return knob{}, false
	}
	return ks[a.activeOf(ks)], true
}

// activeOf is the place of the active knob among ks.
func (a *App) activeOf(ks []knob) int {
	return max(0, slices.IndexFunc(ks, func(k knob) bool { return k.name == a.knob }))
}

func (a *App) nextKnob(by int) {
	if ks := a.knobs(); len(ks) > 0 {
		a.knob = ks[(a.activeOf(ks)+by+len(ks))%len(ks)].name
	}
}

// turn moves the active knob by one step, or by a factor of ten.
func (a *App) turn(by int, coarse bool) error {
	k, ok := a.active()
	if !ok {
		return document.ErrEmpty
	}
	if k.name == knobAlpha && math.IsNaN(k.value) && a.pending {
		return errors.New("the best order is still being computed; press again, or = to type one")
	}
	x, err := k.stepped(by, coarse)
	if err != nil {
		return err
	}
	if x == k.value && k.text != "auto" {
		return nil
	}
	return k.put(a, x)
}

// stepped is the next value in a direction, kept inside the allowed range.
func (k knob) stepped(by int, coarse bool) (float64, error) {
	x := k.value
	switch {
	case k.name == knobAlpha && math.IsNaN(x):
		return 0, errors.New("no Rényi bound applies here, so there is no order to start from; = types one")
	case math.IsNaN(x) || x == 0 && k.log:
		x = map[string]float64{knobDelta: 1e-6, knobBudget: 1}[k.name]
	case !k.log && coarse:
		x += float64(by) * 10 * k.param.Step
	case !k.log:
		x += float64(by) * k.param.Step
	case coarse:
		x = document.Scale(x, by)
	case k.name == "sensitivity" && x >= 1 && x == math.Trunc(x) && x+float64(by) >= 1:
		x += float64(by) // a sensitivity is whole more often than not
	default:
		x = document.Step(x, by, k.digits, k.param.Type == mechanisms.Whole)
	}
	if k.param.Type == mechanisms.Whole {
		x = math.Round(x)
	}
	return k.clamp(x), nil
}

// clamp keeps a step inside the range; an open end is never reached.
func (k knob) clamp(x float64) float64 {
	if x > k.param.Max || k.param.OpenMax && x >= k.param.Max {
		if k.param.OpenMax || math.IsInf(k.param.Max, 1) {
			return k.value
		}
		return k.param.Max
	}
	if x < k.param.Min || k.param.OpenMin && x <= k.param.Min {
		if k.param.OpenMin {
			return k.value
		}
		return k.param.Min
	}
	return x
}

// put sets the knob after checking the value against its range.
func (k knob) put(a *App, x float64) error {
	if problem := k.param.CheckNumber(x); problem != "" {
		return fmt.Errorf("%s %s", k.symbol, problem)
	}
	return k.set(a, x)
}

// typed reads what was typed for a knob; "auto" and "none" unset those that can be.
func (k knob) typed(a *App, s string) error {
	switch word := strings.ToLower(strings.TrimSpace(s)); {
	case k.name == knobAlpha && (word == "auto" || word == ""):
		return k.set(a, 0)
	case k.name == knobBudget && (word == "none" || word == ""):
		return k.set(a, 0)
	}
	x, err := mechanisms.ParseNumber(s)
	if err != nil {
		return fmt.Errorf("%s %w", k.symbol, err)
	}
	return k.put(a, x)
}
