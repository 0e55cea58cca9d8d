package scenarios

import (
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
func (s *Scenario) Fields() []SetField { return fieldsOf(scenarioTable, s) }

func fieldsOf[T any](t *format.Table[T], x *T) (list []SetField) {
	for _, l := range t.Leaves {
		if l.Single(x) {
			list = append(list, SetField{l.Param, l.Path, l.Text(x)})
		}
	}
	return list
}
