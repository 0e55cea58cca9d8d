package scenarios

import (
	"errors"
	"slices"

	"epsiloscope/internal/format"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/mechanisms/query"
)

// NewEntry returns an entry as an editor starts it, with the catalogue's initial values.
func NewEntry(mechanism string) (Entry, error) {
	spec, ok := mechanisms.Lookup(mechanism)
	if !ok {
		return Entry{}, &param.Error{Param: "mechanism", Problem: mechanisms.UnknownMechanism(mechanism)}
	}
	return Entry{Mechanism: mechanism, Count: 1, Sampling: 1, Values: spec.Initials()}, nil
}

// setMechanism changes the kind of an entry and keeps the values the new one
// knows by the same name.
func (e *Entry) setMechanism(kind string) error {
	fresh, err := NewEntry(kind)
	if err != nil {
		return err
	}
	e.adopt(fresh.Spec())
	e.Also = mechanisms.Also{} // the claim was about another number
	if e.Spec().Norm == "" {
		e.Query = query.Query{}
	}
	return nil
}

// adopt gives the entry another declaration and keeps the values that are declared there too.
func (e *Entry) adopt(spec mechanisms.Spec) {
	values := spec.Initials()
	for _, p := range spec.Params {
		v, given := e.Values[p.Name]
		beside, rivals := spec.Choice(p.Name)
		if !given || p.Name == spec.Varies ||
			slices.ContainsFunc(beside, func(other string) bool { return !e.Values.Has(other) }) {
			continue
		}
		for _, rival := range rivals {
			delete(values, rival)
		}
		values[p.Name] = v
	}
	if len(mechanisms.Check(spec, values)) > 0 {
		values = spec.Initials() // the values kept contradict each other
	}
	e.Mechanism, e.Values = spec.Name, values
}

// setParam changes a parameter of the mechanism.
func (e *Entry) setParam(p param.Param, text string) error {
	value, err := format.ParseValue(p, text)
	if err != nil {
		return err
	}
	trial := *e
	if err := trial.put(p.Name, value); err != nil {
		return err
	}
	spec := trial.Spec()
	for _, problem := range mechanisms.Check(spec, trial.Values) {
		return problem
	}
	if _, err = spec.Build(trial.Values); err != nil && completeChoice(spec, trial.Values, err) {
		_, err = spec.Build(trial.Values)
	}
	if err == nil {
		e.Values = trial.Values
	}
	return err
}

// completeChoice sets the parameter that wrong reports as missing to its initial value, such as max_batch after batches
// became truncated. It returns false if the error is another one.
func completeChoice(spec mechanisms.Spec, v param.Values, wrong error) bool {
	missing, ok := errors.AsType[*param.Error](wrong)
	if !ok || v.Has(missing.Param) {
		return false
	}
	p, known := spec.Param(missing.Param)
	if known {
		v[p.Name] = p.Initial
	}
	return known
}

// Spec returns the declaration of the entry's mechanism; empty if there is none.
func (e *Entry) Spec() mechanisms.Spec {
	spec, _ := mechanisms.SpecOf(e.Mechanism, e.Values)
	return spec
}

// put sets a parameter and removes those that exclude it. It refuses if the entry states a number
// for add-remove (also) in the unit of a removed one: the meaning of that number would change.
func (e *Entry) put(name string, value param.Value) error {
	spec, values := e.Spec(), e.Values.Clone()
	if name == spec.Varies {
		values[name] = value
		if spec, _ = mechanisms.SpecOf(spec.Name, values); spec.Variant() == value.Text {
			e.adopt(spec)
			return nil
		}
	}
	beside, rivals := spec.Choice(name)
	rivals = slices.DeleteFunc(rivals, func(rival string) bool { return !values.Has(rival) })
	if len(rivals) > 0 && e.Also.Number != 0 {
		return &param.Error{Param: name, Problem: "would take the place of " + rivals[0] + ", in whose unit also states a number for add-remove; take that back first (also: none)"}
	}
	for _, rival := range rivals {
		delete(values, rival)
	}
	values[name] = value
	for _, other := range beside { // a Gaussian's delta beside its epsilon
		if p, _ := spec.Param(other); len(rivals) > 0 && !values.Has(other) {
			values[other] = p.Initial
		}
	}
	e.Values = values
	return nil
}

// SetNumber sets a parameter to a number and removes those that exclude it.
func (e *Entry) SetNumber(field string, x float64) error {
	spec := e.Spec()
	p, _ := spec.Param(field)
	if problem := p.CheckNumber(x); problem != "" {
		return &param.Error{Param: field, Problem: problem}
	}
	if e.Also.Number != 0 && (field == "epsilon" || field == "rho") {
		return &param.Error{Param: "also", Problem: "states a number for add-remove that would have to change with " + field + "; state the noise instead, or also without a number"}
	}
	return e.put(field, param.Value{Type: p.Type, Number: x})
}

// OneEntry returns the scenario with the n-th entry of its stack alone, counted from 1: that many releases of it in
// all, or as many as it has if count is 0.
func (s *Scenario) OneEntry(n int, count float64) *Scenario {
	one := *s
	one.Stack = slices.Clone(s.Stack[n-1 : n])
	if count > 0 {
		one.Rounds, one.Stack[0].Count = 1, count
	}
	return &one
}

// Equivalents returns the numbers that an entry could state instead, by parameter, as [mechanisms.Equivalents] computes
// them. It uses the scenario's number of records if the entry needs one and states none, and the scenario's δ if an ε
// needs one.
func (s *Scenario) Equivalents(e *Entry) map[string]float64 {
	spec, v := e.Spec(), s.WithSensitivity(e).Values
	if _, counts := spec.Param("records"); counts && s.Records > 0 && !v.Has("records") {
		v = v.Clone()
		v["records"] = param.WholeValue(s.Records)
	}
	return mechanisms.EquivalentsAt(e.Mechanism, v, s.Budget.Delta)
}
