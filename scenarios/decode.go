package scenarios

import (
	"fmt"
	"math"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios/internal/document"
)

// Version is the version of the file format this package reads and writes.
const Version = 1

// decoder turns a tree into a scenario and collects every mistake on the way.
// Types and names are its business; ranges are checked afterwards, by the same
// rules as for a scenario changed in memory.
type decoder struct {
	doc    *document.Document
	file   string
	errs   Errors
	wrong  map[string]bool // fields reported
	within map[string]bool // fields reported or with a part that is
}

func (d *decoder) fail(at *document.Node, field, problem string) {
	if d.wrong == nil {
		d.wrong, d.within = map[string]bool{}, map[string]bool{}
	}
	d.wrong[field] = true
	for part := field; part != "" && !d.within[part]; part = parent(part) {
		d.within[part] = true
	}
	d.report(at, field, problem)
}

// report lists a mistake that is not about the field's value, which may have
// mistakes of its own.
func (d *decoder) report(at *document.Node, field, problem string) {
	e := FieldError{File: d.file, Field: printable(field), Problem: problem}
	if at != nil {
		e.Line, e.Column = d.doc.Position(at.Start)
	}
	d.errs = append(d.errs, e)
}

// printable keeps what a file calls a field from reaching a terminal as it is.
func printable(field string) string {
	const most = 120
	field = strings.Map(func(r rune) rune {
		if document.IsControl(r) {
			return '\ufffd'
		}
		return r
	}, field)
	if r := []rune(field); len(r) > most {
		return string(r[:most]) + "…"
	}
	return field
}

// scenario decodes the root; the result is of use only if there were no errors.
func (d *decoder) scenario() *Scenario {
	s := New()
	s.origin = &origin{doc: d.doc, file: &fileState{}}
	root := d.doc.Root
	if root == nil || root.Null() {
		d.fail(nil, "", "the file is empty; a scenario starts with version: 1")
		return nil
	}
	if root.Kind != document.Mapping {
		d.fail(root, "", "a scenario is a list of fields, starting with version: 1; got "+root.Describe())
		return nil
	}
	if !d.version(root) {
		return nil
	}
	decodeFields(d, s, scenarioFields, root, "", "unknown field")
	for _, p := range s.problems() {
		if !d.reported(p.field) {
			d.fail(locate(root, p.field), p.field, p.problem)
		}
	}
	return s
}

// reported tells whether an earlier error is about the field, a part of it or what
// it is part of: one mistake should not be listed twice.
func (d *decoder) reported(field string) bool {
	if d.within[field] {
		return true
	}
	for part := field; part != ""; part = parent(part) {
		if d.wrong[part] {
			return true
		}
	}
	return false
}

// parent is the path of what a field is part of.
func parent(path string) string { return path[:max(0, strings.LastIndexAny(path, ".["))] }

// version checks the version before anything else: a file of another version may
// have other fields.
func (d *decoder) version(root *document.Node) bool {
	p, ok := root.Get("version")
	if !ok {
		d.fail(root, "version", scenarioFields[0].missing)
		return false
	}
	if v, ok := p.Value.Deref().Float(); !ok || v != Version {
		d.fail(p.Value, "version", "is not known; this program reads version 1, got "+p.Value.Describe())
		return false
	}
	return true
}

func (d *decoder) failOnce(at *document.Node, field, problem string) {
	if !d.reported(field) {
		d.fail(at, field, problem)
	}
}

func (d *decoder) expectations(v *document.Node, path string) (list []Expectation) {
	if v.Kind != document.Sequence && !v.Null() {
		d.fail(v, path, "must be a list of figures, got "+v.Describe())
	}
	for i, item := range v.Items {
		list = append(list, d.expectation(item.Value.Deref(), indexed(path, i)))
	}
	return list
}

func (d *decoder) expectation(v *document.Node, path string) Expectation {
	e := Expectation{Tolerance: defaultTolerance}
	if v.Kind != document.Mapping {
		d.fail(v, path, "must be a mapping such as {method: basic, epsilon: 2, tolerance: 1e-9}, got "+v.Describe())
		return e
	}
	decodeFields(d, &e, expectFields, v, path+".", "unknown field of an expectation")
	return e
}

// pairs are the fields of a mapping without the second of two equal names, which
// is reported.
func (d *decoder) pairs(v *document.Node, prefix string) []document.Pair {
	first := make(map[string]*document.Node, len(v.Pairs))
	unique := v.Pairs
	for i, p := range v.Pairs {
		if earlier, twice := first[p.Key.Text]; twice {
			line, _ := d.doc.Position(earlier.Start)
			d.report(p.Key, prefix+p.Key.Text, fmt.Sprintf("is given twice; the first is on line %d", line))
			if len(unique) == len(v.Pairs) {
				unique = append([]document.Pair(nil), v.Pairs[:i]...)
			}
			continue
		}
		first[p.Key.Text] = p.Key
		if len(unique) < len(v.Pairs) {
			unique = append(unique, p)
		}
	}
	return unique
}

// text reads a scalar as text; a number without quotes is a fine name.
func (d *decoder) text(v *document.Node, field string) string {
	if v.Kind != document.Scalar {
		d.failOnce(v, field, "must be text, got "+v.Describe())
		return ""
	}
	if v.Null() {
		return ""
	}
	return v.Text
}

func (d *decoder) number(v *document.Node, field, allowed string, fallback float64) float64 {
	x, ok := document.Number(v.Deref())
	if !ok {
		d.fail(v, field, allowed+", got "+v.Describe()+spelled(v.Deref()))
		return fallback
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		d.fail(v, field, "must be finite, got "+mechanisms.FormatNumber(x))
		return fallback
	}
	return x
}
