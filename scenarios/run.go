package scenarios

import (
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// Run is the entry that a selection runs; ok is false for any other entry. What the
// selection claims of absence holds for it too.
func (e *Entry) Run() (run Entry, ok bool) {
	kind, values, ok := mechanisms.RunOf(e.Mechanism, e.Values)
	if !ok {
		return Entry{}, false
	}
	run = Entry{Mechanism: kind, Values: values, Count: 1, Sampling: 1, Also: e.Also}
	if v, given := e.Values["of.count"]; given {
		run.Count = v.Number
	}
	if v, given := e.Values["of.sampling.rate"]; given {
		run.Sampling = v.Number
	}
	return run, true
}

// SetRun makes the entry a selection that runs another one.
func (e *Entry) SetRun(run Entry) {
	e.Mechanism = mechanisms.Select{}.Kind()
	e.Values = mechanisms.WithRun(e.Values, run.Values)
	e.Values["of.mechanism"] = param.ChoiceValue(run.Mechanism)
	for name, x := range map[string]float64{"of.count": run.Count, "of.sampling.rate": run.Sampling} {
		delete(e.Values, name)
		if spec := e.Spec(); x != 1 {
			p, _ := spec.Param(name)
			e.Values[name] = param.Value{Type: p.Type, Number: x}
		}
	}
}
