package document

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/numeral"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
)

// The knobs that are not parameters of a mechanism.
const (
	KnobCount  = "count"
	KnobDelta  = "budget.delta"
	KnobAlpha  = "alpha"
	KnobBudget = "budget.epsilon"
)

// paramBatch is the parameter that the rate and the steps of a training follow.
const paramBatch = "batch"

// Knob is one number that can be turned: of the selected entry or of the scenario.
type Knob struct {
	Name, Symbol string
	Scope        string // "this entry", "total"
	Value        float64
	Text         string
	Lo, Hi       float64 // ends of the slider
	Log          bool
	Digits       int
	Param        param.Param
	set          func(x float64) error
}

// Knobs are those of the selected entry, then those of the scenario. The first is
// the entry's main parameter, the second how often it runs. The α knob stands at best,
// the order the Rényi column found, where none is pinned; NaN while that is unknown.
func (d *Document) Knobs(best float64) []Knob {
	var ks []Knob
	if row, ok := d.Selected(); ok {
		ks = d.entryKnobs(row)
	}
	return append(ks, d.scenarioKnobs(best)...)
}

func (d *Document) entryKnobs(row Row) []Knob {
	count := Knob{
		Name: KnobCount, Symbol: "K", Scope: "this entry", Value: row.Entry.Count, Text: report.Short(row.Entry.Count),
		Lo: 1, Hi: 1e6, Log: true, Digits: 2,
		Param: scenarios.EntryField(KnobCount),
		set:   d.setCount,
	}
	if row.Block() {
		return []Knob{count}
	}
	spec := row.Entry.Spec()
	ks := make([]Knob, 0, len(spec.Params)+4) // with the count and the scenario's own
	batch, batched := d.Scenario().Equivalents(row.Entry.Mechanism, row.Entry.Values)[paramBatch]
	for _, p := range spec.Params {
		if p.Type != param.Number && p.Type != param.Whole {
			continue
		}
		x, ok := Number(row.Entry, p)
		switch { // a training whose records are known has a batch, however it was stated, and its rate follows
		case batched && p.Name == spec.Rate:
			continue
		case batched && p.Name == paramBatch:
			x, ok = batch, true
		}
		if !ok {
			continue
		}
		k := Knob{
			Name: p.Name, Symbol: PlainSymbol(p), Scope: "this entry", Value: x, Text: report.Short(x), Log: p.Log, Digits: 2, Param: p,
			set: func(x float64) error { return d.setParam(p, x) },
		}
		k.Lo, k.Hi = sliderEnds(p, x)
		ks = append(ks, k)
	}
	return slices.Insert(ks, min(1, len(ks)), count)
}

// PlainSymbol drops subscripts: a knob has little room.
func PlainSymbol(p param.Param) string {
	s := strings.TrimRight(p.Symbol, "₁₂")
	if s == "" {
		return p.Name
	}
	return s
}

