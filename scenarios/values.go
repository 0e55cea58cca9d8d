package scenarios

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios/internal/document"
)

// What a row's at points to: *string is text, or one of the choices declared; *float64 a number, of an optional field 0 where it is not
// given; *bool a flag; *mechanisms.Also the claim about absence; *Entry stands for a parameter of its mechanism, by name. The
// lists are *[]Entry, *[][]Entry and *[]Expectation.

// decodeAt reads a field's value.
func decodeAt(d *decoder, p mechanisms.Param, at any, v *document.Node, path string) {
	switch at := at.(type) {
	case *string:
		if *at = d.text(v, path); *at == "" && p.Optional { // given but empty is a mistake, not the default
			d.failOnce(v, path, p.Allowed()+`, got ""`)
		}
	case *float64:
		d.optionalNumber(p, at, v, path)
	case *bool:
		on, ok := v.Bool()
		if !ok {
			d.fail(v, path, p.Allowed()+", got "+v.Describe())
		}
		*at = on
	case *mechanisms.Also:
		*at = d.also(v, path)
	case *Entry:
		d.param(at, p, v, path)
	case *[]Entry:
		*at = d.entries(v, path)
	case *[][]Entry:
		*at = d.branches(v, path)
	case *[]Expectation:
		*at = d.expectations(v, path)
	}
}

// optionalNumber reads a number, or the word that stands for none.
func (d *decoder) optionalNumber(p mechanisms.Param, at *float64, v *document.Node, path string) {
	word, allowed := p.Default.Text, "must be a number"
	if word != "" {
		if v.Kind == document.Scalar && v.Text == word {
			return
		}
		allowed = "must be " + word + " or a number " + strings.TrimPrefix(p.Allowed(), "must be ")
	}
	if *at = d.number(v, path, allowed, p.Default.Number); p.Optional && *at == 0 {
		d.failOnce(v, path, p.CheckNumber(0))
	}
}

// checkAt checks a field's value. A mechanism checks its parameters together.
func checkAt(c *checker, p mechanisms.Param, at any, path string) {
	switch at := at.(type) {
	case *string:
		c.add(path, checkWord(p, *at))
	case *float64:
		if *at != 0 || !p.Optional {
			c.add(path, p.CheckNumber(*at))
		}
	case *mechanisms.Also:
		c.also(path, *at)
	case *[]Entry:
		c.entries(path, *at)
	case *[][]Entry:
		for i, branch := range *at {
			if len(branch) > 0 {
				c.entries(indexed(path, i), branch)
			}
		}
	case *[]Expectation:
		for i := range *at {
			before := len(c.found)
			checkFields(c, &(*at)[i], &expectTable)
			c.within(before, path, i)
		}
	}
}

func checkWord(p mechanisms.Param, word string) string {
	if p.Choices == nil {
		return checkText(word, p.Name == "description")
	}
	if slices.Contains(p.Choices, word) || p.Optional && word == "" {
		return ""
	}
	return p.Allowed() + ", got " + strconv.Quote(word)
}

// valueAt is a single value, and whether there is one; lists have none.
func valueAt(p mechanisms.Param, at any) (v mechanisms.Value, given bool) {
	v.Type = p.Type
	switch at := at.(type) {
	case *string:
		v.Text, given = *at, *at != "" || !p.Optional
	case *float64:
		v.Number, given = *at, *at != 0 || !p.Optional
	case *bool:
		v.Flag, given = *at, true
	case *mechanisms.Also:
		v.Text, v.Number, given = alsoText(*at), at.Number, at.AddRemove
	case *Entry:
		v, given = at.Values[p.Name]
	}
	return v, given
}

// single tells a field with one value, which a line of text can set, from a list.
func single(at any) bool {
	switch at.(type) {
	case *string, *float64, *bool, *mechanisms.Also, *Entry:
		return true
	}
	return false
}

