package format

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"epsiloscope/internal/yamltree"
	"epsiloscope/mechanisms/param"
)

// Decoder decodes a document and collects every mistake in names and types. Ranges are checked
// afterwards, by the same rules as for values changed in memory.
type Decoder struct {
	Doc    *yamltree.Document
	File   string
	Errors Errors
	wrong  map[string]bool // fields reported
	within map[string]bool // fields reported, and those around them
}

// Fail reports a mistake in a field.
func (d *Decoder) Fail(at *yamltree.Node, field, problem string) {
	if d.wrong == nil {
		d.wrong, d.within = map[string]bool{}, map[string]bool{}
	}
	d.wrong[field] = true
	for part := field; part != "" && !d.within[part]; part = parent(part) {
		d.within[part] = true
	}
	d.report(at, field, problem)
}

// FailOnce reports a mistake unless the field, a part of it or a mapping around it has one
// already.
func (d *Decoder) FailOnce(at *yamltree.Node, field, problem string) {
	reported := d.within[field]
	for part := field; part != "" && !reported; part = parent(part) {
		reported = d.wrong[part]
	}
	if !reported {
		d.Fail(at, field, problem)
	}
}

// report adds a mistake that is not about the value of the field: a mistake in the value is still
// reported.
func (d *Decoder) report(at *yamltree.Node, field, problem string) {
	e := FieldError{File: d.File, Field: MakePrintable(field), Problem: problem}
	if at != nil {
		e.Line, e.Column = d.Doc.Position(at.Start)
	}
	d.Errors = append(d.Errors, e)
}

// parent returns the path of what a field is part of.
func parent(path string) string { return path[:max(0, strings.LastIndexAny(path, ".["))] }

// MakePrintable returns a name from a file without control characters, and shortened if it is long.
func MakePrintable(field string) string {
	const most = 120
	field = strings.Map(func(r rune) rune {
		if yamltree.IsControl(r) {
			return '\ufffd'
		}
		return r
	}, field)
	if r := []rune(field); len(r) > most {
		return string(r[:most]) + "…"
	}
	return field
}

// UnknownName returns the message for an unknown name, with the nearest known one or all of them.
func UnknownName(what, name string, known []string) string {
	if best := param.Nearest(name, known); best != "" {
		return what + "; did you mean " + best + "?"
	}
	return what + "; known: " + strings.Join(known, ", ")
}

// Decode reads a mapping. unknown returns the message for a name that is not in the
// table; "" if the name is to be ignored.
func (t *Table[T]) Decode(d *Decoder, x *T, n *yamltree.Node, prefix string, unknown func(name string) string) {
	decodeRows(d, x, t.rows, n, prefix, unknown)
}

// DecodeStrict reads a mapping in which every other name is "unknown field" + of.
func (t *Table[T]) DecodeStrict(d *Decoder, x *T, n *yamltree.Node, prefix, of string) {
	t.Decode(d, x, n, prefix, func(name string) string { return UnknownName("unknown field"+of, name, t.Names()) })
}

func decodeRows[T any](d *Decoder, x *T, rows []Field[T], n *yamltree.Node, prefix string,
	unknown func(name string) string) {
	for _, f := range rows {
		if _, given := n.Get(f.Name); !given && f.Missing != "" {
			d.Fail(n, prefix+f.Name, f.Missing)
		}
	}
	for _, p := range d.pairs(n, prefix) {
		name := p.Key.Text
		if i := slices.IndexFunc(rows, func(f Field[T]) bool { return f.Name == name }); i >= 0 {
			rows[i].decode(d, x, p.Value.Deref(), prefix+name)
			continue
		}
		if problem := cmp.Or(dottedNameProblem(rows, name), unknown(name)); problem != "" {
			d.Fail(p.Key, prefix+name, problem)
		}
	}
}

// dottedNameProblem returns the problem with a name that is a path, as --set takes it; "" of any other name.
func dottedNameProblem[T any](rows []Field[T], name string) string {
	outer, inner, _ := strings.Cut(name, ".")
	if inner == "" || !slices.ContainsFunc(rows, func(f Field[T]) bool { return f.Name == outer && f.Parts != nil }) {
		return ""
	}
	return fmt.Sprintf("is a field inside another: write %s: {%s: …}", outer, inner)
}

func (f *Field[T]) decode(d *Decoder, x *T, n *yamltree.Node, path string) {
	switch {
	case f.Parts == nil:
		f.value(x).Decode(d, f.Param, n, path)
	case n.Kind != yamltree.Mapping:
		d.Fail(n, path, "must be a mapping such as "+f.Example+", got "+n.Describe())
	default:
		decodeRows(d, x, f.Parts, n, path+".", func(name string) string {
			if d.wrong[path+".mechanism"] { // its fields are not known
				return ""
			}
			return UnknownName(strings.Replace("unknown field of "+f.Name, "of of", "of what is run", 1), name, names(f.Parts))
		})
	}
}

// pairs returns the fields of a mapping. Of equal names it returns the first and reports the
// others.
func (d *Decoder) pairs(n *yamltree.Node, prefix string) []yamltree.Pair {
	first := make(map[string]*yamltree.Node, len(n.Pairs))
	unique := make([]yamltree.Pair, 0, len(n.Pairs))
	for _, p := range n.Pairs {
		if earlier, twice := first[p.Key.Text]; twice {
			line, _ := d.Doc.Position(earlier.Start)
			d.report(p.Key, prefix+p.Key.Text, fmt.Sprintf("is given twice; the first is on line %d", line))
			continue
		}
		first[p.Key.Text] = p.Key
		unique = append(unique, p)
	}
	return unique
}
