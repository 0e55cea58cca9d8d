package scenarios

import (
	"slices"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios/internal/document"
)

// decodeFields decodes a mapping by its table; what calls a field that is not in it.
func decodeFields[T any](d *decoder, x *T, rows []field[T], v *document.Node, prefix, what string) {
	decodeRows(d, x, rows, v, prefix, func(name string) string { return unknownField(what, name, names(rows)) })
}

// decodeRows does the same, with words for a name that is not known; "" passes over it.
func decodeRows[T any](d *decoder, x *T, rows []field[T], v *document.Node, prefix string, unknown func(name string) string) {
	for _, f := range rows {
		if _, given := v.Get(f.Name); !given && f.missing != "" {
			d.fail(v, prefix+f.Name, f.missing)
		}
	}
	for _, p := range d.pairs(v, prefix) {
		name := p.Key.Text
		if i := slices.IndexFunc(rows, func(f field[T]) bool { return f.Name == name }); i >= 0 {
			rows[i].decode(d, x, p.Value.Deref(), prefix+name)
		} else if problem := unknown(name); problem != "" {
			d.fail(p.Key, prefix+name, problem)
		}
	}
}

func (f field[T]) decode(d *decoder, x *T, v *document.Node, path string) {
	switch {
	case f.parts == nil:
		decodeAt(d, f.Param, f.at(x), v, path)
	case v.Kind != document.Mapping:
		d.fail(v, path, "must be a mapping such as "+f.example+", got "+v.Describe())
	default:
		decodeRows(d, x, f.parts, v, path+".", func(name string) string {
			if d.wrong[path+".mechanism"] { // what it would have is not known
				return ""
			}
			return unknownField(strings.Replace("unknown field of "+f.Name, "of of", "of what is run", 1), name, names(f.parts))
		})
	}
}

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
	case param:
		p.Name = at.name
		d.param(at.Entry, p, v, path)
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
