package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios/internal/document"
)

// Set changes one field by path and text: "1.count" and "50" for the first entry
// of the stack, "4.1.2.epsilon" and "1/800" for the second entry of the first
// branch of the parallel block in the fourth, "rounds", "delta" or "budget.delta"
// for the scenario itself. Setting one of two alternatives removes the other. The
// scenario is unchanged if there is an error.
func (s *Scenario) Set(path, text string) error {
	field := path
	var err error
	if path == "" || path[0] < '0' || path[0] > '9' {
		err = s.setTop(path, text)
	} else {
		var e *Entry
		if e, field, err = s.entryAt(path); err == nil {
			err = e.SetField(field, text)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", printable(path), trimField(err, field))
	}
	return nil
}

// trimField takes a field's name, which the path already gives, off an error.
func trimField(err error, field string) error {
	if p, ok := err.(*mechanisms.ParamError); ok && p.Param == field {
		return errors.New(p.Problem)
	}
	return err
}

// entryAt follows the numbers of a path to an entry and gives the rest of it.
func (s *Scenario) entryAt(path string) (*Entry, string, error) {
	list, what, rest := s.Stack, "the stack", path
	for {
		head, tail, dotted := strings.Cut(rest, ".")
		n, err := strconv.Atoi(head)
		if err != nil || !dotted {
			return nil, "", errors.New("expected the number of an entry and a field, such as 1.count")
		}
		if n < 1 || n > len(list) {
			return nil, "", fmt.Errorf("there is no entry %d; %s has %s", n, what, plural(len(list), "entry", "entries"))
		}
		e := &list[n-1]
		if tail == "" || tail[0] < '0' || tail[0] > '9' {
			return e, tail, nil
		}
		if e.Parallel == nil {
			return nil, "", fmt.Errorf("entry %d is not a parallel block", n)
		}
		head, rest, _ = strings.Cut(tail, ".")
		b, err := strconv.Atoi(head)
		if err != nil || b < 1 || b > len(e.Parallel) {
			return nil, "", fmt.Errorf("there is no branch %s; the block has %s", printable(head), plural(len(e.Parallel), "branch", "branches"))
		}
		list, what = e.Parallel[b-1], "the branch"
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// SetField changes one field of an entry by name and text. An error names the
// field and what it allows.
func (e *Entry) SetField(name, text string) error {
	switch name {
	case "label":
		if problem := checkText(text, false); problem != "" {
			return &mechanisms.ParamError{Param: name, Problem: problem}
		}
		e.Label = text
		return nil
	case "count":
		return setNumber(&e.Count, entryCount, text)
	case "disabled":
		on, err := parseFlag(name, text)
		if err == nil {
			e.Disabled = on
		}
		return err
	}
	if e.Parallel != nil && name == "parallel" {
		return &mechanisms.ParamError{Param: name, Problem: "branches are not set as a whole; a field inside is written BLOCK.BRANCH.ENTRY.FIELD, as in 4.1.2.epsilon"}
	}
	if e.Parallel != nil {
		return &mechanisms.ParamError{Param: name, Problem: unknownField("unknown field of a parallel block", name, blockFields)}
	}
	switch name {
	case "sampling", "sampling.rate":
		p := samplingRate
		p.Name = name
		if name == "sampling" {
			text = rateIn(text)
		}
		return setNumber(&e.Sampling, p, text)
	case "mechanism":
		return e.setMechanism(text)
	}
	return e.setParam(name, text)
}

// rateIn is the rate in {rate: 0.1}, as sampling stands in a file; any other text is
// taken for the rate itself.
func rateIn(text string) string {
	doc, err := document.Read([]byte(text))
	if err != nil || doc.Root == nil || doc.Root.Kind != document.Mapping || len(doc.Root.Pairs) != 1 {
		return text
	}
	if p, ok := doc.Root.Get("rate"); ok && p.Value.Kind == document.Scalar {
		return p.Value.Text
	}
	return text
}

// setMechanism changes the kind of an entry and keeps the values the new one
// knows by the same name.
func (e *Entry) setMechanism(kind string) error {
	fresh, err := NewEntry(kind)
	if err != nil {
		return err
	}
	spec, _ := mechanisms.Lookup(kind)
	values := fresh.Values
	for _, p := range spec.Params {
		v, given := e.Values[p.Name]
		if !given {
			continue
		}
		for _, rival := range rivals(spec, values, p.Name) {
			delete(values, rival)
		}
		values[p.Name] = v
	}
	if len(mechanisms.Check(spec, values)) > 0 {
		values = spec.Initials() // what it kept does not fit together
	}
	e.Mechanism, e.Values = kind, values
	return nil
}

// setParam changes a parameter of the mechanism.
func (e *Entry) setParam(name, text string) error {
	spec, ok := mechanisms.Lookup(e.Mechanism)
	if !ok {
		return &mechanisms.ParamError{Param: "mechanism", Problem: mechanisms.UnknownMechanism(e.Mechanism)}
	}
	p, ok := spec.Param(name)
	if !ok {
		return &mechanisms.ParamError{Param: name, Problem: spec.UnknownField(name, entryFields...)}
	}
	value, err := parseValue(p, text)
	if err != nil {
		return err
	}
	values := e.Values.Clone()
	dropped := rivals(spec, values, name)
	for _, rival := range dropped {
		delete(values, rival)
	}
	values[name] = value
	if len(dropped) > 0 {
		completeSet(spec, values, name)
	}
	for _, problem := range mechanisms.Check(spec, values) {
		return problem
	}
	if _, err := spec.Build(values); err != nil {
		return err
	}
	e.Values = values
	return nil
}

// completeSet fills in what must stand beside a parameter that has just taken the
// place of another: a Gaussian's delta beside its epsilon.
func completeSet(spec mechanisms.Spec, v mechanisms.Values, name string) {
	for _, a := range spec.Alternatives {
		for _, set := range a.Sets {
			if !slices.Contains(set, name) {
				continue
			}
			for _, other := range set {
				if p, ok := spec.Param(other); ok && !v.Has(other) {
					v[other] = p.Initial
				}
			}
			break
		}
	}
}

// parseValue reads a parameter from text: an expression, a word, or a list as it
// would stand in a file.
func parseValue(p mechanisms.Param, text string) (mechanisms.Value, error) {
	value := mechanisms.Value{Type: p.Type}
	switch p.Type {
	case mechanisms.Number, mechanisms.Whole:
		err := setNumber(&value.Number, p, text)
		return value, err
	case mechanisms.Choice:
		value.Text = strings.TrimSpace(text)
		return value, nil
	case mechanisms.Flag:
		on, err := parseFlag(p.Name, text)
		value.Flag = on
		return value, err
	}
	doc, err := document.Read([]byte(text))
	if err != nil || doc.Root == nil {
		return value, &mechanisms.ParamError{Param: p.Name, Problem: p.Allowed()}
	}
	d := &decoder{doc: doc}
	e := Entry{Values: mechanisms.Values{}}
	d.param(&e, p, doc.Root.Deref(), p.Name)
	if len(d.errs) > 0 {
		return value, &mechanisms.ParamError{Param: p.Name, Problem: d.errs[0].Problem}
	}
	return e.Values[p.Name], nil
}

// setNumber reads an expression into a number the parameter allows.
func setNumber(into *float64, p mechanisms.Param, text string) error {
	x, err := mechanisms.ParseNumber(text)
	if err != nil {
		return &mechanisms.ParamError{Param: p.Name, Problem: err.Error() + "; " + p.Allowed()}
	}
	if problem := p.CheckNumber(x); problem != "" {
		return &mechanisms.ParamError{Param: p.Name, Problem: problem}
	}
	*into = x
	return nil
}

func parseFlag(name, text string) (bool, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "yes", "on":
		return true, nil
	case "false", "no", "off":
		return false, nil
	}
	return false, &mechanisms.ParamError{Param: name, Problem: "must be true or false"}
}

// setTop changes a field of the scenario itself.
func (s *Scenario) setTop(name, text string) error {
	switch name {
	case "name", "unit", "description":
		if problem := checkText(text, name == "description"); problem != "" {
			return errors.New(problem)
		}
		*map[string]*string{"name": &s.Name, "unit": &s.Unit, "description": &s.Description}[name] = text
		return nil
	case "adjacency":
		switch a := mechanisms.Adjacency(strings.TrimSpace(text)); a {
		case mechanisms.AddRemove, mechanisms.Replace:
			s.Adjacency = a
			return nil
		}
		return errors.New("must be add-remove or replace, got " + strconv.Quote(text))
	case "alpha":
		if strings.TrimSpace(text) == "auto" {
			s.Alpha = 0
			return nil
		}
		return trimField(setNumber(&s.Alpha, pinnedAlpha, text), "alpha")
	case "epsilon", "budget.epsilon":
		return trimField(setNumber(&s.Budget.Epsilon, budgetEpsilon, text), "epsilon")
	case "delta", "budget.delta":
		return trimField(setNumber(&s.Budget.Delta, budgetDelta, text), "delta")
	case "rounds":
		return setNumber(&s.Rounds, rounds, text)
	case "group":
		return setNumber(&s.Group, group, text)
	case "records":
		return setNumber(&s.Records, records, text)
	}
	return errors.New(unknownField("unknown field", name,
		[]string{"name", "unit", "description", "adjacency", "epsilon", "delta", "alpha", "rounds", "group", "records"}) +
		" (an entry's field is written 1.count)")
}
