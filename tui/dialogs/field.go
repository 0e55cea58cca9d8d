package dialogs

import (
	"cmp"
	"errors"
	"math"
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// formField is a line of a form: a declaration and what was filled in. Choices and flags
// cycle; everything else is typed and checked while it is typed.
type formField struct {
	param param.Param
	kit.Blank
	given   param.Value // what it was filled with, as was shows it: a name may hold a comma or a line end
	was     string
	words   string // the name for people, if it is not the parameter's
	letter  string // the symbol shown, if another field of the form has the parameter's own
	example string // what a list looks like; it stays beside one that is wrong
	typed   bool   // it was edited in the form
	derived bool   // not given: it follows from another field
	instead string // the names of the fields given instead of a derived one
	problem string
}

func newField(p param.Param, value string) *formField {
	f := &formField{param: p, Blank: kit.Blank{Input: kit.NewInput(""), Choices: p.Choices}}
	if p.Type == param.Flag {
		f.Choices = []string{"false", "true"}
	}
	f.Input.CharLimit = 1 << 20 // a form must not cut what it was given
	f.Input.SetValue(value)
	f.Pick(value)
	return f
}

// text returns what a field for words says: what it was given unless that was edited, as a field
// has no line ends.
func (f *formField) text() string {
	v, _ := f.read() // any text will do
	return v.Text
}

// number returns a field for a number, of which 0 is none; words is one for any text; choice is one of a few words, of
// an optional field the word for "not set" first. Each has a name and a help of the form's own.
func number(p param.Param, name, symbol, help string, x float64) *formField {
	p.Name, p.Symbol, p.Help = name, symbol, help
	if x == 0 {
		return newField(p, "")
	}
	return newField(p, numeral.Format(x))
}

func words(name, help, text string) *formField {
	f := choice(name, help, text)
	f.given, f.was = param.ChoiceValue(text), f.Value()
	return f
}

func choice(name, help, word string, words ...string) *formField {
	return newField(param.Param{Name: name, Help: help, Type: param.Choice, Choices: words}, word)
}

// free reports that any text will do: a label, a unit.
func (f *formField) free() bool { return f.param.Type == param.Choice && f.Choices == nil }

// isUnset reports whether an optional field of an entry is left out: it is empty, or its first choice is chosen, which
// is the form's word for that.
func (f *formField) isUnset() bool {
	if f.param.Type == param.Choice && f.Choices != nil {
		return f.Choice == 0 && scenarios.EntryField(f.param.Name).Optional
	}
	return f.param.Optional && f.Value() == ""
}

// label returns the field's name for people. What a selection runs has its own names.
func (f *formField) label() string {
	name := cmp.Or(f.words, f.param.Name)
	if f.param.Inner || strings.HasPrefix(name, f.param.Symbol+".") {
		_, name, _ = strings.Cut(name, ".")
	}
	return strings.NewReplacer("_", " ", ".", " ").Replace(name)
}

// wrong says of the field what is wrong with it.
func (f *formField) wrong() string { return cmp.Or(f.symbol(), f.label()) + " " + f.problem }

// symbol is the letter of the field in its form.
func (f *formField) symbol() string { return cmp.Or(f.letter, f.param.Symbol) }

// setLetters gives every field of a form a letter of its own: of two with the same symbol the later one has
// a letter of its name instead.
func setLetters(fields []*formField) {
	used := map[string]bool{}
	for _, f := range fields {
		used[f.param.Symbol] = true
	}
	seen := map[string]bool{"": true}
	for _, f := range fields {
		f.letter = ""
		if !seen[f.param.Symbol] || f.param.Symbol == "" {
			seen[f.param.Symbol] = true
			continue
		}
		f.letter = f.param.Symbol + "′"
		for _, r := range f.label() {
			if c := string(r); r != ' ' && !used[c] {
				f.letter = c
				break
			}
		}
		used[f.letter] = true
	}
}

// check says what is wrong with the field by itself.
func (f *formField) check() string {
	var err error
	numeric := f.param.Type.Numeric()
	switch {
	case f.derived || f.Value() == "" && !f.param.Required:
		return ""
	case f.Value() == "":
		return "is missing; " + f.param.Requirement()
	case numeric:
		_, err = Meaning(f.param, f.Value())
	default:
		_, err = f.read()
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// read returns the value that was filled in.
func (f *formField) read() (v param.Value, err error) {
	if f.was != "" && f.Value() == f.was {
		return f.given, nil
	}
	v.Type = f.param.Type
	switch v.Type {
	case param.Choice:
		v.Text = f.Value()
	case param.Flag:
		v.Flag = f.Value() == "true"
	case param.Scores, param.Points:
		v, err = parseItems(f.Value(), f.param)
	default:
		v.Number, err = numeral.Parse(f.Value())
	}
	return v, err
}

// Meaning returns the number a text stands for, if it is not written out already.
func Meaning(p param.Param, s string) (string, error) {
	x, err := numeral.Parse(s)
	if err != nil {
		return "", err
	}
	if problem := p.CheckNumber(x); problem != "" {
		if up := math.Ceil(x); p.Type == param.Whole && up != x && p.CheckNumber(up) == "" {
			problem += "; try " + numeral.Format(up)
		}
		return "", errors.New(problem)
	}
	if strings.ContainsAny(s, "/(^*√") {
		return "= " + report.Nearest(x), nil
	}
	return "", nil
}

// row draws the field, and beside it what is wrong, what its formula comes to, or its unit.
func (f *formField) row(p *draw.Pen, focused bool, inner int) string {
	l, ink := p.Row(inner, focused)
	if !focused {
		ink = p.Muted
	}
	l.Left(ink, f.symbol(), 4).Left(ink, f.label(), 19).Skip(1)
	width := max(10, inner-l.Column()-24)
	if f.free() && f.problem == "" { // words have no unit beside them
		width = inner - l.Column() - 1
	}
	switch {
	case f.Choices != nil && focused:
		l.Left(p.Accent, p.Glyphs.Left+" "+f.Value()+" "+p.Glyphs.Right, width)
	case f.Choices != nil:
		l.Left(p.Text, f.Value(), width)
	case f.derived && !focused && f.Value() == "" && f.instead != "":
		l.Left(p.Muted, kit.Widest(width, f.instead+" given instead", "from "+f.instead), width)
	case f.derived && !focused && f.Value() != "":
		l.Left(p.Muted, "= "+f.Value(), width)
	default:
		kit.Field(l, p, f.Input, width, focused, f.Fresh)
	}
	l.Skip(1)
	meaning := ""
	if f.param.Type.Numeric() && !f.derived && f.Value() != "" {
		meaning, _ = Meaning(f.param, f.Value())
	}
	unit := f.param.Unit
	if unit == "answer" || unit == "score" {
		unit = "in units of the " + unit
	}
	cross := p.Glyphs.Cross
	switch {
	case f.problem != "" && focused: // it stands below
		l.Put(p.Over, cross)
	case f.problem != "":
		l.Put(p.Over, kit.Widest(l.Room(), cross+" "+f.problem, cross))
	case meaning != "":
		l.Put(p.Good, meaning)
	default:
		l.Put(p.Muted, unit)
	}
	return l.String()
}
