package dialogs

import (
	"slices"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/numeral"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/kit"
)

// EditEntry edits the selected entry in a form built from the catalogue.
func EditEntry(s *kit.Shell) {
	row, ok := s.Doc.Selected()
	if !ok {
		Add(s)
		return
	}
	if row.Block() {
		openBlock(s, row)
		return
	}
	spec, known := mechanisms.SpecOf(row.Entry.Mechanism, row.Entry.Values)
	if !known {
		s.Say("the catalogue does not know " + row.Entry.Mechanism)
		return
	}
	f := &form{Shell: s, title: spec.Title, about: spec.Summary}
	f.show(row.Entry)
	f.submit = func(f *form) error {
		e := *row.Entry
		if err := f.fill(&e); err != nil {
			return err
		}
		return s.Doc.Edit("edit", func(now *scenarios.Entry) { *now = e })
	}
	f.trial = func(f *form) *scenarios.Scenario {
		e := *row.Entry
		if f.fill(&e) != nil {
			return nil
		}
		return s.Doc.With(func(now *scenarios.Entry) { *now = e })
	}
	f.open()
}

// show gives the form the fields of an entry. Where one of them decides what others there
// are, they change with it.
func (f *form) show(e *scenarios.Entry) {
	f.spec, f.fields = e.Spec(), nil
	for _, p := range f.spec.Params {
		f.fields = append(f.fields, paramField(f.Shell, e, p))
	}
	own := entryFields(f.Shell, e)
	if f.spec.Varies != "" {
		own = own[:2] // what is run may be sampled, not all runs together
	}
	f.fields = append(f.fields, own...)
	if f.Doc.Scenario().Adjacency != mechanisms.AddRemove {
		f.fields = append(f.fields, alsoFields(f.Shell, e)...)
	}
	f.keepInStep(nil)
	if f.note = nil; f.spec.Rate != "" {
		f.note = courseNote
	}
	f.changed = func(f *form, edited *formField) {
		if edited.name != f.spec.Varies {
			f.keepInStep(edited)
			return
		}
		now := *e
		now.Values, _ = f.values()
		f.fillOwn(&now)
		if err := now.Set(edited.name, edited.Value()); err == nil {
			f.show(&now)
		}
	}
}

// The fields of what the number says of absence.
const (
	fieldAlso    = "also"
	fieldAbsence = "number_of_its_own"
	unclaimed    = "nothing"
)

// settle decides which set of an alternative is given: the one just edited, else
// the one that has values.
func (f *form) settle(alt param.Alternative, edited *formField) {
	given := slices.IndexFunc(alt.Sets, func(set []string) bool {
		return slices.ContainsFunc(set, func(name string) bool {
			fl := f.field(name)
			return fl != nil && (fl == edited || edited == nil && fl.Value() != "")
		})
	})
	if given < 0 {
		return
	}
	var labels []string
	for _, name := range alt.Sets[given] {
		labels = append(labels, f.field(name).label())
	}
	for _, name := range slices.Concat(alt.Sets...) {
		if fl := f.field(name); fl != nil {
			fl.derived, fl.instead, fl.problem = !slices.Contains(alt.Sets[given], name), strings.Join(labels, ", "), ""
			if fl == edited {
				fl.problem = fl.check()
			}
		}
	}
}

// values are the parameters as the form has them.
func (f *form) values() (param.Values, error) {
	v := param.Values{}
	for _, p := range f.spec.Params {
		fl := f.field(p.Name)
		if fl == nil || fl.derived || fl.Value() == "" {
			continue
		}
		switch p.Type {
		case param.Choice:
			v[p.Name] = param.ChoiceValue(fl.Value())
		case param.Flag:
			v[p.Name] = param.FlagValue(fl.Value() == "true")
		case param.Scores, param.Points:
			items, err := parseItems(fl.Value(), p)
			if err != nil {
				return nil, &param.Error{Param: p.Name, Problem: err.Error()}
			}
			v[p.Name] = items
		default:
			x, err := numeral.Parse(fl.Value())
			if err != nil {
				return nil, &param.Error{Param: p.Name, Problem: err.Error()}
			}
			v[p.Name] = param.Value{Type: p.Type, Number: x}
		}
	}
	return v, nil
}

// fill puts the form into an entry, if it makes a mechanism. A field left at its
// default stays out of the file unless it was there.
func (f *form) fill(e *scenarios.Entry) error {
	v, err := f.values()
	if err != nil {
		return err
	}
	for _, p := range f.spec.Params {
		if _, was := e.Values[p.Name]; !was && !p.Required && !p.Optional && sameValue(v[p.Name], p.Default) {
			delete(v, p.Name)
		}
	}
	if _, err := mechanisms.New(f.spec.Name, v); err != nil {
		return err
	}
	e.Values = v
	f.fillOwn(e)
	return f.fillAlso(e)
}

// fillOwn takes over what every entry has.
func (f *form) fillOwn(e *scenarios.Entry) {
	e.Label = f.field("label").Value()
	e.Count, _ = numeral.Parse(f.field("count").Value())
	if sampling := f.field("sampling"); sampling != nil {
		e.Sampling, _ = numeral.Parse(sampling.Value())
	}
}

func sameValue(a, b param.Value) bool {
	return a.Number == b.Number && a.Text == b.Text && a.Flag == b.Flag && len(a.Items) == len(b.Items)
}

// openBlock edits what a parallel block has: a count, a label and, where a changed record
// may go from branch to branch, whether it does.
func openBlock(s *kit.Shell, row document.Row) {
	f := &form{Shell: s, title: "Parallel branches", fields: entryFields(s, row.Entry)[:2]}
	if s.Doc.Scenario().Adjacency == mechanisms.Replace {
		p := scenarios.EntryField("moves")
		f.fields = append(f.fields, choice("moves", p.Help, row.Entry.Moves, append([]string{unclaimed}, p.Choices...)...))
	}
	fill := func(e *scenarios.Entry) {
		f.fillOwn(e)
		if moves := f.field("moves"); moves != nil {
			e.Moves = strings.TrimSuffix(moves.Value(), unclaimed)
		}
	}
	f.submit = func(*form) error { return s.Doc.Edit("edit", fill) }
	f.trial = func(*form) *scenarios.Scenario { return s.Doc.With(fill) }
	f.open()
}
