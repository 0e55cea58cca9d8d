package dialogs

import (
	"slices"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/kit"
)

// Target edits what the whole scenario is asked at, one field first.
func Target(sh *kit.Shell, first string) {
	s, field := *sh.Doc.Scenario(), scenarios.ScenarioField
	f := &form{Shell: sh, title: "Target of the whole scenario", what: "target"}
	var store []func() // one per field: puts what was typed into the scenario
	numberAt := func(p param.Param, name, symbol, help string, at *float64, empty float64) *formField {
		store = append(store, func() { *at = f.number(name, empty) })
		return number(p, name, symbol, help, *at)
	}
	wordsAt := func(name, help string, at *string) *formField {
		store = append(store, func() { *at = f.field(name).text() })
		return words(name, help, *at)
	}
	harm := newHarmRows(f, s.Budget.Harm)
	head := []*formField{
		numberAt(document.OrNone(document.KnobBudget), "budget", "ε", "the total ε to stay within; empty for none", &s.Budget.Epsilon, 0),
		numberAt(field(document.KnobDelta), "delta", "δ", "the total δ every theorem may use; empty or 0 leaves only the pure columns", &s.Budget.Delta, 0),
		choice("adjacency", "which data sets count as neighbours: one record more or less, one record changed, or one made blank", string(s.Adjacency),
			field("adjacency").Choices...),
		wordsAt("unit", "whose data one record is: person, person-month, device-day", &s.Unit),
		numberAt(document.OrNone("records"), "records", "n", "how many records the data has; δ should stay below 1/n", &s.Records, 0),
		numberAt(field("rounds"), "rounds", "", "the whole stack, this many times", &s.Rounds, 1),
		numberAt(field("group"), "group", "", "records one person may contribute", &s.Group, 1),
	}
	tail := []*formField{
		wordsAt("name", "the name of the scenario", &s.Name),
		wordsAt("description", "what it is about", &s.Description),
	}
	arrange := func() { f.fields = slices.Concat(head, harm.fields(), tail) }
	arrange()
	f.changed = func(edited *formField) { harm.follow(edited); arrange() }
	f.note = func(out *kit.Writer) { harm.write(out); f.compareDelta(out) }
	f.made = func() (*scenarios.Scenario, error) { // every field has been checked
		for _, put := range store {
			put()
		}
		var err error
		if s.Budget.Harm, err = harm.limit(s.Budget.Epsilon); err != nil {
			return nil, err
		}
		if a := mechanisms.Adjacency(f.field("adjacency").Value()); a != s.Adjacency || first == "adjacency" {
			s.StateAdjacency(a)
		}
		if s.Adjacency != mechanisms.Replace {
			return &s, nil
		}
		c := s.Clone()
		// Their Δ changes by itself, and a replaced person may lower one score and raise another.
		_, err = c.DropMonotoneOfQueries()
		return c, err
	}
	f.open(first)
}

// number returns the number in a field, or what an empty one stands for.
func (f *form) number(name string, empty float64) float64 {
	if x, err := numeral.Parse(f.field(name).Value()); err == nil {
		return x
	}
	return empty
}

// compareDelta compares δ with the size of the data.
func (f *form) compareDelta(out *kit.Writer) {
	p, n, d := out.Pen, f.number("records", 0), f.number("delta", 0)
	switch {
	case n <= 0 || d <= 0:
	case d < 1/n:
		out.Prose(p.Good, p.Glyphs.Tick+" δ is below 1/n = "+report.Short(1/n))
	default:
		out.Prose(p.Warn, "δ is not below 1/n = "+report.Short(1/n)+": publishing one record at random would satisfy it")
	}
}
