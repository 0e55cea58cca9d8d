package dialogs

import (
	"slices"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/numeral"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/document"
	"epsiloscope/tui/kit"
)

// Target edits what the whole scenario is asked at, one field first.
func Target(sh *kit.Shell, first string) {
	s := sh.Doc.Scenario()
	f := &form{Shell: sh, title: "Target of the whole scenario", fields: []*formField{
		number(sh, "budget", "ε", "the total ε to stay within; empty for none", s.Budget.Epsilon, document.OrNone(document.KnobBudget)),
		number(sh, "delta", "δ", "the total δ every theorem may use; empty or 0 leaves only the pure columns", s.Budget.Delta,
			scenarios.ScenarioField(document.KnobDelta)),
		choice("adjacency", "which data sets count as neighbours: one record more or less, one record changed, or one made blank", string(s.Adjacency),
			scenarios.ScenarioField("adjacency").Choices...),
		words(sh, "unit", "whose data one record is: person, person-month, device-day", s.Unit),
		number(sh, "records", "n", "how many records the data has; δ should stay below 1/n", s.Records, document.OrNone("records")),
		number(sh, "rounds", "", "the whole stack, this many times", s.Rounds, scenarios.ScenarioField("rounds")),
		number(sh, "group", "", "records one person may contribute", s.Group, scenarios.ScenarioField("group")),
		words(sh, "name", "the name of the scenario", s.Name),
		words(sh, "description", "what it is about", s.Description),
	}}
	f.note = deltaNote
	f.at = slices.IndexFunc(f.fields, func(x *formField) bool { return x.name == first })
	f.submit = func(f *form) error {
		sh.Doc.Change("target", func(s *scenarios.Scenario) { f.target(s) })
		return nil
	}
	f.open()
}

// target puts the form into a scenario; every field has been checked.
func (f *form) target(s *scenarios.Scenario) {
	x := func(name string, empty float64) float64 {
		if v, err := numeral.Parse(f.field(name).Value()); err == nil {
			return v
		}
		return empty
	}
	s.Budget = scenarios.Budget{Epsilon: x("budget", 0), Delta: x("delta", 0)}
	s.Adjacency = mechanisms.Adjacency(f.field("adjacency").Value())
	s.Records, s.Rounds, s.Group = x("records", 0), x("rounds", 1), x("group", 1)
	s.Unit, s.Name, s.Description = f.field("unit").Value(), f.field("name").Value(), f.field("description").Value()
}

// deltaNote compares δ with the size of the data.
func deltaNote(f *form, w int) []string {
	p := f.Pen
	n, err1 := numeral.Parse(f.field("records").Value())
	d, err2 := numeral.Parse(f.field("delta").Value())
	if err1 != nil || err2 != nil || n <= 0 || d <= 0 {
		return nil
	}
	out := kit.NewWriter(p, w)
	if d < 1/n {
		out.Prose(p.Good, p.Glyphs.Tick+" δ is below 1/n = "+report.Short(1/n))
	} else {
		out.Prose(p.Warn, "δ is not below 1/n = "+report.Short(1/n)+": publishing one record at random would satisfy it")
	}
	return out.Lines
}
