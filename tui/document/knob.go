package document

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

// The knobs that are not parameters of a mechanism.
const (
	KnobCount  = "count"
	KnobDelta  = "budget.delta"
	KnobAlpha  = "alpha"
	KnobBudget = "budget.epsilon"
)

// BudgetSymbol is the symbol of the knob of the budget, whether it limits ε or a harm.
const BudgetSymbol = "budget"

// ParamBatch is the parameter that the rate and the steps of a training follow.
const ParamBatch = "batch"

// Knob is a number that can be turned: of the selected entry or of the scenario.
type Knob struct {
	Name, Symbol string
	Scope        string // "this entry", "total"
	Value        float64
	Text         string
	Lo, Hi       float64 // ends of the slider
	Log          bool
	Digits       int
	Param        param.Param
	Unset        string // the word that takes the value away; "" if it must have one
	set          func(x float64) error
}

// Knobs returns the knobs of the selected entry, then those of the scenario. The first is the
// entry's main parameter, the second how often it runs. The α knob stands at best, the Rényi
// order that the bound found, if none is pinned; NaN while that is unknown.
func (d *Document) Knobs(best float64) []Knob {
	var ks []Knob
	if row, ok := d.SelectedRow(); ok {
		ks = d.entryKnobs(row)
	}
	return append(ks, d.scenarioKnobs(best)...)
}

// entryKnobs returns the numerical parameters of a row that have a value, with its count behind the first.
func (d *Document) entryKnobs(row Row) []Knob {
	count := Knob{
		Name: KnobCount, Symbol: "K", Scope: "this entry", Value: row.Entry.Count, Text: report.Short(row.Entry.Count),
		Lo: 1, Hi: 1e6, Log: true, Digits: 2,
		Param: scenarios.EntryField(KnobCount),
		set:   func(x float64) error { return d.Edit(KnobCount, func(e *scenarios.Entry) { e.Count = x }) },
	}
	if row.Block() {
		return []Knob{count}
	}
	spec := row.Entry.Spec()
	ks := make([]Knob, 0, len(spec.Params)+4) // with the count and the scenario's own
	batch, batched := d.ScenarioFor(row).Equivalents(row.Entry)[ParamBatch]
	for _, p := range spec.Params {
		if p.Type != param.Number && p.Type != param.Whole {
			continue
		}
		x, ok := numberOf(row.Entry, p)
		switch { // a training whose records are known has a batch, however it was stated, and its rate follows
		case batched && p.Name == spec.Rate:
			continue
		case batched && p.Name == ParamBatch:
			x, ok = batch, true
		}
		if !ok || p.Name == "sensitivity" && row.Entry.Query.IsSet() { // it follows from the query
			continue
		}
		k := Knob{
			Name: p.Name, Symbol: PlainSymbol(p), Scope: "this entry", Param: p,
			Value: x, Text: report.Short(x), Log: p.Log, Digits: 2,
			set: func(x float64) error { return d.setParam(row, p, x) },
		}
		k.Lo, k.Hi = sliderEnds(p, x)
		ks = append(ks, k)
	}
	return slices.Insert(ks, min(1, len(ks)), count)
}

// PlainSymbol drops subscripts: a knob has little room.
func PlainSymbol(p param.Param) string {
	return cmp.Or(strings.TrimRight(p.Symbol, "₁₂"), p.Name)
}

// sliderEnds returns the ends of a slider: the allowed range where it is bounded, else
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

