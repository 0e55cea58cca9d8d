package scenarios

import (
	"fmt"
	"strconv"

	"epsiloscope/internal/format"
	"epsiloscope/mechanisms"
)

// sensitivityQuestion is the message for an entry under replace that states no sensitivity. The
// default of 1 is right for a count; for a histogram or a sum the sensitivity is twice the
// contribution of one record.
const sensitivityQuestion = "is not stated, and under replace it has two readings: does one changed record move this by 1 (a count) or by 2 (a histogram)? Write the number into the file"

// sensitivityField returns the name of the entry's sensitivity field and whether it is stated. For a selection
// it is the field of its run. The name is "" if the entry has no sensitivity.
func sensitivityField(e *Entry) (name string, stated bool) {
	if e.Parallel != nil {
		return "", false
	}
	spec := e.Spec()
	p, has := spec.ParamOrRun("sensitivity")
	return p.Name, has && e.Values.Has(p.Name)
}

// OpenSensitivities returns, for a scenario under replace, the field of every enabled entry that neither states its
// sensitivity nor has a query from which it follows. Any stated value is accepted. Under another adjacency the list is
// empty.
func (s *Scenario) OpenSensitivities() []FieldError {
	if s.Adjacency != mechanisms.Replace {
		return nil
	}
	var open []FieldError
	eachSensitivity("stack", s.Stack, func(path, name string, e *Entry, stated bool) {
		if !stated && !e.Query.IsSet() {
			open = append(open, FieldError{File: s.Source(), Field: path + "." + name, Problem: sensitivityQuestion})
		}
	})
	return open
}

// Sensitivities returns how many enabled entries have a sensitivity, stated or not, that does not follow from a query.
func (s *Scenario) Sensitivities() (n int) {
	eachSensitivity("stack", s.Stack, func(_, _ string, e *Entry, _ bool) {
		if !e.Query.IsSet() {
			n++
		}
	})
	return n
}

// ScaleSensitivities sets every sensitivity, or only those that are not stated, to its present value (stated or
// default) times a factor. It is used when the adjacency becomes replace. One that follows from a query changes by
// itself.
func (s *Scenario) ScaleSensitivities(factor float64, onlyOpen bool) error {
	var err error
	eachSensitivity("stack", s.Stack, func(path, name string, e *Entry, stated bool) {
		if stated && onlyOpen || e.Query.IsSet() {
			return
		}
		now := 1.0
		if stated {
			now = e.Values[name].Number
		}
		if problem := e.Set(name, strconv.FormatFloat(factor*now, 'g', -1, 64)); problem != nil && err == nil {
			err = fmt.Errorf("%s.%s: %w", path, name, problem)
		}
	})
	return err
}

// DropMonotone makes the monotone scores of every enabled selection general ones and returns how many there were. It is
// used when the adjacency becomes replace and no sensitivity doubles: a replaced record may raise one score and lower
// another, by as much as the sensitivity each.
func (s *Scenario) DropMonotone() (n int, err error) { return s.dropMonotone(false) }

// DropMonotoneOfQueries is [Scenario.DropMonotone] for selections whose sensitivity follows from a query, which never
// doubles for that.
func (s *Scenario) DropMonotoneOfQueries() (n int, err error) { return s.dropMonotone(true) }

func (s *Scenario) dropMonotone(onlyQueries bool) (n int, err error) {
	eachSensitivity("stack", s.Stack, func(path, _ string, e *Entry, _ bool) {
		spec := e.Spec()
		p, has := spec.ParamOrRun("monotone")
		if !has || !e.Values[p.Name].Flag || onlyQueries && !e.Query.IsSet() {
			return
		}
		n++
		if problem := e.Set(p.Name, "false"); problem != nil && err == nil {
			err = fmt.Errorf("%s.%s: %w", path, p.Name, problem)
		}
	})
	return n, err
}

func eachSensitivity(path string, stack []Entry, do func(path, name string, e *Entry, stated bool)) {
	for i := range stack {
		e, at := &stack[i], format.WithIndex(path, i)
		if e.Disabled {
			continue
		}
		for j, branch := range e.Parallel {
			eachSensitivity(format.WithIndex(at+".parallel", j), branch, do)
		}
		if name, stated := sensitivityField(e); name != "" {
			do(at, name, e, stated)
		}
	}
}
