package scenarios

import (
	"errors"
	"math"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios/internal/document"
)

// alsoNumber declares the number an entry may state for absence alone.
var alsoNumber = mechanisms.Param{Name: string(mechanisms.AddRemove), Optional: true, OpenMin: true, Max: math.Inf(1),
	Help: "the number where a record comes or goes, in the unit of the entry's own number"}

var alsoFields = []field[mechanisms.Also]{{Param: alsoNumber, missing: "is missing; " + alsoNumber.Allowed(),
	at: func(a *mechanisms.Also) any { return &a.Number }}}

const alsoAllowed = "must be add-remove, or {add-remove: NUMBER} where absence has a number of its own"

// also decodes the claim about absence: a word, or a mapping with a number.
func (d *decoder) also(v *document.Node, path string) (a mechanisms.Also) {
	switch {
	case v.Kind == document.Scalar && v.Text == alsoNumber.Name:
		a.AddRemove = true
	case v.Kind == document.Mapping && len(v.Pairs) > 0:
		a.AddRemove = true
		decodeFields(d, &a, alsoFields, v, path+".", "unknown field of also")
	default:
		d.fail(v, path, alsoAllowed+", got "+v.Describe())
	}
	return a
}

func (c *checker) also(path string, a mechanisms.Also) {
	switch {
	case a.Number != 0 && !a.AddRemove:
		c.add(path, alsoAllowed)
	case a.Number != 0:
		c.add(path+"."+alsoNumber.Name, alsoNumber.CheckNumber(a.Number))
	}
}

// parseAlso reads add-remove, add-remove: 0.5 or {add-remove: 0.5}; none takes the
// claim back.
func parseAlso(text string) (a mechanisms.Also, err error) {
	text = strings.TrimSpace(text)
	if text == "" || text == "none" {
		return a, nil
	}
	if inside, ok := strings.CutPrefix(text, "{"); ok && strings.HasSuffix(inside, "}") {
		text = strings.TrimSuffix(inside, "}")
	}
	word, number, own := strings.Cut(text, ":")
	if strings.TrimSpace(word) != alsoNumber.Name {
		return a, errors.New(alsoAllowed + ", or none")
	}
	if own {
		if a.Number, err = parseNumber(alsoNumber, number); err != nil {
			return mechanisms.Also{}, errors.New(err.(*mechanisms.ParamError).Problem)
		}
	}
	a.AddRemove = true
	return a, nil
}

func alsoText(a mechanisms.Also) string {
	switch {
	case !a.AddRemove:
		return ""
	case a.Number == 0:
		return alsoNumber.Name
	}
	return alsoNumber.Name + ": " + mechanisms.FormatNumber(a.Number)
}

func alsoTree(a mechanisms.Also) *document.Tree {
	if a.Number != 0 {
		return treeOf(&a, alsoFields)
	}
	if a.AddRemove {
		return document.TextOf(alsoNumber.Name)
	}
	return nil
}

func alsoSchema(help string) object {
	return object{"description": help, "oneOf": []object{{"const": alsoNumber.Name}, mappingSchema(new(mechanisms.Also), alsoFields)}}
}
