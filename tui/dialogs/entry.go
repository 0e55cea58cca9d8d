package dialogs

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/mechanisms/query"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/tui/kit"
)

// entryForm edits an entry: the parameters of its mechanism, then what every entry has.
type entryForm struct {
	*form
	spec   mechanisms.Spec
	asked  []*formField          // what is asked, from which Δ follows
	own    []*formField          // those that every entry has, and blocks
	kept   map[string]*formField // of asked, also for other kinds of answers
	stated bool                  // the entry states its sensitivity beside a query

	around *scenarios.Scenario // the entry
}

// EditEntry edits the selected entry in a form built from the catalogue.
func EditEntry(s *kit.Shell) {
	row, ok := s.Doc.SelectedRow()
	if !ok {
		Add(s)
		return
	}
	spec := row.Entry.Spec()
	f := &entryForm{
		form:   &form{Shell: s, title: spec.Title, about: spec.Summary, what: "edit", priced: true},
		around: s.Doc.ScenarioFor(row),
	}
	if row.Block() {
		f.title = "Parallel branches"
	}
	f.changed, f.note = f.keepInStep, f.course
	f.made = func() (*scenarios.Scenario, error) {
		e := *row.Entry
		if err := f.fill(&e); err != nil {
			return nil, err
		}
		return s.Doc.WithEntryEdited(func(now *scenarios.Entry) { *now = e }), nil
	}
	f.show(row.Entry)
	f.open(f.first())
}

// show fills the form with the fields of an entry: the parameters of its mechanism, then those that every entry
// has.
func (f *entryForm) show(e *scenarios.Entry) {
	f.spec, f.stated = e.Spec(), e.Values.Has("sensitivity")
	f.asked, f.kept = f.askedFields(e), map[string]*formField{}
	f.fields = slices.Clone(f.asked)
	for _, p := range f.spec.Params {
		f.fields = append(f.fields, paramField(e, p))
	}
	f.own = f.ownFields(e)
	f.fields = append(f.fields, f.own...)
	setLetters(slices.Concat(f.own[:1], f.params(), f.asked, f.own[1:])) // K is the count everywhere
	f.keepInStep(nil)
}

// params returns the fields of the mechanism's parameters.
func (f *entryForm) params() []*formField { return f.fields[len(f.asked):][:len(f.spec.Params)] }

// first returns the name of the field that a form starts with: the mechanism's main parameter, below what is asked.
func (f *entryForm) first() string { return f.fields[len(f.asked)].param.Name }

// paramField makes the field of one declared parameter.
func paramField(e *scenarios.Entry, p param.Param) *formField {
	v, given := e.Values[p.Name]
	example := ""
	if p.Type == param.Scores || p.Type == param.Points {
		example = exampleItems(p)
		p.Help += "; for example " + example
	}
	text := ""
	switch {
	case given:
		text = valueText(p, v)
	case !p.Required && !p.Optional:
		text = valueText(p, p.Default)
	}
	f := newField(p, text)
	if f.example = example; given {
		f.given, f.was = v, f.Value()
	}
	return f
}

// The fields of the claim for add-remove, and the word of this form for a claim that is not made.
const (
	fieldAlso    = "also"
	fieldAbsence = "number_of_its_own"
	unclaimed    = "no claim"
)

// ownFields returns the fields that every entry has. Under replace an entry may claim that its
// guarantee holds under add-remove too, and a block that records stay in their branches.
func (f *entryForm) ownFields(e *scenarios.Entry) []*formField {
	claim := func(name, word string) *formField {
		p := scenarios.EntryField(name)
		return choice(name, p.Help, word, append([]string{unclaimed}, p.Choices...)...)
	}
	count := number(scenarios.EntryField("count"), "count", "K", "how many times this is released", e.Count)
	count.param.Required = true
	list := []*formField{count, words("label", "a name for this entry", e.Label)}
	adjacency := f.Doc.Scenario().Adjacency
	if e.Parallel != nil {
		branches := scenarios.EntryField("max_branches")
		list = append(list, number(branches, branches.Name, "", branches.Help, e.Branches))
		if adjacency == mechanisms.Replace {
			list = append(list, claim("moves", e.Moves))
		}
		return list
	}
	if f.spec.Varies == "" { // what is run may be sampled, not all runs together
		rate := number(scenarios.EntryField("sampling.rate"), "sampling", "q",
			"Poisson sampling: the chance that a record takes part; 1 means none", cmp.Or(e.Sampling, 1))
		rate.param.Required = true
		list = append(list, rate)
	}
	if adjacency != mechanisms.AddRemove {
		also := claim(fieldAlso, unclaimed)
		if e.Also.AddRemove {
			also.Pick(string(mechanisms.AddRemove))
		}
		list = append(list, also, number(param.Param{OpenMin: true, Max: math.Inf(1)}, fieldAbsence, "",
			"the number under add-remove, in the entry's own unit; empty if it is the same", e.Also.Number))
	}
	return list
}

