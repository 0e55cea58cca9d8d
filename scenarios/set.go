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
	if p, ok := err.(*mechanisms.ParamError); ok && p.Param == field {
		err = errors.New(p.Problem) // the path already names the field
	}
	if err != nil {
		return fmt.Errorf("%s: %w", printable(path), err)
	}
	return nil
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
	err := e.set(name, text)
	if _, ok := err.(*mechanisms.ParamError); ok || err == nil {
		return err
	}
	return &mechanisms.ParamError{Param: name, Problem: err.Error()}
}

func (e *Entry) set(name, text string) error {
	f, known := e.table().find(name)
	switch {
	case known && name == "mechanism":
		return e.setMechanism(text)
	case known && name != "parallel":
		return f.set(e, name, text)
	case known:
		return errors.New("branches are not set as a whole; a field inside is written BLOCK.BRANCH.ENTRY.FIELD, as in 4.1.2.epsilon")
	case e.Parallel != nil:
		return errors.New(unknownField("unknown field of a parallel block", name, names(blockTable.rows)))
	}
	if problem := unknownOfMechanism(e.Mechanism, name); problem != "" {
		return errors.New(problem)
	}
	return &mechanisms.ParamError{Param: "mechanism", Problem: mechanisms.UnknownMechanism(e.Mechanism)}
}

// setTop changes a field of the scenario itself; a part of a mapping may be called by
// its own name.
func (s *Scenario) setTop(name, text string) error {
	var known []string
	for _, f := range scenarioTable.leaves {
		if !single(f.at(s)) {
			continue
		}
		if f.path == name || f.Name == name {
			return f.set(s, name, text)
		}
		known = append(known, f.Name)
	}
	return errors.New(unknownField("unknown field", name, known) + " (an entry's field is written 1.count)")
}

// set reads a value. Where the mapping is named and not its only part, the text may
// be the mapping as it stands in a file, {rate: 0.1}, or the part's value alone.
func (l leaf[T]) set(x *T, name, text string) error {
	if name == l.short && name != l.path {
		if doc, err := document.Read([]byte(text)); err == nil && doc.Root != nil && doc.Root.Kind == document.Mapping && len(doc.Root.Pairs) == 1 {
			if p, ok := doc.Root.Get(l.Name); ok && p.Value.Kind == document.Scalar {
				text = p.Value.Text
			}
		}
	}
	p := l.Param
	p.Name = name
	return setAt(p, l.at(x), text)
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
func (e *Entry) setParam(p mechanisms.Param, text string) error {
	spec, _ := mechanisms.Lookup(e.Mechanism)
	value, err := parseValue(p, text)
	if err != nil {
		return err
	}
	name := p.Name
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
		x, err := parseNumber(p, text)
		value.Number = x
		return value, err
	case mechanisms.Choice:
		value.Text = strings.TrimSpace(text)
		return value, nil
	case mechanisms.Flag:
		on, err := parseFlag(p, text)
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

// parseNumber reads an expression into a number the parameter allows.
func parseNumber(p mechanisms.Param, text string) (float64, error) {
	x, err := mechanisms.ParseNumber(text)
	if err != nil {
		return 0, &mechanisms.ParamError{Param: p.Name, Problem: err.Error() + "; " + p.Allowed()}
	}
	if problem := p.CheckNumber(x); problem != "" {
		return 0, &mechanisms.ParamError{Param: p.Name, Problem: problem}
	}
	return x, nil
}

func parseFlag(p mechanisms.Param, text string) (bool, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "yes", "on":
		return true, nil
	case "false", "no", "off":
		return false, nil
	}
	return false, &mechanisms.ParamError{Param: p.Name, Problem: p.Allowed()}
}
