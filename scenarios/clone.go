package scenarios

import (
	"maps"
	"slices"
	"strings"

	"epsiloscope/mechanisms"
)

// New is an empty scenario with every default filled in.
func New() *Scenario {
	return &Scenario{Adjacency: mechanisms.AddRemove, Rounds: 1, Group: 1}
}

// Clone is a copy that shares nothing a caller could change. It still knows the
// text it was read from and the file it belongs to.
func (s *Scenario) Clone() *Scenario {
	c := *s
	c.Stack = cloneEntries(s.Stack)
	c.Expect = slices.Clone(s.Expect)
	return &c
}

// Clone is a copy that shares nothing a caller could change.
func (e Entry) Clone() Entry {
	if e.Values != nil {
		values := maps.Clone(e.Values)
		for name, v := range values {
			v.Items = slices.Clone(v.Items)
			values[name] = v
		}
		e.Values = values
	}
	if e.Parallel != nil {
		branches := make([][]Entry, len(e.Parallel))
		for i, b := range e.Parallel {
			branches[i] = cloneEntries(b)
		}
		e.Parallel = branches
	}
	return e
}

// WithoutScores is a copy that leaves out what was computed from the data: a record
// of it is published, scores are not. It costs the same.
func (e Entry) WithoutScores() Entry {
	c := e.Clone()
	for _, branch := range c.Parallel {
		for i := range branch {
			branch[i] = branch[i].WithoutScores()
		}
	}
	for name, v := range c.Values {
		if v.Type == mechanisms.Scores {
			delete(c.Values, name)
			outputs := name[:strings.LastIndexByte(name, '.')+1] + "outputs" // what a selection runs has a place of its own
			c.Values[outputs] = mechanisms.WholeValue(float64(len(v.Items)))
		}
	}
	return c
}

func cloneEntries(list []Entry) []Entry {
	if list == nil {
		return nil
	}
	c := make([]Entry, len(list))
	for i, e := range list {
		c[i] = e.Clone()
	}
	return c
}

// Equal reports whether two scenarios say the same; comments and file do not count.
func (s *Scenario) Equal(other *Scenario) bool {
	if s == nil || other == nil {
		return s == other
	}
	return scenarioTable.Same(s, other)
}

// Equal reports whether two entries say the same.
func (e Entry) Equal(other Entry) bool {
	return (e.Parallel != nil) == (other.Parallel != nil) && e.table().Same(&e, &other) &&
		len(e.Values) == len(other.Values)
}
