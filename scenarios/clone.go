package scenarios

import (
	"maps"
	"slices"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// New returns an empty scenario with every default filled in.
func New() *Scenario {
	return &Scenario{Adjacency: mechanisms.AddRemove, Rounds: 1, Group: 1, origin: newOrigin("", nil)}
}

// Clone returns a copy that shares nothing a caller could change. It still knows the
// text it was read from and the file it belongs to.
func (s *Scenario) Clone() *Scenario {
	c := *s
	c.Stack, _ = Map(s.Stack, (*Entry).copyValues)
	c.Expect = slices.Clone(s.Expect)
	return &c
}

// Copy returns a copy with a stack of its own, whose entries still share their values with the
// original's.
func (s *Scenario) Copy() *Scenario {
	c := *s
	c.Stack = slices.Clone(s.Stack)
	return &c
}

// Clone returns a copy that shares nothing a caller could change.
func (e Entry) Clone() Entry {
	c, _ := Map([]Entry{e}, (*Entry).copyValues)
	return c[0]
}

// copyValues replaces the values of an entry by a copy, so that it shares them with no other entry.
func (e *Entry) copyValues() error {
	e.Values = maps.Clone(e.Values)
	for name, v := range e.Values {
		v.Items = slices.Clone(v.Items)
		e.Values[name] = v
	}
	return nil
}

// WithoutScores returns a copy without the scores of candidates, which were computed from the data and must not be
// published. It states their number in the parameter outputs instead and costs the same. A list of numbers is kept if
// the mechanism has no such parameter: then the numbers decide the cost and do not come from the data.
func (e Entry) WithoutScores() Entry {
	c, _ := Map([]Entry{e.Clone()}, func(e *Entry) error {
		spec := e.Spec()
		for name, v := range e.Values {
			// for the run of a selection: of.outputs beside of.candidates
			outputs := name[:strings.LastIndexByte(name, '.')+1] + "outputs"
			if _, counted := spec.Param(outputs); counted && v.Type == param.Scores {
				delete(e.Values, name)
				e.Values[outputs] = param.WholeValue(float64(len(v.Items)))
			}
		}
		return nil
	})
	return c[0]
}

// Map returns a copy of a stack with a change made to every entry, blocks and what is in their
// branches included. The copy shares its values with the original.
func Map(stack []Entry, change func(*Entry) error) ([]Entry, error) {
	stack = slices.Clone(stack)
	for i := range stack {
		e := &stack[i]
		if err := change(e); err != nil {
			return nil, err
		}
		e.Parallel = slices.Clone(e.Parallel)
		for j, branch := range e.Parallel {
			var err error
			if e.Parallel[j], err = Map(branch, change); err != nil {
				return nil, err
			}
		}
	}
	return stack, nil
}

// EnabledEntries returns the entries of a stack that are released; for a block, those of its
// branches.
func EnabledEntries(stack []Entry) (list []*Entry) {
	for i := range stack {
		e := &stack[i]
		switch {
		case e.Disabled:
		case e.Parallel == nil:
			list = append(list, e)
		default:
			for _, branch := range e.Parallel {
				list = append(list, EnabledEntries(branch)...)
			}
		}
	}
	return list
}

// Equal reports whether two scenarios say the same; comments and file do not count.
func (s *Scenario) Equal(other *Scenario) bool {
	if s == nil || other == nil {
		return s == other
	}
	return scenarioTable().Equal(s, other)
}

// Equal reports whether two entries say the same.
func (e Entry) Equal(other Entry) bool {
	return (e.Parallel != nil) == (other.Parallel != nil) && e.table().Equal(&e, &other) &&
		len(e.Values) == len(other.Values)
}

// GuaranteeJSON returns what a guarantee depends on: the scenario without the fields that are aside, such as labels and
// budgets, and without the scores of candidates. Two scenarios with equal bytes have the same guarantee at the same δ.
func (s *Scenario) GuaranteeJSON() ([]byte, error) {
	bare := s.Clone()
	scenarioTable().Clear(bare)
	for i, e := range bare.Stack {
		bare.Stack[i] = e.WithoutScores()
	}
	var err error
	bare.Stack, err = Map(bare.Stack, func(e *Entry) error {
		e.table().Clear(e)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return bare.JSON()
}
