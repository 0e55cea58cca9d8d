package dialogs

import (
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// values are the parameters as the form has them.
func (f *entryForm) values() (param.Values, error) {
	v := param.Values{}
	for _, fl := range f.fields[:len(f.spec.Params)] {
		if fl.derived || fl.Value() == "" {
			continue
		}
		x, err := fl.read()
		if err != nil {
			return nil, &param.Error{Param: fl.param.Name, Problem: err.Error()}
		}
		v[fl.param.Name] = x
	}
	return v, nil
}

// fill puts the form into an entry, if it makes a mechanism. A field left at its
// default stays out of the file unless it was there.
func (f *entryForm) fill(e *scenarios.Entry) error {
	if e.Parallel != nil {
		return f.fillOwn(e)
	}
	v, err := f.values()
	if err != nil {
		return err
	}
	for _, p := range f.spec.Params {
		if _, was := e.Values[p.Name]; !was && !p.Required && !p.Optional && valueText(p, v[p.Name]) == valueText(p, p.Default) {
			delete(v, p.Name)
		}
	}
	if _, err := mechanisms.New(f.spec.Name, v); err != nil {
		return err
	}
	e.Values = v
	if err := f.fillOwn(e); err != nil || e.Also.Number == 0 {
		return err
	}
	_, err = mechanisms.WithAbsent(e.Mechanism, e.Values, e.Also.Number)
	return err
}

// fillOwn takes over what every entry has. A number for absence is part of the claim.
func (f *entryForm) fillOwn(e *scenarios.Entry) error {
	for _, fl := range f.own {
		name, value := fl.param.Name, fl.Value()
		if name == "label" {
			value = fl.text(e.Label)
		}
		switch absence := f.field(fieldAbsence); {
		case fl == absence:
			continue
		case name == fieldAlso && absence.Value() != "":
			value = string(mechanisms.AddRemove) + ": " + absence.Value()
		case fl.Choices != nil && value == unclaimed:
			value = "none"
		}
		if err := e.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}
