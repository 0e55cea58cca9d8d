package format

import (
	"errors"
	"strings"

	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios/internal/document"
)

// Value is a field's value that is not simply a word, a number or a flag. Of an optional
// *string or *float64 the zero value means that it is not given.
type Value interface {
	Decode(d *Decoder, p param.Param, n *document.Node, path string)
	Check(c *Checker, path string)
	Same(other any) bool
	// Tree is the value as it stands in a file, nil if there is none, and whether it
	// says no more than the default.
	Tree(p param.Param) (t *document.Node, implied bool)
	Schema(p param.Param) Object
}

// Single is a value that a line of text can set.
type Single interface {
	Value
	Get() (v param.Value, given bool)
	Set(p param.Param, text string) error
}

// get is a field's value and whether it is given; single is false of a list, which no
// line of text can set.
func get(p param.Param, at any) (v param.Value, given, single bool) {
	v.Type, single = p.Type, true
	switch at := at.(type) {
	case *string:
		v.Text, given = *at, *at != "" || !p.Optional
	case *float64:
		v.Number, given = *at, *at != 0 || !p.Optional
	case *bool:
		v.Flag, given = *at, true
	case Single:
		v, given = at.Get()
	default:
		single = false
	}
	return v, given, single
}

// Single reports whether a line of text can set the field.
func (l Leaf[T]) Single(x *T) bool {
	_, _, single := get(l.Param, l.At(x))
	return single
}

// Same compares the field's values of two owners.
func (l Leaf[T]) Same(a, b *T) bool {
	x, y := l.At(a), l.At(b)
	if x, ok := x.(Value); ok {
		return x.Same(y)
	}
	v, inA, _ := get(l.Param, x)
	w, inB, _ := get(l.Param, y)
	return inA == inB && Equal(v, w)
}

// Text is a single value for people, its default where it is not given.
func (l Leaf[T]) Text(x *T) string {
	v, given, _ := get(l.Param, l.At(x))
	switch {
	case given:
		return ValueText(l.Param, v)
	case l.Default.Text != "":
		return l.Default.Text
	case l.Required || l.Optional:
		return ""
	}
	return ValueText(l.Param, l.Default)
}

// Set reads a value from a line of text; name is what the field was called. If the
// mapping was named and not its only part, the text may be the mapping as it stands in a
// file, {rate: 0.1}, or the part's value alone.
func (l Leaf[T]) Set(x *T, name, text string) error {
	if name == l.Short && name != l.Path {
		if doc, err := document.Read([]byte(text)); err == nil && doc.Root != nil && doc.Root.Kind == document.Mapping && len(doc.Root.Pairs) == 1 {
			if p, ok := doc.Root.Get(l.Name); ok && p.Value.Kind == document.Scalar {
				text = p.Value.Text
			}
		}
	}
	p := l.Param
	p.Name = name
	return set(p, l.At(x), text)
}

func set(p param.Param, at any, text string) error {
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
	case *float64:
		if word := p.Default.Text; word != "" && strings.TrimSpace(text) == word {
			*at = 0
			return nil
		}
		x, err := parseNumber(p, text)
		return assign(at, x, err)
	case *bool:
		on, err := parseFlag(p, text)
		return assign(at, on, err)
	case Single:
		return at.Set(p, text)
	}
	return nil
}

// assign keeps what was there if the text could not be read.
func assign[V any](at *V, v V, err error) error {
	if err == nil {
		*at = v
	}
	return err
}