// treeAt is a field's value as it stands in a file, nil if there is none, and whether
// it says no more than the default.
func treeAt(p mechanisms.Param, at any) (t *tree, implied bool) {
	switch at := at.(type) {
	case *[]Entry:
		return entriesTree(*at, true), false
	case *[][]Entry:
		t := &tree{kind: sequenceTree, block: len(*at) > 0}
		for _, branch := range *at {
			t.items = append(t.items, branchTree(branch))
		}
		return t, false
	case *[]Expectation:
		t := &tree{kind: sequenceTree, block: len(*at) > 0, counted: true}
		for i := range *at {
			t.items = append(t.items, treeOf(&(*at)[i], expectFields))
		}
		return t, len(*at) == 0
	case *mechanisms.Also:
		return alsoTree(*at), !at.AddRemove
	case nil:
		return numberOf(Version), false
	}
	v, given := valueAt(p, at)
	if given {
		_, param := at.(*Entry) // a parameter is written as it was given
		return valueTree(p, v), !param && v.Number == p.Default.Number && v.Text == p.Default.Text && v.Flag == p.Default.Flag
	}
	if p.Default.Text != "" {
		t = textOf(p.Default.Text)
	}
	return t, true
}

// sameAt compares two values of one field.
func sameAt(p mechanisms.Param, a, b any) bool {
	switch a := a.(type) {
	case *[]Entry:
		return equalEntries(*a, *b.(*[]Entry))
	case *[][]Entry:
		return slices.EqualFunc(*a, *b.(*[][]Entry), equalEntries)
	case *[]Expectation:
		return slices.Equal(*a, *b.(*[]Expectation))
	}
	x, inA := valueAt(p, a)
	y, inB := valueAt(p, b)
	return inA == inB && equalValues(x, y)
}

// textAt is a single value for people, its default where it is not given.
func textAt(p mechanisms.Param, at any) string {
	v, given := valueAt(p, at)
	switch {
	case given:
		return valueText(p, v)
	case p.Default.Text != "":
		return p.Default.Text
	case p.Required || p.Optional:
		return ""
	}
	return valueText(p, p.Default)
}

// setAt reads a value from a line of text.
func setAt(p mechanisms.Param, at any, text string) error {
	switch at := at.(type) {
	case *string:
		if p.Choices != nil {
			text = strings.TrimSpace(text)
		}
		if p.Optional && text == "none" {
			text = ""
		}
		if problem := checkWord(p, text); problem != "" {
			return errors.New(problem)
		}
		*at = text
		return nil
	case *mechanisms.Also:
		claim, err := parseAlso(text)
		if err == nil {
			*at = claim
		}
		return err
	case *Entry:
		return at.setParam(p, text)
	case *float64:
		if word := p.Default.Text; word != "" && strings.TrimSpace(text) == word {
			*at = 0
			return nil
		}
	}
	v, err := parseValue(p, text)
	if err != nil {
		return err
	}
	switch at := at.(type) {
	case *float64:
		*at = v.Number
	case *bool:
		*at = v.Flag
	}
	return nil
}

// schemaAt is what a schema says of a field.
func schemaAt(p mechanisms.Param, at any) object {
	switch at.(type) {
	case *[]Entry:
		return object{"$ref": "#/$defs/stack", "description": p.Help}
	case *[][]Entry:
		return object{"type": "array", "items": object{"$ref": "#/$defs/stack"}, "description": p.Help}
	case *[]Expectation:
		return object{"type": []string{"array", "null"}, "description": p.Help, "items": mappingSchema(new(Expectation), expectFields)}
	case *mechanisms.Also:
		return alsoSchema(p.Help)
	case nil:
		return object{"const": Version, "description": p.Help}
	}
	if word := p.Default.Text; word != "" && p.Type != mechanisms.Choice {
		return object{"description": p.Help, "default": word, "oneOf": []object{{"const": word}, paramSchema(p)}}
	}
	return paramSchema(p)
}
