package dialogs

import (
	"slices"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/query"
	"epsiloscope/scenarios"
	"epsiloscope/tui/kit"
)

// fieldAsked is the field that says what is asked, and unasked its word for nothing.
const (
	fieldAsked = "query.kind"
	unasked    = "not stated"
)

// askedNames are the names of a query's fields for people, in the order of the form, and the kinds of answers that have
// them.
var askedNames = []struct {
	path, words string
	kinds       []string
}{
	{"query.clip", "values cut to", []string{query.Sum, query.Sums, query.Mean, query.Vector}},
	{"query.max_groups", "groups per person", []string{query.Histogram, query.PeopleByGroup, query.Sums, query.Count, query.Sum}},
	{"query.per_group", "records per group", []string{query.Histogram, query.Sums, query.Count, query.Sum}},
	{"query.total", "records in all", []string{query.Histogram, query.PeopleByGroup, query.Sums, query.Count, query.Sum}},
	{"query.of", "groups there are", []string{query.Histogram, query.PeopleByGroup, query.Sums}},
	{"query.people", "people", []string{query.Mean}},
	{"query.dimension", "dimension", []string{query.Vector}},
	{"query.values", "values", []string{query.Sum, query.Sums}},
}

// askedFields returns the fields of an entry's query: what is asked, then what that kind of answer needs. A mechanism
// that takes no query has none.
func (f *entryForm) askedFields(e *scenarios.Entry) []*formField {
	if f.spec.Norm == "" || e.Parallel != nil {
		return nil
	}
	texts := map[string]string{}
	for _, field := range e.Fields() {
		texts[field.Path] = field.Text
	}
	p := scenarios.EntryField(fieldAsked)
	kind := choice(fieldAsked, "what is released; Δ follows from it. Without it, type Δ below", e.Query.Kind, append([]string{unasked}, p.Choices...)...)
	kind.words, kind.param.Means = "asked", p.Means
	list := []*formField{kind}
	for _, a := range askedNames {
		if texts[a.path] == "" && !slices.Contains(a.kinds, e.Query.Kind) {
			continue
		}
		p := scenarios.EntryField(a.path)
		fl := newField(p, texts[a.path])
		if p.Choices != nil {
			fl = choice(p.Name, p.Help, texts[a.path], append([]string{unasked}, p.Choices...)...)
		}
		fl.words, fl.param.Symbol = a.words, p.Symbol
		list = append(list, fl)
	}
	return list
}

// fillQuery takes over the query.
func (f *entryForm) fillQuery(e *scenarios.Entry) error {
	e.Query = query.Query{}
	for _, fl := range f.asked {
		value := fl.Value()
		if fl.Choices != nil && value == unasked || value == "" {
			value = "none"
		}
		if fl == f.asked[0] && value == "none" {
			return nil
		}
		if err := e.Set(fl.param.Name, value); err != nil {
			return err
		}
	}
	return nil
}

// asks returns the entry as the form has it, without what cannot be read.
func (f *entryForm) asks() scenarios.Entry {
	e := scenarios.Entry{Mechanism: f.spec.Name, Sampling: 1}
	e.Values, _ = f.values()
	if f.fillQuery(&e) != nil {
		e.Query = query.Query{}
	}
	return e
}

// showSensitivity puts the Δ that follows from the query into its field, unless it was typed there.
func (f *entryForm) showSensitivity(edited *formField) {
	fl := f.field("sensitivity")
	if fl == nil || len(f.asked) == 0 {
		return
	}
	stated := fl.typed && fl.Value() != "" || f.stated
	e := f.asks()
	switch {
	case edited == fl:
		f.stated = false
	case !e.Query.IsSet() && fl.derived:
		fl.derived, fl.problem = false, ""
		fl.Input.SetValue(valueText(fl.param, fl.param.Default))
	case e.Query.IsSet() && !stated:
		fl.derived, fl.instead, fl.problem = true, "what is asked", ""
		delete(e.Values, "sensitivity")
		fl.Input.SetValue("")
		if d, err := f.around.Sensitivity(&e); err == nil {
			fl.Input.SetValue(numeral.Short(d.Value, 6, numeral.Up))
		}
	}
}

// reason writes why Δ is what it is.
func (f *entryForm) reason(out *kit.Writer) {
	e := f.asks()
	if text := f.around.Reason(&e); text != "" {
		out.Prose(out.Pen.Text, text+". The releasing program must cut values and drop records like this.")
	}
}
