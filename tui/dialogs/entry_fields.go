package dialogs

import (
	"cmp"
	"math"
	"strconv"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/numeral"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/document"
	"epsiloscope/tui/kit"
)

// paramField makes the field of one declared parameter.
func paramField(s *kit.Shell, e *scenarios.Entry, p param.Param) *formField {
	f := &formField{name: p.Name, symbol: p.Symbol, help: p.Help, param: p, empty: !p.Required}
	v, given := e.Values[p.Name]
	if !given && (p.Type == param.Choice || p.Type == param.Flag) {
		v = p.Default
	}
	switch p.Type {
	case param.Choice:
		f.Choices = p.Choices
		f.Pick(v.Text)
	case param.Flag:
		f.Choices = []string{"false", "true"}
		f.Pick(strconv.FormatBool(v.Flag))
	case param.Scores, param.Points:
		f.help += "; for example " + exampleItems(p)
		f.Input = kit.NewInput(formatItems(v))
		f.Input.CharLimit = 1 << 20
	default:
		text := ""
		if x, ok := document.Number(e, p); ok {
			text = numeral.Format(x)
		}
		f.Input = kit.NewInput(text)
	}
	return f
}

// entryFields are those every entry has.
func entryFields(s *kit.Shell, e *scenarios.Entry) []*formField {
	count := number(s, "count", "K", "how many times this is released", e.Count, scenarios.EntryField("count"))
	sampling := number(s, "sampling", "q", "Poisson sampling: the chance that a record takes part; 1 means none", cmp.Or(e.Sampling, 1), scenarios.EntryField("sampling.rate"))
	count.empty, sampling.empty = false, false
	return []*formField{count, words(s, "label", "a name for this entry", e.Label), sampling}
}

// alsoFields are where an entry claims that its number holds for absence too. They
// matter where the number is about a changed record.
func alsoFields(s *kit.Shell, e *scenarios.Entry) []*formField {
	p, claimed := scenarios.EntryField(fieldAlso), ""
	if e.Also.AddRemove {
		claimed = string(mechanisms.AddRemove)
	}
	return []*formField{
		choice(fieldAlso, p.Help, claimed, append([]string{unclaimed}, p.Choices...)...),
		number(s, fieldAbsence, "", "the figure where a record is added or removed, in the entry's own unit; empty if it is the same", e.Also.Number,
			param.Param{OpenMin: true, Max: math.Inf(1)}),
	}
}

// fillAlso takes the claim over, if the mechanism can make it.
func (f *form) fillAlso(e *scenarios.Entry) error {
	if f.field(fieldAlso) == nil {
		return nil
	}
	x, _ := numeral.Parse(f.field(fieldAbsence).Value())
	e.Also = mechanisms.Also{AddRemove: x > 0 || f.field(fieldAlso).Value() != unclaimed, Number: x}
	if x > 0 {
		_, err := mechanisms.WithAbsent(e.Mechanism, e.Values, x)
		return err
	}
	return nil
}

// keepInStep shows what follows from the field being edited: of ε, scale and σ one
// is given and the others are its equivalents.
func (f *form) keepInStep(edited *formField) {
	for _, alt := range f.spec.Alternatives {
		f.settle(alt, edited)
	}
	values, err := f.values()
	if err != nil {
		return
	}
	known := f.Doc.Scenario().Equivalents(f.spec.Name, values)
	for _, fl := range f.fields {
		if fl.derived {
			fl.Input.SetValue("")
			if x, ok := known[fl.name]; ok {
				fl.Input.SetValue(numeral.Format(numeral.Round(x, 6)))
			}
		}
	}
}

// courseNote says how a training goes on as the form has it: its batches and steps, and
// what the noise does to a gradient.
func courseNote(f *form, w int) []string {
	values, err := f.values()
	if err != nil {
		return nil
	}
	return kit.Wrapped(f.Pen, f.Pen.Text, report.CourseOf(f.Doc.Scenario(), f.spec.Name, values), w)
}