// sliderEnds are the ends of a slider: the allowed range where it is bounded, else
// a few decades in which people work.
func sliderEnds(p param.Param, x float64) (lo, hi float64) {
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

func (d *Document) scenarioKnobs(best float64) []Knob {
	s := d.Scenario()
	delta := Knob{
		Name: KnobDelta, Symbol: "δ", Scope: "total", Value: s.Budget.Delta, Text: report.Short(s.Budget.Delta), Lo: 1e-12, Hi: 1e-1, Log: true, Digits: 1,
		Param: scenarios.ScenarioField(KnobDelta),
		set: func(x float64) error {
			d.Change("δ", func(s *scenarios.Scenario) { s.Budget.Delta = x })
			return nil
		},
	}
	alpha := Knob{
		Name: KnobAlpha, Symbol: "α", Scope: "auto", Value: s.Alpha, Text: "auto", Lo: 1.01, Hi: 1000, Log: true, Digits: 2,
		Param: scenarios.ScenarioField(KnobAlpha),
		set: func(x float64) error {
			d.Change("α", func(s *scenarios.Scenario) { s.Alpha = x })
			return nil
		},
	}
	if s.Alpha > 0 {
		alpha.Text, alpha.Scope = report.Short(s.Alpha), "pinned"
	} else {
		alpha.Value = best
	}
	budget := Knob{
		Name: KnobBudget, Symbol: "budget", Scope: "total ε", Value: s.Budget.Epsilon, Text: report.Short(s.Budget.Epsilon), Lo: 1e-2, Hi: 1e2, Log: true, Digits: 2,
		Param: OrNone(KnobBudget),
		set: func(x float64) error {
			d.Change("budget", func(s *scenarios.Scenario) { s.Budget.Epsilon = x })
			return nil
		},
	}
	if s.Budget.Epsilon == 0 {
		budget.Text, budget.Value = "none", math.NaN()
	}
	return []Knob{delta, alpha, budget}
}

func (d *Document) setCount(x float64) error {
	return d.Edit("count", func(e *scenarios.Entry) { e.Count = x })
}

func (d *Document) setParam(p param.Param, x float64) error {
	row, ok := d.Selected()
	if !ok {
		return ErrEmpty
	}
	trial := *row.Entry
	setValue(&trial, p.Name, param.Value{Type: p.Type, Number: x})
	if m, err := mechanisms.New(row.Entry.Mechanism, row.Entry.Values); err == nil && p.Name == paramBatch {
		if training, ok := m.(mechanisms.Batched); ok { // as many epochs, so the rate and the steps move together
			if trial.Values, err = training.Rebatched(row.Entry.Values, d.Scenario().Records, x); err != nil {
				return err
			}
		}
	}
	if _, err := mechanisms.New(trial.Mechanism, trial.Values); err != nil {
		return err
	}
	return d.Edit(PlainSymbol(p), func(e *scenarios.Entry) { e.Values = trial.Values })
}

// Stepped is the next value in a direction, kept inside the allowed range.
func (k Knob) Stepped(by int, coarse bool) (float64, error) {
	x := k.Value
	switch {
	case k.Name == KnobAlpha && math.IsNaN(x):
		return 0, errors.New("no Rényi bound applies here, so there is no order to start from; = types one")
	case math.IsNaN(x) || x == 0 && k.Log:
		x = map[string]float64{KnobDelta: 1e-6, KnobBudget: 1}[k.Name]
	case !k.Log && coarse:
		x += float64(by) * 10 * k.Param.Step
	case !k.Log:
		x += float64(by) * k.Param.Step
	case coarse:
		x = Scale(x, by)
	case k.Name == "sensitivity" && x >= 1 && x == math.Trunc(x) && x+float64(by) >= 1:
		x += float64(by) // a sensitivity is whole more often than not
	default:
		x = Step(x, by, k.Digits, k.Param.Type == param.Whole)
	}
	if k.Param.Type == param.Whole {
		x = math.Round(x)
	}
	return k.clamp(x), nil
}

// clamp keeps a step inside the range; an open end is never reached.
func (k Knob) clamp(x float64) float64 {
	if x > k.Param.Max || k.Param.OpenMax && x >= k.Param.Max {
		if k.Param.OpenMax || math.IsInf(k.Param.Max, 1) {
			return k.Value
		}
		return k.Param.Max
	}
	if x < k.Param.Min || k.Param.OpenMin && x <= k.Param.Min {
		if k.Param.OpenMin {
			return k.Value
		}
		return k.Param.Min
	}
	return x
}

// Put sets the Knob after checking the value against its range.
func (k Knob) Put(x float64) error {
	if problem := k.Param.CheckNumber(x); problem != "" {
		return fmt.Errorf("%s %s", k.Symbol, problem)
	}
	return k.set(x)
}

// Typed reads what was typed for a Knob; "auto" and "none" unset those that can be.
func (k Knob) Typed(s string) error {
	switch word := strings.ToLower(strings.TrimSpace(s)); {
	case k.Name == KnobAlpha && (word == "auto" || word == ""):
		return k.set(0)
	case k.Name == KnobBudget && (word == "none" || word == ""):
		return k.set(0)
	}
	x, err := numeral.Parse(s)
	if err != nil {
		return fmt.Errorf("%s %w", k.Symbol, err)
	}
	return k.Put(x)
}

// OrNone is a field of the scenario for which 0 stands for none.
func OrNone(path string) param.Param {
	p := scenarios.ScenarioField(path)
	p.Min, p.OpenMin = 0, false
	return p
}