// scenarioKnobs returns δ, the Rényi order and the budget, which is an ε or a harm.
func (d *Document) scenarioKnobs(best float64) []Knob {
	s := d.Scenario()
	type place func(*scenarios.Scenario) *float64
	knob := func(name, symbol, scope, unset string, lo, hi float64, digits int, at place) Knob {
		k := Knob{Name: name, Symbol: symbol, Scope: scope, Value: *at(s), Text: report.FormatGiven(*at(s)),
			Lo: lo, Hi: hi, Log: true, Digits: digits,
			Param: scenarios.ScenarioField(name), Unset: unset,
			set: func(x float64) error {
				d.Change(symbol, func(s *scenarios.Scenario) { *at(s) = x })
				return nil
			}}
		if unset != "" && k.Value == 0 {
			k.Text, k.Value = unset, math.NaN()
		}
		return k
	}
	total := func(s *scenarios.Scenario) *float64 { return &s.Budget.Delta }
	delta := knob(KnobDelta, "δ", "total", "", 1e-12, 1e-1, 1, total)
	if s.Budget.Delta == 0 { // under a budget of harm ε is stated at a δ all the same
		delta.Value = s.DeltaOfEpsilon()
		delta.Text = report.FormatGiven(delta.Value)
	}
	alpha := knob(KnobAlpha, "α", "pinned", "auto", 1.01, 1000, 2, func(s *scenarios.Scenario) *float64 { return &s.Alpha })
	epsilon := func(s *scenarios.Scenario) *float64 { return &s.Budget.Epsilon }
	budget := knob(KnobBudget, BudgetSymbol, "total ε", "none", 1e-2, 1e2, 2, epsilon)
	budget.Param = OrNone(KnobBudget)
	if kind := s.Budget.Harm.Kind(); kind != "" { // the budget is a harm, and that is what is turned
		harm := func(s *scenarios.Scenario) *float64 { return s.Budget.Harm.Field(kind) }
		budget = knob("budget."+kind, BudgetSymbol, kind, "", 1e-3, 1, 2, harm)
		put := budget.set
		budget.set = func(x float64) error {
			changed := s.Budget
			if *changed.Harm.Field(kind) = x; changed.Check() != nil {
				return changed.Check()
			}
			return put(x)
		}
	}
	if s.Alpha == 0 {
		alpha.Scope, alpha.Value = alpha.Unset, best
	}
	return []Knob{delta, alpha, budget}
}

// setParam sets a parameter of a row if the mechanism can be built with it; the rate and the steps of a training follow
// its batch.
func (d *Document) setParam(row Row, p param.Param, x float64) error {
	trial := *row.Entry
	if err := trial.SetNumber(p.Name, x); err != nil {
		return err
	}
	training, ok := mechanisms.BuildAs[mechanisms.Batched](row.Entry.Mechanism, row.Entry.Values)
	if ok && p.Name == ParamBatch { // as many epochs, so the rate and the steps move together
		var err error
		if trial.Values, err = training.WithBatchSize(row.Entry.Values, d.ScenarioFor(row).Records, x); err != nil {
			return err
		}
	}
	if _, err := mechanisms.New(trial.Mechanism, trial.Values); err != nil {
		return err
	}
	return d.Edit(PlainSymbol(p), func(e *scenarios.Entry) { e.Values = trial.Values })
}

// NumberIn returns the value of a numerical parameter of an entry in its scenario: a sensitivity that follows from a
// query, else [Number].
func NumberIn(s *scenarios.Scenario, e *scenarios.Entry, p param.Param) (x float64, ok bool) {
	if p.Name == "sensitivity" && e.Query.IsSet() {
		d, err := s.Sensitivity(e)
		return d.Value, err == nil
	}
	return numberOf(e, p)
}

// numberOf returns the value of a numerical parameter: as given, else its default. False if it has
// none.
func numberOf(e *scenarios.Entry, p param.Param) (x float64, ok bool) {
	if v, given := e.Values[p.Name]; given {
		return v.Number, true
	}
	if p.Required || p.Optional {
		return 0, false
	}
	return p.Default.Number, p.Type.Numeric()
}

// OrNone returns a field of the scenario for which 0 stands for none.
func OrNone(path string) param.Param {
	p := scenarios.ScenarioField(path)
	p.Min, p.OpenMin = 0, false
	return p
}
