package format

import (
	"errors"
	"reflect"

	"epsiloscope/internal/yamltree"
)

// Unmarshal reads a file into a struct by the yaml tags of its fields: texts, numbers, flags, lists, mappings of texts,
// other structs, pointers, which stay nil if nothing is given, and nodes, which are kept as they stand. A name without
// a field, a name given twice and a value of another type are mistakes; all of them are reported, as [Errors].
func Unmarshal(file string, data []byte, to any) error {
	doc, err := yamltree.Read(data)
	if at, ok := errors.AsType[*yamltree.Error](err); ok {
		return Errors{{File: file, Line: at.Line, Column: at.Column, Problem: at.Problem}}
	}
	d := &Decoder{Doc: doc, File: file}
	if doc.Root != nil {
		d.decodeInto(reflect.ValueOf(to).Elem(), doc.Root, "")
	}
	return d.Errors.Sort()
}

// decodeInto reads a node into a value. A node that says nothing leaves it as it is.
func (d *Decoder) decodeInto(to reflect.Value, n *yamltree.Node, path string) {
	if node, ok := to.Addr().Interface().(**yamltree.Node); ok {
		*node = n
		return
	}
	n = n.Deref()
	switch {
	case n.IsNull():
	case to.Kind() == reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		d.decodeInto(to.Elem(), n, path)
	case to.Kind() == reflect.Struct:
		d.decodeStruct(to, n, path)
	case to.Kind() == reflect.Slice:
		d.decodeSlice(to, n, path)
	case to.Kind() == reflect.Map:
		d.decodeMap(to, n, path)
	default:
		d.decodeScalar(to, n, path)
	}
}

func (d *Decoder) decodeStruct(to reflect.Value, n *yamltree.Node, path string) {
	if n.Kind != yamltree.Mapping {
		d.Fail(n, path, "must be a list of fields, got "+n.Describe())
		return
	}
	if path != "" {
		path += "."
	}
	var known []string
	fields := map[string]reflect.Value{}
	for i := range to.NumField() {
		if name := to.Type().Field(i).Tag.Get("yaml"); name != "" {
			known, fields[name] = append(known, name), to.Field(i)
		}
	}
	for _, p := range d.pairs(n, path) {
		if field, ok := fields[p.Key.Text]; ok {
			d.decodeInto(field, p.Value, path+p.Key.Text)
		} else {
			d.Fail(p.Key, path+p.Key.Text, UnknownName("unknown field", p.Key.Text, known))
		}
	}
}

func (d *Decoder) decodeSlice(to reflect.Value, n *yamltree.Node, path string) {
	if n.Kind != yamltree.Sequence {
		d.Fail(n, path, "must be a list, got "+n.Describe())
		return
	}
	to.Set(reflect.MakeSlice(to.Type(), len(n.Items), len(n.Items)))
	for i, item := range n.Items {
		d.decodeInto(to.Index(i), item, WithIndex(path, i))
	}
}

func (d *Decoder) decodeMap(to reflect.Value, n *yamltree.Node, path string) {
	if n.Kind != yamltree.Mapping {
		d.Fail(n, path, "must be a list of fields, got "+n.Describe())
		return
	}
	to.Set(reflect.MakeMapWithSize(to.Type(), len(n.Pairs)))
	for _, p := range d.pairs(n, path+".") {
		value := reflect.New(to.Type().Elem()).Elem()
		d.decodeInto(value, p.Value, path+"."+p.Key.Text)
		to.SetMapIndex(reflect.ValueOf(p.Key.Text).Convert(to.Type().Key()), value)
	}
}

func (d *Decoder) decodeScalar(to reflect.Value, n *yamltree.Node, path string) {
	switch to.Kind() {
	case reflect.String:
		to.SetString(d.Text(n, path))
	case reflect.Bool:
		flag, ok := n.Bool()
		if !ok {
			d.Fail(n, path, "must be true or false, got "+n.Describe())
		}
		to.SetBool(flag)
	case reflect.Float64:
		x, ok := n.Number()
		if !ok {
			d.Fail(n, path, "must be a number, got "+n.Describe())
		}
		to.SetFloat(x)
	case reflect.Int:
		x, ok := n.Number()
		if !ok || x != float64(int(x)) {
			d.Fail(n, path, "must be a whole number, got "+n.Describe())
			x = 0
		}
		to.SetInt(int64(x))
	default:
		panic("a file has no value of the type " + to.Type().String())
	}
}
