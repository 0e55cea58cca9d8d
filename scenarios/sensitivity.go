package scenarios

import (
	"fmt"
	"strconv"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios/internal/format"
)

// sensitivityQuestion is the question about an entry under replace that states no sensitivity:
// the default of 1 is that of a count, and a histogram or a sum has twice what one record
// contributes.
const sensitivityQuestion = "is not stated, and under replace it has two readings: does one changed record move this by 1 (a count) or by 2 (a histogram)? Write the number into the file"

// sensitivityField returns the field in which an entry states how far one record moves its answer,
// of the run of a selection if it is one, and whether it is stated; "" if it has none.
func sensitivityField(e *Entry) (name string, stated bool) {
	if e.Parallel != nil {
		return "", false
	}
	spec := e.Spec()
	p, has := spec.ParamOrRun("sensitivity")
	return p.Name, has && e.Values.Has(p.Name)
}

// OpenSensitivities returns, for a scenario under replace, the field of every enabled entry that
// does not state by how much one changed record moves its answer. A sensitivity that is written
// down is an answer, whatever it is; a scenario under another adjacency has nothing to answer.
func (s *Scenario) OpenSensitivities() []FieldError {
	if s.Adjacency != mechanisms.Replace {
		return nil
	}
	var open []FieldError
	eachSensitivity("stack", s.Stack, func(path, name string, e *Entry, stated bool) {
		if !stated {
			open = append(open, FieldError{File: s.Source(), Field: path + "." + name, Problem: sensitivityQuestion})
		}
	})
	return open
}

// Sensitivities returns how many enabled entries have a sensitivity, stated or not.
func (s *Scenario) Sensitivities() (n int) {
	eachSensitivity("stack", s.Stack, func(string, string, *Entry, bool) { n++ })
	return n
}

// ScaleSensitivities states the sensitivity of every entry that has one, or only of those that
// leave it open: what it was, stated or by default, times a factor. It answers the question that
// a change to replace raises.
func (s *Scenario) ScaleSensitivities(factor float64, onlyOpen bool) error {
	var err error
	eachSensitivity("stack", s.Stack, func(path, name string, e *Entry, stated bool) {
		if stated && onlyOpen {
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
