package format

import (
	"cmp"
	"strings"

	"epsiloscope/internal/yamltree"
	"epsiloscope/mechanisms/param"
)

// Value is the value of a field inside its owner.
type Value interface {
	Decode(d *Decoder, p param.Param, n *yamltree.Node, path string)
	Check(c *Checker, path string)
	// Tree returns the value as a file has it, nil if there is none, and whether it
	// equals the default.
	Tree(p param.Param) (t *yamltree.Node, implied bool)
	Schema(p param.Param) Object
}

// Single is a value that a line of text can set.
type Single interface {
	Value
	Get() (v param.Value, given bool)
	Set(p param.Param, text string) error
}

// list is a value with several parts, which has its own comparison.
type list interface {
	Value
	Equal(other any) bool
}

// scalar is a word, a number or a flag. The zero value of an optional one means that it is
// not given.
type scalar struct {
	*param.Param
	at any // a *string, *float64 or *bool
}

// value returns the value of the field in its owner.
func (f *Field[T]) value(x *T) Value {
	at := f.At(x)
	if v, ok := at.(Value); ok {
		return v
	}
	return scalar{&f.Param, at}
}

func (s scalar) Get() (v param.Value, given bool) {
	v.Type = s.Type
	switch at := s.at.(type) {
	case *string:
		v.Text = *at
	case *float64:
		v.Number = *at
	case *bool:
		v.Flag = *at
	}
	return v, !s.Optional || v.Text != "" || v.Number != 0 || v.Flag
}

func (s scalar) put(v param.Value) {
	switch at := s.at.(type) {
	case *string:
		*at = v.Text
	case *float64:
		*at = v.Number
	case *bool:
		*at = v.Flag
	}
}

// Clear makes the value one that is not given.
func (s scalar) Clear() { s.put(param.Value{}) }

// Decode reads the value. A number that is given as its absentWord stays unset.
func (s scalar) Decode(d *Decoder, p param.Param, n *yamltree.Node, path string) {
	if word := absentWord(p); word != "" && n.Kind == yamltree.Scalar && n.Text == word {
		return
	}
	v := d.Param(p, n, path)
	s.put(v)
	if _, given := s.Get(); !given { // given but empty is a mistake, not the default
		d.FailOnce(n, path, check(p, v))
	}
}

// absentWord returns the word that stands for a number that is not given, such as auto; "" if there is none.
func absentWord(p param.Param) string {
	if !p.Type.Numeric() {
		return ""
	}
	return p.Default.Text
}

func (s scalar) Check(c *Checker, path string) {
	if v, given := s.Get(); given {
		c.Add(path, check(*s.Param, v))
	}
}

// Set takes none, or the word that stands for no number, to remove an optional value, and an empty text to remove a
// word. An empty text for a number is an error: it may be a slip.
func (s scalar) Set(p param.Param, text string) error {
	word := strings.TrimSpace(text)
	if p.Optional && (word == cmp.Or(absentWord(p), "none") || word == "" && p.Type == param.Choice) {
		s.put(param.Value{})
		return nil
	}
	v, err := ParseValue(p, text)
	if err == nil {
		s.put(v)
	}
	return err
}

func (s scalar) Tree(p param.Param) (t *yamltree.Node, implied bool) {
	v, _ := s.Get()
	t, implied = TreeOf(s, p)
	return t, implied || v.Number == p.Default.Number && v.Text == p.Default.Text && v.Flag == p.Default.Flag
}

// TreeOf returns a value as it stands in a file; one that is not given is implied.
func TreeOf(s Single, p param.Param) (t *yamltree.Node, implied bool) {
	v, given := s.Get()
	switch {
	case given:
		return ValueTree(p, v), false
	case p.Default.Text != "":
		return yamltree.TextOf(p.Default.Text), true
	}
	return nil, true
}

func (s scalar) Schema(p param.Param) Object { return ParamSchema(p) }

// Single reports whether a line of text can set the field.
func (l *Leaf[T]) Single(x *T) bool { _, single := l.value(x).(Single); return single }

// Equal compares the field's values of two owners.
func (l *Leaf[T]) Equal(a, b *T) bool {
	x, single := l.value(a).(Single)
	if !single {
		return l.value(a).(list).Equal(l.value(b))
	}
	v, inA := x.Get()
	w, inB := l.value(b).(Single).Get()
	return inA == inB && Equal(v, w)
}

// Text returns a single value for people, its default where it is not given.
func (l *Leaf[T]) Text(x *T) string {
	v, given := l.value(x).(Single).Get()
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
func (l *Leaf[T]) Set(x *T, name, text string) error {
	if name == l.Short && name != l.Path {
		if doc, err := yamltree.Read([]byte(text)); err == nil && doc.Root != nil &&
			doc.Root.Kind == yamltree.Mapping && len(doc.Root.Pairs) == 1 {
			if p, ok := doc.Root.Get(l.Name); ok && p.Value.Kind == yamltree.Scalar {
				text = p.Value.Text
			}
		}
	}
	p := l.Param
	p.Name = name
	if single, ok := l.value(x).(Single); ok {
		return single.Set(p, text)
	}
	return nil
}
