package scenarios

import (
	"slices"

	"epsiloscope/internal/format"
	"epsiloscope/mechanisms/param"
)

// SetField is a field that a line of text can set, with its present value.
type SetField struct {
	param.Param
	Path string // what Set calls it: "count", "budget.delta"
	Text string // its value for people, its default if it is not given; "" if it has none
}

// Fields returns what [Entry.Set] can set, in the order of a scenario file.
func (e *Entry) Fields() []SetField { return fieldsOf(e.table(), e) }

// Fields returns what [Scenario.Set] can set of the scenario itself, in the order of its file.
func (s *Scenario) Fields() []SetField { return fieldsOf(scenarioTable(), s) }

func fieldsOf[T any](t *format.Table[T], x *T) (list []SetField) {
	for i := range t.Leaves {
		if l := &t.Leaves[i]; l.Single(x) {
			list = append(list, SetField{l.Param, l.Path, l.Text(x)})
		}
	}
	return list
}

// FieldAt returns the field that [Scenario.Set] would set by this path; false if a line of text cannot set it.
func (s *Scenario) FieldAt(path string) (SetField, bool) {
	list := s.Fields()
	name := path
	if path != "" && path[0] >= '0' && path[0] <= '9' {
		e, rest, err := s.entryAt(path)
		if err != nil {
			return SetField{}, false
		}
		list, name = e.Fields(), rest
	}
	i := slices.IndexFunc(list, func(f SetField) bool { return f.Path == name })
	if i < 0 {
		return SetField{}, false
	}
	return list[i], true
}