// keepInStep shows what follows from the field being edited: of ε, scale and σ one is given
// and the others are its equivalents. Where a field decides what others there are, they change
// with it.
func (f *entryForm) keepInStep(edited *formField) {
	if edited != nil && edited.param.Name == f.spec.Varies {
		row, _ := f.Doc.SelectedRow()
		now := *row.Entry
		now.Values, _ = f.values()
		_ = f.fillOwn(&now) // what cannot be read stays as it was
		if now.Set(edited.param.Name, edited.Value()) == nil {
			f.show(&now)
		}
		return
	}
	if edited != nil && edited.param.Name == fieldAsked {
		f.showQueryFields()
	}
	for _, alt := range f.spec.Alternatives {
		f.settle(alt, edited)
	}
	f.fillDelta(edited)
	f.showSensitivity(edited)
	if _, err := f.values(); err != nil {
		return
	}
	now := f.asks()
	known := f.around.Equivalents(&now)
	if _, err := f.around.Sensitivity(&now); err != nil {
		known = nil
	}
	for _, fl := range f.fields {
		if fl.derived && fl.param.Name != "sensitivity" {
			fl.Input.SetValue("")
			if x, ok := known[fl.param.Name]; ok {
				fl.Input.SetValue(numeral.Format(numeral.Round(x, 6)))
			}
		}
	}
}

// showQueryFields puts the fields there that the kind of answer needs, after that kind was changed.
func (f *entryForm) showQueryFields() {
	rest := f.fields[len(f.asked):]
	for _, fl := range f.asked {
		f.kept[fl.param.Name] = fl
	}
	kind := strings.Replace(f.asked[0].Value(), unasked, "", 1)
	f.asked = f.askedFields(&scenarios.Entry{Mechanism: f.spec.Name, Query: query.Query{Kind: kind}})
	for i, fl := range f.asked {
		if was := f.kept[fl.param.Name]; was != nil { // what was typed for another kind stays
			f.asked[i] = was
		}
	}
	f.fields = slices.Concat(f.asked, rest)
	setLetters(slices.Concat(f.own[:1], f.params(), f.asked, f.own[1:]))
}

// fillDelta gives a δ that was not typed the value of the plan: noise that is calibrated to an ε needs one,
// and another than the plan's would be a surprise.
func (f *entryForm) fillDelta(edited *formField) {
	delta, plan := f.field("delta"), f.Doc.Scenario().Budget.Delta
	row, _ := f.Doc.SelectedRow()
	if delta == nil || delta == edited || !(plan > 0) || row.Entry == nil || row.Entry.Values.Has("delta") || delta.typed {
		return
	}
	if len(f.spec.Alternatives) > 0 && !delta.derived && edited != nil {
		delta.Input.SetValue(numeral.Format(plan))
	}
}

// settle decides which set of an alternative is given: the one just edited, else
// the one that has values.
func (f *entryForm) settle(alt param.Alternative, edited *formField) {
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
		if f.field(name).Value() == "" { // it was emptied: nothing is given instead of the others
			labels = nil
			break
		}
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

// course says how a training goes on as the form has it: its batches and steps, and what the
// noise does to a gradient.
func (f *entryForm) course(out *kit.Writer) {
	f.reason(out)
	if values, err := f.values(); err == nil && f.spec.Rate != "" {
		out.Prose(out.Pen.Text, report.CourseOf(f.around, f.spec.Name, values))
	}
}
